package versions

import (
	"cmp"
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

// wordsMost is the number of bytes of an instruction that are stored with its operation.
const wordsMost = 4000

// readAct reads the operations of an act and looks up the texts that they amend.
func readAct(ctx context.Context, source named.Source, a postgres.Act) (out []postgres.Amendment, err error) {
	text, parts := amend.Written(a.Articles)
	res := resolver{act: a, texts: named.NewLookup(source), known: map[amend.TargetText]meant{}}
	for i, op := range amend.Read(text, amend.Options{Parts: parts, Title: a.Document.Title}) {
		one := postgres.Amendment{Act: a.Document.ID, Ordinal: i, Operation: op}
		for _, p := range parts {
			if op.Evidence.Start < p.Start || op.Evidence.Start >= p.End {
				continue
			}
			start, end := op.Evidence.Start-p.Start, min(op.Evidence.End, p.End)-p.Start
			one.Article, one.Page, one.Words = &p.Article.ID, p.Article.Page, cut(p.Article.Text[start:end])
			if regions := law.Regions(p.Article.Spans, start, end); len(regions) > 0 {
				one.Page = regions[0].Page
			}
			break
		}
		m, err := res.resolve(ctx, op.Text)
		if err != nil {
			return nil, err
		}
		one.Target, one.Reason, one.Terms = m.id, m.reason, m.terms
		out = append(out, one)
	}
	return out, nil
}

// cut shortens the words of an instruction at the boundary of a character.
func cut(words string) string {
	if len(words) <= wordsMost {
		return words
	}
	n := wordsMost
	for !utf8.RuneStart(words[n]) {
		n--
	}
	return words[:n]
}

// meant is the text that a name means in an act.
type meant struct {
	id     *uuid.UUID
	reason amend.Reason // why there is no id
	terms  []string
}

// resolver looks up the texts that an act names, each name once.
type resolver struct {
	act   postgres.Act
	texts *named.Lookup
	known map[amend.TargetText]meant
}

func (r resolver) resolve(ctx context.Context, t amend.TargetText) (m meant, err error) {
	if m, ok := r.known[t]; ok {
		return m, nil
	}
	switch {
	case t.Self:
		m.reason = amend.OwnText
	case t.Zero():
		m.reason = amend.TextMissing
	default:
		m, err = r.lookUp(ctx, t)
	}
	r.known[t] = m
	return m, err
}

func (r resolver) lookUp(ctx context.Context, t amend.TargetText) (m meant, err error) {
	if t.Number != "" {
		m.terms = []string{french.TextTerm(t.Number)}
	} else {
		m.terms = french.Terms(t.Title)
	}
	found, err := r.texts.InAct(ctx, t, named.Act{ID: r.act.Document.ID, Countries: r.act.Countries, Day: r.act.Document.Promulgated})
	switch {
	case err != nil:
	case found.Edition != nil:
		m.id = &found.Edition.Document.ID
	case len(found.Texts) > 0:
		m.reason = amend.TextAmbiguous
	default:
		m.reason = amend.TextMissing
	}
	return m, err
}

// nameOf returns a name that only editions of one act share: numbers begin again each year.
func nameOf(d law.Document) amend.TargetText {
	return amend.TargetText{Type: d.Type, Title: cmp.Or(d.OfficialNumber, d.Title) + " " + d.Promulgated.Format(time.DateOnly)}
}
