// Command sample makes the sample gazettes: three issues of the Journal
// officiel of the République d'Astrevalle, a country that does not exist,
// from the source texts in texts/.
//
// Contract: the same sources give the same bytes, on every machine. Nothing is
// read from the clock, no map is walked in its own order, page streams are not
// compressed and the images of the scan are compressed by a module whose
// version go.mod pins, so that a newer Go toolchain cannot change a byte.
//
//	go run ./scripts/sample          writes gazettes/*.pdf and truth.json
//	go run ./scripts/sample -check   exits 1 and names each file that differs
//
// The pipeline is source -> blocks -> rows -> pages -> PDF. A source text
// (source.go, parse.go) is a list of blocks; compose.go and the files it leans
// on turn blocks into rows, lines already broken, hyphenated and justified;
// flow.go stacks rows into columns and pages and reports on which page each
// mark fell; draw.go writes the pages as PDF; scan.go renders one PDF to images
// and makes the scanned twin. The truth (truth.go) is written from the marks,
// never read back from the PDF and never edited by hand.
//
// A fault of a source text (unknown key, article cited by a relation but not
// there, a character the font lacks) is an error that names the file; nothing
// is written then.
package main
