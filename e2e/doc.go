// Package e2e tests the whole system from outside: the built programs run as
// processes on a database and a Redis of their own, gazettes go in by the
// operator's command, questions by HTTP. Subpackage stage sets it up.
package e2e
