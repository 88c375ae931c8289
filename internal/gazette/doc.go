// Package gazette is the door to reading gazettes: the bytes of a PDF file go in, and the
// texts of the issue come out, cut into articles and passages, each with its place on the
// page, its evidence and its doubts.
//
// The package itself holds what cutting a file takes and gives: Hints and Edits, Issues with their
// Texts, Places and Signals. pdfhead recognizes a file by its beginning, pdftext reads words with their places in a
// child process, ocr reads scanned pages, layout orders words into columns and lines, heads
// reads the heads of articles and repairs misread ones, segment cuts lines into texts (with
// the labels of chain), and recheck reads contradicted places of scans again. remarks writes
// in French what they doubt. Nothing here opens a store.
package gazette
