package prepare

import (
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
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
	p.Pages, p.Order = reorder(pages)
	lines, notes := setNotesAside(line.Flatten(p.Pages))
	p.Lines, p.Notes = withoutOrnaments(lines)
	p.Notes = append(p.Notes, notes...)
	var script []line.Line
	p.Lines, script = setScriptsAside(p.Lines)
	p.Lines, p.Foreign = setLanguagesAside(p.Lines)
	p.Foreign = append(p.Foreign, script...)
	_, gazette := NamesGazette(p.Pages, p.Lines)
	p.Lines, p.Book = withoutContents(p.Lines, gazette)
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

var gazetteName = law.Pattern(`(?i)j ?ournal +officiel|bulletin +officiel|gazette +officielle|moniteur`)

// PublishedIn matches how a print of a text outside its gazette says where the text was published.
var PublishedIn = law.Pattern(`^\(?(?i:publi[ée]e?s? +(?:au|dans|à)) .{0,120}$`)

// HeadLines is how many lines of the first page are searched for the gazette's name.
const HeadLines = 14

// NamesGazette returns the line at the head of the file that has the name of a gazette; false if there is none.
func NamesGazette(pages []layout.Page, lines []line.Line) (string, bool) {
	names := func(text string) bool { return !PublishedIn.MatchString(text) && gazetteName.MatchString(text) }
	for i := 0; i < len(lines) && i < HeadLines && lines[i].Page == lines[0].Page; i++ {
		if _, _, ok := lines[i].Article(""); ok || line.Visa.MatchString(lines[i].Text) {
			break
		}
		if names(lines[i].Text) {
			return lines[i].Text, true
		}
	}
	for i := 0; i < len(pages) && i < 3; i++ {
		if at := slices.IndexFunc(pages[i].Aside, func(l layout.Line) bool { return names(l.Text()) }); at >= 0 {
			return pages[i].Aside[at].Text(), true
		}
	}
	return "", false
}

// GazetteName returns the name of a gazette in a line that has it, without what stands before it and without the issue's
// number and date behind it.
func GazetteName(text string) string {
	at := gazetteName.FindStringIndex(text)
	if at == nil {
		return ""
	}
	name := text[at[0]:]
	if end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" '’", r) }); end >= 0 {
		name = name[:end]
	}
	words := strings.Fields(name)
	for n := len(words); n > 0 && len([]rune(words[n-1])) < 3; n-- { // « N° », « du »
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}
