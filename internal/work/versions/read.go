package versions

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// wordsMost is the number of bytes of an instruction that are stored with its operation.
const wordsMost = 4000

// readAct reads the operations of an act and looks up the texts that they amend.
func readAct(ctx context.Context, source named.Source, a postgres.Act) (out []postgres.Amendment, err error) {
	text, parts := amend.Written(a.Articles)
	res := resolver{act: a, texts: named.NewLookup(source), known: map[amend.Text]meant{}}
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
	known map[amend.Text]meant
}

func (r resolver) resolve(ctx context.Context, t amend.Text) (m meant, err error) {
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

// lookUp asks named for the text. Of several texts it takes those of the act's countries and
// older than the act; more than one is a doubt.
func (r resolver) lookUp(ctx context.Context, t amend.Text) (m meant, err error) {
	ref := referenceTo(t)
	if t.Number != "" {
		m.terms = []string{french.TextTerm(t.Number)}
	} else {
		m.terms = french.Terms(t.Title)
	}
	m.reason = amend.TextMissing
	asked := question.Question{Text: t.Title, References: []question.Reference{ref}, Countries: codesOf(r.act.Countries)}
	mentions, err := r.texts.Resolve(ctx, named.Question{Asked: &asked, Today: r.act.Document.Promulgated.UTC()})
	if err != nil || len(mentions) == 0 {
		return m, err
	}
	var found []named.Text
	for _, text := range mentions[0].Texts {
		if text.Document.ID != r.act.Document.ID && !text.Document.Promulgated.After(r.act.Document.Promulgated) {
			found = append(found, text)
		}
	}
	switch {
	case len(found) == 1 && !mentions[0].More:
		m.id, m.reason = &found[0].Document.ID, ""
	case len(found) > 1 || mentions[0].More:
		m.reason = amend.TextAmbiguous
	}
	return m, nil
}

// referenceTo returns the name of a text as package named reads it.
func referenceTo(t amend.Text) question.Reference {
	for _, ref := range question.References(t.Title) {
		if len(ref.Articles) == 0 && ref.NamesText() && (t.Number == "" || ref.Number != "") {
			return ref
		}
	}
	ref := question.Reference{Reference: law.Reference{Type: t.Type, Number: t.Number}, Name: t.Title}
	if t.Number == "" {
		ref.Title = strings.ToLower(t.Title)
	}
	return ref
}

func codesOf(countries []string) (codes []country.Code) {
	for _, c := range countries {
		codes = append(codes, country.Code(c))
	}
	return codes
}

// nameOf returns a name that only editions of one act share: numbers begin again each year.
func nameOf(d law.Document) amend.Text {
	return amend.Text{Type: d.Type, Title: cmp.Or(d.OfficialNumber, d.Title) + " " + d.Promulgated.Format(time.DateOnly)}
}
