// Package archtest tests the architecture: each technology is imported by one package,
// imports point from programs to domain types, the domain imports no store, and every
// package has a comment.
package archtest
