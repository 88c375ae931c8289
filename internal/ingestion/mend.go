package ingestion

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/page"
	"vigueur/internal/postgres"
	"vigueur/internal/segment"
)

// Where lines are moved to.
const (
	ToLoose    = "loose"    // out of any text
	ToPrevious = "previous" // the end of the text before
	ToNext     = "next"     // the text behind, below its title
	ToAfter    = "after"    // behind a line that is named
)

// Targets lists where lines can be moved to.
func Targets() []string { return []string{ToLoose, ToPrevious, ToNext, ToAfter} }

// The longest texts of an edit, in code points.
const (
	TitleLimit   = 2000
	NumberLimit  = 100
	LineLimit    = 2000
	ArticleLimit = 200_000 // an article may be the text of an annex
)

// LineRef is how a person names a line: where it stands on its page.
type LineRef struct {
	Page int
	Rect law.Rect
	Text string // helps where no line lies there any more; may be empty
}

// Wish is an edit as a person asks for it; see segment.Edit.
type Wish struct {
	Kind    segment.EditKind
	Line    LineRef
	Through *LineRef // the last of the lines, on the same page: of a split's title, of a move
	To      string   // move
	After   *LineRef // move, with ToAfter
	Article bool     // retitle, correct: the whole article

	Text, Number, Title, Nature string
	Type                        law.DocType
	Promulgated                 *time.Time
}

// Refused says which field of a wish cannot be fulfilled, and why, in French.
type Refused struct{ Field, Reason string }

// Error is the reason.
func (r *Refused) Error() string { return r.Reason }

func refuse(field, format string, args ...any) error {
	return &Refused{field, fmt.Sprintf(format, args...)}
}

// Mend holds a wish against the lines of the file as it was cut last, and adds it to
// the file's edits. *Refused when it cannot be fulfilled; else errors are those of
// postgres.AddEdit. The file is queued then, and the worker is the caller's to hint.
func Mend(ctx context.Context, db *postgres.DB, ingestion uuid.UUID, w Wish) (postgres.Edit, error) {
	pages, err := db.FileLines(ctx, ingestion)
	if err != nil {
		return postgres.Edit{}, err
	}
	e, err := sheaf(pages).edit(w)
	if err != nil {
		return postgres.Edit{}, err
	}
	payload, err := json.Marshal(e)
	if err != nil {
		return postgres.Edit{}, fmt.Errorf("edit of %s: %w", ingestion, err)
	}
	return db.AddEdit(ctx, ingestion, postgres.Edit{ID: postgres.NewID(), Kind: string(w.Kind), Payload: payload})
}

// sheaf is the lines of a file, page by page.
type sheaf []postgres.PageLines

// spot is a line of a sheaf: the index of its page, and its own there.
type spot struct{ page, line int }

func (s sheaf) at(p spot) postgres.Line { return s[p.page].Lines[p.line] }

func (s sheaf) place(p spot) segment.Place {
	l := s.at(p)
	return segment.PlaceAt(s[p.page].Page, l.Rect, l.Text)
}

// find gives the line that a person means.
func (s sheaf) find(field string, ref LineRef) (spot, error) {
	for k, p := range s {
		if p.Page != ref.Page {
			continue
		}
		lines := make([]page.Line, len(p.Lines))
		for i, l := range p.Lines {
			lines[i] = page.Line{Page: p.Page, Rect: l.Rect, Words: []page.Word{{Text: l.Text, Rect: l.Rect}}}
		}
		if i := segment.PlaceAt(ref.Page, ref.Rect, ref.Text).Find(lines); i >= 0 {
			return spot{k, i}, nil
		}
		return spot{}, refuse(field, "Aucune ligne de la page %d n’est à cette place.", ref.Page)
	}
	return spot{}, refuse(field, "Les lignes de la page %d ne sont pas connues : le fichier n’a pas cette page, ou n’a pas été découpé depuis qu’elles sont gardées.", ref.Page)
}

// edit makes an edit of a wish.
func (s sheaf) edit(w Wish) (e segment.Edit, err error) {
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
		e.Lines = append(e.Lines, s.place(spot{first.page, n}))
	}
	switch w.Kind {
	case segment.SplitHere:
		e.Title, e.Number, e.Nature, e.Type, e.Promulgated = w.Title, law.TextNumber(w.Number), w.Nature, w.Type, w.Promulgated
		return e, nil
	case segment.MoveLines:
		e.After, err = s.target(first, last, w)
		return e, err
	}
	e.Lines = e.Lines[:1]
	if w.Kind == segment.MergeBefore {
		return e, s.merges(first)
	}
	e.Whole = w.Article && w.Kind != segment.Renumber
	return e, s.words(&e, first, w)
}

// merges holds that a text begins at a line, and another one comes before.
func (s sheaf) merges(p spot) error {
	of := s.at(p).TextIndex
	if of == nil {
		return refuse("line", "Cette ligne n’est dans aucun texte.")
	}
	for before, ok := s.before(p); ok; before, ok = s.before(before) {
		if i := s.at(before).TextIndex; i != nil && *i == *of {
			return refuse("line", "Aucun texte ne commence à cette ligne.")
		}
	}
	if *of == 0 {
		return refuse("line", "Aucun texte ne précède celui-ci dans le fichier.")
	}
	return nil
}

// words takes over what an edit of words says, where the line has what it speaks of.
func (s sheaf) words(e *segment.Edit, p spot, w Wish) error {
	l := s.at(p)
	if l.TextIndex == nil && (w.Kind != segment.Correct || e.Whole) {
		return refuse("line", "Cette ligne n’est dans aucun texte.")
	}
	if (e.Whole || w.Kind == segment.Renumber) && l.Article == nil {
		return refuse("line", "Cette ligne n’est dans aucun article.")
	}
	switch w.Kind {
	case segment.Renumber:
		if e.Number = law.ArticleNumber(w.Number); e.Number == "" {
			return refuse("number", "Le numéro de l’article manque.")
		}
	case segment.Retitle:
		if e.Title = strings.Join(strings.Fields(w.Title), " "); e.Title == "" {
			return refuse("title", "Le titre manque.")
		}
	case segment.Correct:
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

// target gives the line behind which moved lines come, nil for out of any text.
func (s sheaf) target(first, last spot, w Wish) (*segment.Place, error) {
	inRun := func(p spot) bool { return p.page == first.page && p.line >= first.line && p.line <= last.line }
	switch w.To {
	case ToLoose:
		for n := first.line; n <= last.line; n++ {
			if s.at(spot{first.page, n}).TextIndex != nil {
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
		place := s.place(p)
		return &place, nil
	}
	of, found := s.neighbor(first, w.To)
	if !found {
		return nil, refuse("to", "Il n’y a pas de texte voisin de ce côté.")
	}
	target := spot{-1, -1}
	for k := range s {
		for n, l := range s[k].Lines {
			if l.TextIndex != nil && *l.TextIndex == of && !inRun(spot{k, n}) && (w.To == ToPrevious || l.Label == segment.LabelHead) {
				target = spot{k, n}
			}
		}
	}
	if target.page < 0 {
		return nil, refuse("to", "Le texte voisin n’a pas de titre : nommez la ligne derrière laquelle placer les lignes.")
	}
	place := s.place(target)
	return &place, nil
}

// neighbor is the index of the text before or behind the one of a line, or, for a
// line of no text, before or behind the line.
func (s sheaf) neighbor(p spot, to string) (text int, found bool) {
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

func (s sheaf) before(p spot) (spot, bool) {
	for p.line--; p.line < 0; p.line = len(s[p.page].Lines) - 1 {
		if p.page--; p.page < 0 {
			return p, false
		}
	}
	return p, true
}

func (s sheaf) behind(p spot) (spot, bool) {
	for p.line++; p.line >= len(s[p.page].Lines); p.line = 0 {
		if p.page++; p.page >= len(s) {
			return p, false
		}
	}
	return p, true
}
