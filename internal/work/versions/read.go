package versions

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/country"
	"vigueur/internal/law/edition"
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

// lookUp asks named for the text among those of the act's countries, by its name and then, as a part of the title of a
// coordinated edition, by its day. Editions of one text are one: the act changes the last one before it. Where all are
// later, the first of them has the change already.
func (r resolver) lookUp(ctx context.Context, t amend.Text) (m meant, err error) {
	if t.Number != "" {
		m.terms = []string{french.TextTerm(t.Number)}
	} else {
		m.terms = french.Terms(t.Title)
	}
	m.reason = amend.TextMissing
	for _, ref := range []question.Reference{referenceTo(t), {Phrase: t.Title}} {
		asked := question.Question{Text: t.Title, References: []question.Reference{ref}, Countries: codesOf(r.act.Countries)}
		mentions, err := r.texts.Resolve(ctx, named.Question{Asked: &asked, Today: r.act.Document.Promulgated.UTC()})
		if err != nil {
			return m, err
		}
		if len(mentions) == 0 {
			continue
		}
		found := slices.DeleteFunc(slices.Clone(mentions[0].Texts), func(text named.Text) bool {
			return text.Document.ID == r.act.Document.ID || (t.Type == law.Code || t.Type == law.Constitution) && text.Document.Type != t.Type || ref.Phrase != "" && !coordinates(text.Document, t)
		})
		fitting := slices.DeleteFunc(slices.Clone(found), func(text named.Text) bool { return !t.Fits(amend.Named(text.Document.Title)) })
		if len(fitting) > 0 {
			found = fitting // of two laws of one day, the one that the name describes
		}
		if meant, ok := r.edition(found); ok && !mentions[0].More {
			m.id, m.reason = &meant, ""
			return m, nil
		}
		if len(fitting) > 0 || mentions[0].More {
			m.reason = amend.TextAmbiguous
			return m, nil
		}
	}
	return m, nil
}

// edition returns the edition that an act changes of texts that are editions of one; ok is false if they are several.
func (r resolver) edition(found []named.Text) (id uuid.UUID, ok bool) {
	signed := r.act.Document.Promulgated
	before := slices.DeleteFunc(slices.Clone(found), func(t named.Text) bool { return printedOn(t.Document).After(signed) })
	later := len(before) == 0
	if !later {
		found = before
	}
	if len(found) == 0 {
		return id, false
	}
	best := found[0]
	for _, t := range found[1:] {
		if !sameText(t.Document, best.Document) {
			return id, false
		}
		switch day := printedOn(t.Document).Compare(printedOn(best.Document)); {
		case day == 0 && t.Document.Passages > best.Document.Passages, day != 0 && day < 0 == later:
			best = t
		}
	}
	return best.Document.ID, true
}

// printedOn returns the day as of which a text is printed.
func printedOn(d law.Document) time.Time {
	if d.AsOf != nil && d.AsOf.After(d.Promulgated) {
		return *d.AsOf
	}
	return d.Promulgated
}

// sameText reports whether two texts with one name are editions of one: constitutions and codes without numbers, texts
// with the same number of one kind, and those without a number of one day.
func sameText(a, b law.Document) bool {
	if a.Type != b.Type {
		return false
	}
	if a.OfficialNumber == "" || b.OfficialNumber == "" {
		return a.Type == law.Code || a.Type == law.Constitution || a.Promulgated.Equal(b.Promulgated) && titledAlike(a.Title, b.Title)
	}
	return edition.Key(a.OfficialNumber) == edition.Key(b.OfficialNumber) && titledAlike(a.Title, b.Title)
}

// titledAlike reports whether the words of the shorter of two titles are in the other one, as package edition asks. A single
// word is the kind of a text alone (« Loi n° 5 »): numbers come again each year, and it does not tell the texts apart.
func titledAlike(a, b string) bool {
	words := func(title string) map[string]bool {
		out := map[string]bool{}
		for _, t := range french.Terms(title) {
			if !strings.ContainsAny(t, "0123456789") {
				out[t] = true
			}
		}
		return out
	}
	x, y := words(a), words(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return len(x) > 1 && float64(shared) >= edition.SameTitle*float64(len(x))
}

// coordinated matches the title of an edition that says of which text it is one.
var coordinated = law.Pattern(`(?i)^texte +(?:coordonné|consolidé) `)

// coordinates reports whether a text is a coordinated edition of the one that is named by its day.
func coordinates(d law.Document, t amend.Text) bool {
	day, _, _, ok := law.FindDate(t.Title)
	if !ok || !coordinated.MatchString(d.Title) {
		return false
	}
	for rest := d.Title; ; {
		on, _, end, ok := law.FindDate(rest)
		if !ok {
			return false
		}
		if rest = rest[end:]; on.Equal(day) {
			return true
		}
	}
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
