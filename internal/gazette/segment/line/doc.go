// Package line reads single lines of a gazette. The lines of a page, as package layout has arranged
// them, go in. Lines come out that say where paragraphs begin, which lines are set apart or in
// quotation marks, and which read as the head of an article or of a division.
package line
