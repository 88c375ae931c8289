// Package prepare makes the lines of a file ready to be labeled. The arranged pages of a file go in.
// The French lines come out in reading order, with misread heads repaired, and, apart from them, the
// lines that belong to no text: footnotes, ornaments, other languages and a book's contents.
package prepare
