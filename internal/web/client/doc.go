// Package client calls the API of a server: requests, lists, event streams, and files that go by parts. Its errors have the
// API's sentences, or say in French why a server could not be asked.
package client
