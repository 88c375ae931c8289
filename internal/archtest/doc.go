// Package archtest holds the house's plan as tests: one technology is imported
// by one package, imports point from the processes down to the words of the
// domain, the domain knows no store, and every package says what it is.
package archtest
