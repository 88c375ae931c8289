// Package store is the door to everything that is kept outside a process: rows in
// PostgreSQL (postgres), PDF files (blobs), the events of running
// answers in Redis (relay, redisurl), limits that hold across processes (ratelimit), and
// titles in Meilisearch (meili). It stores and returns domain values (chat, law). Errors
// have a kind of kit/errs.
package store
