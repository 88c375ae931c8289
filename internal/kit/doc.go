// Package kit is the door to packages that know nothing of law: kinds of errors (errs),
// work on all cores (parallel), regular expressions compiled on first use (lazyre), traces
// (trace), encryption and tokens (sealed), the program's version (built), and what tests
// need (testkit, archtest). Values go in and come out; nothing here opens a store, and no
// other door is imported.
package kit
