package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
	"vigueur/internal/store/postgres"
)

// maker makes cases of what a catalogue has.
type maker struct {
	db    *postgres.DB
	r     *rand.Rand
	most  int
	forms int // of asking
	texts []source
	cases []testCase
	named map[uuid.UUID]string // articles, as they are cited
	// citing has by the stem of a number the articles that refer to a text of it.
	citing map[string][]citing
}

// citing is an article that refers to a text.
type citing struct {
	from uuid.UUID // its own text
	kind law.DocType
	name string
}

// source is a text of the catalogue.
type source struct {
	postgres.NamedText
	file  string
	days  []postgres.ArticleDays
	to    []postgres.Change
	by    []postgres.Change
	whole postgres.StoredText
}

func newMaker(db *postgres.DB, seed uint64, most, forms int) *maker {
	return &maker{db: db, r: rand.New(rand.NewPCG(seed, 0)), most: most, forms: forms, named: make(map[uuid.UUID]string), citing: make(map[string][]citing)}
}

func (m *maker) all(ctx context.Context) ([]testCase, error) {
	if err := m.load(ctx); err != nil {
		return nil, err
	}
	m.draw("article by number", m.numbered(), (*maker).article)
	m.draw("article by title", m.titled(), (*maker).articleByTitle)
	m.draw("article that is not there", m.numbered(), (*maker).noArticle)
	m.draw("text that is not there", m.numbered(), (*maker).noText)
	m.draw("text of a year to come", m.numbered(), (*maker).ahead)
	m.draw("ten references", m.numbered(), (*maker).ten)
	m.draw("in force?", m.numbered(), (*maker).force)
	m.draw("changed? by what?", m.numbered(), (*maker).changed)
	m.draw("what does it change?", m.numbered(), (*maker).changes)
	m.draw("who cites it?", m.numbered(), (*maker).citedBy)
	return m.cases, nil
}

func (m *maker) load(ctx context.Context) error {
	texts, err := m.db.NamedTexts(ctx)
	if err != nil {
		return err
	}
	for _, t := range texts {
		s := source{NamedText: t}
		f, err := m.db.DocumentFile(ctx, t.Document.ID)
		if err != nil {
			return err
		}
		s.file = f.Filename
		if s.days, err = m.db.ArticleDays(ctx, t.Document.ID); err != nil {
			return err
		}
		if s.to, err = m.db.ChangesTo(ctx, t.Document.ID); err != nil {
			return err
		}
		if s.by, err = m.db.ChangesBy(ctx, t.Document.ID); err != nil {
			return err
		}
		if s.whole, err = m.db.WholeText(ctx, t.Document.ID); err != nil {
			return err
		}
		m.texts = append(m.texts, s)
		m.note(s)
	}
	return nil
}

// note keeps how the articles of a text are cited, and to which numbers they refer.
func (m *maker) note(s source) {
	for _, a := range s.whole.Articles {
		m.named[a.ID] = s.cites(a.Number)
		if a.Wording != nil {
			continue
		}
		for _, r := range read.Printed(a.Text) {
			if stem := french.TextStem(french.TextTerm(r.Number)); r.Number != "" && stem != "" {
				m.citing[stem] = append(m.citing[stem], citing{s.Document.ID, r.Type, s.cites(a.Number)})
			}
		}
	}
}

// draw makes cases of a kind from texts in a drawn order, each text in its turn, until
// there are enough.
func (m *maker) draw(kind string, from []source, make func(*maker, source) (string, wanted, bool)) {
	order := slices.Clone(from)
	m.r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	n := 0
	for range 3 { // up to three of a text
		for _, s := range order {
			if n == m.most {
				return
			}
			question, want, ok := make(m, s)
			if !ok {
				continue
			}
			n++
			m.cases = append(m.cases, testCase{ID: fmt.Sprintf("%s %d", strings.ReplaceAll(kind, " ", "-"), n), Type: kind, Question: question,
				Gold: []struct{}{}, Sealed: sealed(s.file), Wanted: want})
		}
	}
}

// numbered are the texts that a number of two groups or more names alone.
func (m *maker) numbered() []source {
	var out []source
	stems := make(map[string]int)
	for _, s := range m.texts {
		stems[french.TextStem(french.TextTerm(s.Document.OfficialNumber))]++
	}
	for _, s := range m.texts {
		number := s.Document.OfficialNumber
		if strings.ContainsAny(number, "-/") && french.TextTerm(number) != "" && stems[french.TextStem(french.TextTerm(number))] == 1 && s.Document.Type.Word() != "" {
			out = append(out, s)
		}
	}
	return out
}

// titled are the codes that their title names alone.
func (m *maker) titled() []source {
	var out []source
	for _, s := range m.texts {
		if s.Document.Type == law.Code && len(s.country()) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func (s source) country() string {
	for code, name := range map[string]string{"ma": "marocain", "tn": "tunisien", "bf": "burkinabè", "sn": "sénégalais", "cm": "camerounais", "dz": "algérien", "bj": "béninois", "fr": "français"} {
		if slices.Equal(s.Countries, []string{code}) {
			return name
		}
	}
	return ""
}

// called is how people name a text by its number.
func (m *maker) called(s source) string {
	number := s.Document.OfficialNumber
	if m.r.IntN(5) == 0 {
		number = strings.Replace(number, "-", "/", 1)
	}
	return kindOf(s) + pick(m.r, " n° ", " ", " n°", " numéro ", " no ", " N° ") + number
}

func kindOf(s source) string {
	switch s.Document.Type {
	case law.Code, law.Constitution:
		return "loi"
	}
	return s.Document.Type.Word()
}

// of is « de la loi », « du décret », « de l'arrêté ».
func of(called string) string {
	if o, ok := law.OfTitle(called); ok {
		return o
	}
	return "de " + called
}

// the is « la loi », « le décret », « l'arrêté ».
func the(called string) string {
	o := of(called)
	switch {
	case strings.HasPrefix(o, "du "):
		return "le " + strings.TrimPrefix(o, "du ")
	default:
		return strings.TrimPrefix(o, "de ")
	}
}

func pick(r *rand.Rand, forms ...string) string { return forms[r.IntN(len(forms))] }

// form draws a way to ask from one of the sets.
func (m *maker) form(sets ...[]string) string { return pick(m.r, sets[m.forms]...) }

// inForce are the articles of a text that are law and stand once under their number.
func (s source) inForce() (out []postgres.ArticleDays) {
	count := make(map[string]int)
	for _, a := range s.days {
		count[law.ArticleKey(a.Number)]++
	}
	for _, a := range s.days {
		if a.To == nil && !a.NewWording && count[law.ArticleKey(a.Number)] == 1 && law.ArticleNumber(a.Number) == a.Number && !strings.HasPrefix(law.Fold(a.Number), "annexe") {
			out = append(out, a)
		}
	}
	return out
}

func (s source) cites(number string) string { return s.file + ", art. " + number }
