package ingestion

import (
	"fmt"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/store/postgres"
)

// fileLines holds the lines of a file, page by page, as the cutting stored them.
type fileLines []postgres.PageLines

// lineIndex is the position of a line in fileLines: the index of its page and of the line
// there.
type lineIndex struct{ page, line int }

func (s fileLines) at(p lineIndex) postgres.Line { return s[p.page].Lines[p.line] }

func (s fileLines) place(p lineIndex) gazette.Place {
	l := s.at(p)
	return gazette.PlaceAt(s[p.page].Page, l.Rect, l.Text)
}

// find returns the index of the line that a person's reference names, or a *Refused for
// field.
func (s fileLines) find(field string, ref LineRef) (lineIndex, error) {
	for k, p := range s {
		if p.Page != ref.Page {
			continue
		}
		lines := make([]layout.Line, len(p.Lines))
		for i, l := range p.Lines {
			lines[i] = layout.Line{Page: p.Page, Rect: l.Rect, Words: []layout.Word{{Text: l.Text, Rect: l.Rect}}}
		}
		if i := gazette.PlaceAt(ref.Page, ref.Rect, ref.Text).Find(lines); i >= 0 {
			return lineIndex{k, i}, nil
		}
		return lineIndex{}, refuse(field, "Aucune ligne de la page %d n’est à cette place.", ref.Page)
	}
	return lineIndex{}, refuse(field, "Les lignes de la page %d ne sont pas connues : le fichier n’a pas cette page, ou n’a pas été découpé depuis qu’elles sont gardées.", ref.Page)
}

// removed reports whether the text of a line was rejected or deleted: an edit would not
// bring it back.
func (s fileLines) removed(p lineIndex) bool {
	l := s.at(p)
	return l.TextIndex != nil && l.DocumentID == nil
}

// begins reports whether a text begins at a line.
func (s fileLines) begins(p lineIndex) bool {
	of := s.at(p).TextIndex
	for before, ok := s.before(p); ok && of != nil; before, ok = s.before(before) {
		if i := s.at(before).TextIndex; i != nil && *i == *of {
			return false
		}
	}
	return of != nil
}

// neighbor returns the index of the text before or after the text of a line. For a line
// outside any text it returns the nearest text before or after the line.
func (s fileLines) neighbor(p lineIndex, to string) (text int, found bool) {
	if of := s.at(p).TextIndex; of != nil {
		if to == ToPrevious {
			return *of - 1, *of > 0
		}
		for _, page := range s {
			for _, l := range page.Lines {
				found = found || l.TextIndex != nil && *l.TextIndex == *of+1
			}
		}
		return *of + 1, found
	}
	step := s.before
	if to == ToNext {
		step = s.behind
	}
	for q, ok := step(p); ok; q, ok = step(q) {
		if i := s.at(q).TextIndex; i != nil {
			return *i, true
		}
	}
	return 0, false
}

// String returns the index for keys.
func (p lineIndex) String() string { return fmt.Sprintf("%d/%d", p.page, p.line) }

func (s fileLines) before(p lineIndex) (lineIndex, bool) {
	for p.line--; p.line < 0; p.line = len(s[p.page].Lines) - 1 {
		if p.page--; p.page < 0 {
			return p, false
		}
	}
	return p, true
}

func (s fileLines) behind(p lineIndex) (lineIndex, bool) {
	for p.line++; p.line >= len(s[p.page].Lines); p.line = 0 {
		if p.page++; p.page >= len(s) {
			return p, false
		}
	}
	return p, true
}
