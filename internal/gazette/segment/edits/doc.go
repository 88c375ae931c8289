// Package edits applies the corrections that people made. Edits go in, with the lines, labels and drafts
// of a file at each stage of its cutting. Corrected lines and drafts come out, and the edits that no
// longer apply.
package edits
