// Package masthead reads what a gazette says about its issue. The prepared lines and their labels go
// in. The number and date come out, and the entries of its summary.
package masthead
