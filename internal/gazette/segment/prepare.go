package segment

import (
	"strings"
	"unicode"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
)

// prepared holds a file's lines, ready to be labeled.
type prepared struct {
	pages   []layout.Page  // in the order in which they are to be read
	order   remarks.Remark // what a person has to confirm about this order; of kind remarks.None if nothing
	lines   []line
	notes   []line // footnotes, and lines without a letter or digit
	foreign []line // the other language of a bilingual gazette
	book    []line // a book's table of contents
}

// prepare puts pages in order, and sets aside lines that do not belong to the French text.
func prepare(pages []layout.Page) prepared {
	var p prepared
	p.pages, p.order = inOrder(pages)
	lines, notes := setNotesAside(flatten(p.pages))
	p.lines, p.notes = withoutOrnaments(lines)
	p.notes = append(p.notes, notes...)
	var script []line
	p.lines, script = setScriptsAside(p.lines)
	p.lines, p.foreign = setLanguagesAside(p.lines)
	p.foreign = append(p.foreign, script...)
	p.lines, p.book = withoutContents(p.lines, namesGazette(p.pages, p.lines))
	p.lines = splitStateLeads(joinTornHeads(p.lines))
	mendHeads(p.lines)
	return p
}

// withoutOrnaments removes lines with neither letter nor digit, such as rules of dashes and stars. The line after a
// removed line begins a paragraph. Rows of a table stay, because their signs may stand for numbers.
func withoutOrnaments(lines []line) (text, ornaments []line) {
	text = make([]line, 0, len(lines))
	after := false
	for _, l := range lines {
		if !strings.ContainsFunc(l.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && !l.wide {
			ornaments, after = append(ornaments, l), true
			continue
		}
		l.opens = l.opens || after
		text, after = append(text, l), false
	}
	return text, ornaments
}
