package prepare

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

var gazetteName = law.Pattern(`(?i)j ?ournal +officiel|bulletin +officiel|gazette +officielle|moniteur`)

// PublishedIn matches how a print of a text outside its gazette says where the text was published.
var PublishedIn = law.Pattern(`^\(?(?i:publi[ée]e?s? +(?:au|dans|à)) .{0,120}$`)

// HeadLines is how many lines of the first page are searched for the gazette's name.
const HeadLines = 14

// NamesGazette reports whether the name of a gazette is at the head of the file.
func NamesGazette(pages []layout.Page, lines []line.Line) bool {
	names := func(text string) bool { return !PublishedIn.MatchString(text) && gazetteName.MatchString(text) }
	for i := 0; i < len(lines) && i < HeadLines && lines[i].Page == lines[0].Page; i++ {
		if _, _, ok := lines[i].Article(""); ok || line.Visa.MatchString(lines[i].Text) {
			break
		}
		if names(lines[i].Text) {
			return true
		}
	}
	for i := 0; i < len(pages) && i < 3; i++ {
		if slices.ContainsFunc(pages[i].Aside, func(l layout.Line) bool { return names(l.Text()) }) {
			return true
		}
	}
	return false
}
