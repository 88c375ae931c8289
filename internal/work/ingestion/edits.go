package ingestion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// loadEdits returns the edits of the file that were not undone, as rows and as package
// segment takes them.
func (j *job) loadEdits(ctx context.Context) (rows []postgres.Edit, edits []gazette.Edit, err error) {
	all, err := j.DB.Edits(ctx, j.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range all {
		if row.UndoneAt != nil {
			continue
		}
		e, err := EditOf(row)
		if err != nil {
			return nil, nil, err
		}
		rows, edits = append(rows, row), append(edits, e)
	}
	return rows, edits, nil
}

// EditOf decodes a stored edit.
func EditOf(row postgres.Edit) (e gazette.Edit, err error) {
	err = json.Unmarshal(row.Payload, &e)
	if err == nil && len(e.Lines) == 0 {
		err = errNoLine
	}
	e.Kind, e.Made = gazette.EditKind(row.Kind), row.CreatedAt
	if err != nil {
		return e, fmt.Errorf("edit %s: %w", row.ID, err)
	}
	return e, nil
}

var errNoLine = errors.New("it names no line")

// noteEdits records the edits that no longer apply: in the remark on the file and beside
// the edit. If the edit had no fault before, its text is reopened for review even if a
// person has accepted it.
func (j *job) noteEdits(cut *postgres.Segmentation, rows []postgres.Edit, issue gazette.Issue) {
	cut.Faults = map[uuid.UUID]string{}
	for _, u := range issue.Unapplied {
		row := rows[u.Edit]
		why := u.Why.Sentence()
		cut.Faults[row.ID] = why
		j.missing = strings.TrimSpace(j.missing + " " + why)
		if row.Fault != "" {
			continue
		}
		for i := range cut.Texts {
			for _, d := range cut.Texts[i].Doubts {
				if d.Field == gazette.CorrectionField && d.Reason == why {
					cut.Texts[i].Reopened = true
				}
			}
		}
	}
}

// linesOf groups the lines of a cut by page, each with the text and article that it became
// part of.
func linesOf(pages []layout.Page, issue gazette.Issue, texts []postgres.StoredText) []postgres.PageLines {
	pageLines := make(map[int]*postgres.PageLines, len(pages))
	for _, p := range pages {
		pageLines[p.Number] = &postgres.PageLines{Page: p.Number, Width: p.Width, Height: p.Height, Lines: []postgres.Line{}}
	}
	for _, l := range issue.Lines {
		line := postgres.Line{Rect: l.Rect, Text: clean(l.Text), Label: l.Label, Confidence: l.Confidence}
		if l.TextIndex >= 0 {
			t := texts[l.TextIndex]
			line.TextIndex, line.DocumentID = &l.TextIndex, &t.Document.ID
			if l.Article >= 0 && t.Articles[l.Article].Number != "" {
				line.Article = &t.Articles[l.Article].Number
			}
		}
		if p := pageLines[l.Page]; p != nil {
			p.Lines = append(p.Lines, line)
		}
	}
	out := make([]postgres.PageLines, 0, len(pageLines))
	for _, n := range slices.Sorted(maps.Keys(pageLines)) {
		out = append(out, *pageLines[n])
	}
	return out
}

// clean removes what PostgreSQL's JSON does not accept.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

// beginsAt encodes the position of a text's first line.
func beginsAt(p gazette.Place) string {
	if p.Page == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%g,%g,%g,%g", p.Page, p.Rect[0], p.Rect[1], p.Rect[2], p.Rect[3])
}

// The targets of a move of lines.
const (
	ToLoose    = "loose"    // outside any text
	ToPrevious = "previous" // at the end of the previous text
	ToNext     = "next"     // in the next text, below its title
	ToAfter    = "after"    // after a given line
)

// Length limits of an edit's texts, in code points.
const (
	TitleLimit   = 2000
	NumberLimit  = 100
	LineLimit    = 2000
	ArticleLimit = 200_000 // an article may be the text of an annex
)

// LineRef identifies a line by its position on its page.
type LineRef struct {
	Page int
	Rect law.Rect
	Text string // used if no line is at that position any more; may be empty
}

// EditRequest is an edit of a file's lines as a person requests it; see gazette.Edit.
type EditRequest struct {
	Kind    gazette.EditKind
	Line    LineRef
	Through *LineRef // the last line of a split's title or of the lines to move, on the same page
	To      string   // move
	After   *LineRef // move, with ToAfter
	Article bool     // retitle, correct: the whole article
	Begins  bool     // renumber: an article begins at the line
	Onward  bool     // renumber: the articles after it are numbered in turn

	Text, Number, Title, Nature string
	Type                        law.DocType
	Promulgated                 *time.Time
}

// Refused says which field of a requested edit is invalid, and why, in French.
type Refused struct{ Field, Reason string }

// Error returns the reason.
func (r *Refused) Error() string { return r.Reason }

func refuse(field, format string, args ...any) error {
	return &Refused{field, fmt.Sprintf(format, args...)}
}

// ApplyEdit checks a requested edit against the lines of the file as it was cut last, adds it to
// the file's edits and queues the file to be cut again; the caller enqueues the hint.
// *Refused when the edit is invalid; other errors are those of postgres.AddEdit.
func ApplyEdit(ctx context.Context, db *postgres.DB, ingestion uuid.UUID, w EditRequest) (postgres.Edit, error) {
	pages, err := db.FileLines(ctx, ingestion)
	if err != nil {
		return postgres.Edit{}, err
	}
	e, err := fileLines(pages).edit(w)
	if err != nil {
		return postgres.Edit{}, err
	}
	payload, err := json.Marshal(e)
	if err != nil {
		return postgres.Edit{}, fmt.Errorf("edit of %s: %w", ingestion, err)
	}
	return db.AddEdit(ctx, ingestion, postgres.Edit{ID: postgres.NewID(), Kind: string(w.Kind), Payload: payload})
}

// edit converts a requested edit to one of package segment.
func (s fileLines) edit(w EditRequest) (e gazette.Edit, err error) {
	first, err := s.find("line", w.Line)
	if err != nil {
		return e, err
	}
	last := first
	if w.Through != nil {
		if last, err = s.find("through", *w.Through); err != nil {
			return e, err
		}
		if last.page != first.page || last.line < first.line {
			return e, refuse("through", "La dernière ligne doit suivre la première, sur la même page.")
		}
	}
	for n := first.line; n <= last.line; n++ {
		e.Lines = append(e.Lines, s.place(lineIndex{first.page, n}))
	}
	if s.removed(first) && w.Kind != gazette.MoveLines && (w.Kind != gazette.SplitHere || s.begins(first)) {
		return e, refuse("line", "Le texte de cette ligne a été rejeté ou supprimé.")
	}
	switch w.Kind {
	case gazette.SplitHere:
		e.Title, e.Number, e.Nature, e.Type, e.Promulgated = w.Title, law.TextNumber(w.Number), w.Nature, w.Type, w.Promulgated
		return e, nil
	case gazette.MoveLines:
		e.After, err = s.target(first, last, w)
		return e, err
	}
	e.Lines = e.Lines[:1]
	if w.Kind == gazette.MergeBefore {
		return e, s.merges(first)
	}
	e.Whole = w.Article && w.Kind != gazette.Renumber
	e.Begins, e.Onward = w.Begins && w.Kind == gazette.Renumber, w.Onward && w.Kind == gazette.Renumber
	err = s.words(&e, first, w)
	return e, err
}

// merges checks that a text begins at a line, and that another one precedes it.
func (s fileLines) merges(p lineIndex) error {
	of := s.at(p).TextIndex
	switch {
	case of == nil:
		return refuse("line", "Cette ligne n’est dans aucun texte.")
	case !s.begins(p):
		return refuse("line", "Aucun texte ne commence à cette ligne.")
	case *of == 0:
		return refuse("line", "Aucun texte ne précède celui-ci dans le fichier.")
	}
	for previous, ok := s.before(p); ok; previous, ok = s.before(previous) {
		if s.at(previous).TextIndex == nil {
			continue
		}
		if s.removed(previous) {
			return refuse("line", "Le texte d’avant a été rejeté ou supprimé.")
		}
		return nil
	}
	return nil
}

// words copies the new words of a requested edit to e. It refuses an edit of a text or
// article that the line does not belong to.
func (s fileLines) words(e *gazette.Edit, p lineIndex, w EditRequest) error {
	l := s.at(p)
	if l.TextIndex == nil && (w.Kind != gazette.Correct || e.Whole) {
		return refuse("line", "Cette ligne n’est dans aucun texte.")
	}
	if (e.Whole || w.Kind == gazette.Renumber) && l.Article == nil {
		return refuse("line", "Cette ligne n’est dans aucun article.")
	}
	switch w.Kind {
	case gazette.Renumber:
		if e.Number = law.ArticleNumber(w.Number); e.Number == "" {
			return refuse("number", "Le numéro de l’article manque.")
		}
	case gazette.Retitle:
		if e.Title = strings.Join(strings.Fields(w.Title), " "); e.Title == "" {
			return refuse("title", "Le titre manque.")
		}
	case gazette.Correct:
		e.Text = strings.TrimSpace(w.Text)
		if e.Text == "" {
			return refuse("text", "Le texte manque ; pour qu’une ligne ne compte pas, déplacez-la hors de tout texte.")
		}
		if !e.Whole && strings.Contains(e.Text, "\n") {
			return refuse("text", "Le texte d’une ligne tient sur une ligne.")
		}
	}
	return nil
}

// target returns the line after which moved lines are inserted, nil if they are moved out
// of all texts.
func (s fileLines) target(first, last lineIndex, w EditRequest) (*gazette.Place, error) {
	inRun := func(p lineIndex) bool { return p.page == first.page && p.line >= first.line && p.line <= last.line }
	switch w.To {
	case ToLoose:
		for n := first.line; n <= last.line; n++ {
			if s.at(lineIndex{first.page, n}).TextIndex != nil {
				return nil, nil
			}
		}
		return nil, refuse("to", "Ces lignes ne sont déjà dans aucun texte.")
	case ToAfter:
		if w.After == nil {
			return nil, refuse("after", "La ligne derrière laquelle placer les lignes manque.")
		}
		p, err := s.find("after", *w.After)
		switch {
		case err != nil:
			return nil, err
		case inRun(p):
			return nil, refuse("after", "Cette ligne est de celles que l’on déplace.")
		case s.at(p).TextIndex == nil:
			return nil, refuse("after", "Cette ligne n’est dans aucun texte.")
		}
		return s.kept("after", p)
	}
	index, found := s.neighbor(first, w.To)
	if !found {
		return nil, refuse("to", "Il n’y a pas de texte voisin de ce côté.")
	}
	target := lineIndex{-1, -1}
	for k := range s {
		for n, l := range s[k].Lines {
			if l.TextIndex != nil && *l.TextIndex == index && !inRun(lineIndex{k, n}) && (w.To == ToPrevious || l.Label == gazette.LabelHead) {
				target = lineIndex{k, n}
			}
		}
	}
	if target.page < 0 {
		return nil, refuse("to", "Le texte voisin n’a pas de titre : nommez la ligne derrière laquelle placer les lignes.")
	}
	return s.kept("to", target)
}

// kept returns the place of a line, or refuses the line if its text was removed.
func (s fileLines) kept(field string, p lineIndex) (*gazette.Place, error) {
	if s.removed(p) {
		return nil, refuse(field, "Le texte de la ligne « %s » a été rejeté ou supprimé.", law.Clip(s.at(p).Text, 60))
	}
	place := s.place(p)
	return &place, nil
}

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
	for previous, ok := s.before(p); ok && of != nil; previous, ok = s.before(previous) {
		if i := s.at(previous).TextIndex; i != nil && *i == *of {
			return false
		}
	}
	return of != nil
}

// neighbor returns the index of the text before or after the text of a line. For a line
// outside any text it returns the nearest text before or after the line.
func (s fileLines) neighbor(p lineIndex, target string) (text int, found bool) {
	if of := s.at(p).TextIndex; of != nil {
		if target == ToPrevious {
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
	if target == ToNext {
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
