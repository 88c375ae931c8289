// Package kit is the door to packages that know nothing of law: kinds of errors (errs),
// work on all cores (parallel), loops at intervals (tick), regular expressions compiled on first use (lazyre), traces
// (trace), encryption and tokens (sealed), the confinement of child processes (confine), the
// program's version (version), and helpers of tests (testkit, archtest). No package here opens a store or imports another door.
package kit
