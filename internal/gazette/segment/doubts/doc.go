// Package doubts decides what of a text is sure. Drafts and the issue go in. Evidence and doubts come
// out, written into the drafts, and the accounts by which two readings of a file are compared.
package doubts
