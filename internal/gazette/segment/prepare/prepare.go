package prepare

import (
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
)

// File holds a file's lines, ready to be labeled.
type File struct {
	Pages   []layout.Page  // in the order in which they are to be read
	Order   remarks.Remark // what a person has to confirm about this order; of kind remarks.None if nothing
	Lines   []line.Line
	Notes   []line.Line // footnotes, and lines without a letter or digit
	Foreign []line.Line // the other language of a bilingual gazette
	Book    []line.Line // a book's table of contents
}

// Pages puts pages in order, and sets aside lines that do not belong to the French text.
func Pages(pages []layout.Page) File {
	var p File
	p.Pages, p.Order = inOrder(pages)
	lines, notes := setNotesAside(line.Flatten(p.Pages))
	p.Lines, p.Notes = withoutOrnaments(lines)
	p.Notes = append(p.Notes, notes...)
	var script []line.Line
	p.Lines, script = setScriptsAside(p.Lines)
	p.Lines, p.Foreign = setLanguagesAside(p.Lines)
	p.Foreign = append(p.Foreign, script...)
	p.Lines, p.Book = withoutContents(p.Lines, NamesGazette(p.Pages, p.Lines))
	p.Lines = splitStateLeads(joinTornHeads(p.Lines))
	mendHeads(p.Lines)
	return p
}

// withoutOrnaments removes lines with neither letter nor digit, such as rules of dashes and stars. The line after a
// removed line begins a paragraph. Rows of a table stay, because their signs may stand for numbers.
func withoutOrnaments(lines []line.Line) (text, ornaments []line.Line) {
	text = make([]line.Line, 0, len(lines))
	after := false
	for _, l := range lines {
		if !strings.ContainsFunc(l.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && !l.Spaced {
			ornaments, after = append(ornaments, l), true
			continue
		}
		l.Opens = l.Opens || after
		text, after = append(text, l), false
	}
	return text, ornaments
}
