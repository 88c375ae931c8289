package refer

import (
	"context"
	"slices"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// Reading describes how a question was understood, for people who examine an answer.
type Reading struct {
	Language   question.Language `json:"language"` // "" if it is unknown
	Courtesy   string            `json:"courtesy"` // « salutation », for example; "" for a question
	Asks       []string          `json:"asks"`     // the kinds of answers that it asks for
	Status     []string          `json:"status"`   // what it asks about the state of a text
	Countries  []string          `json:"countries"`
	Day        string            `json:"day"`   // the day whose law is asked about, YYYY-MM-DD
	Leans      bool              `json:"leans"` // it depends on what was said before
	References []Interpretation  `json:"references"`
}

// Interpretation is a reference in a question, and what it means.
type Interpretation struct {
	Name     string   `json:"name"` // as the question writes it
	Articles []string `json:"articles"`
	Texts    []string `json:"texts"`   // titles in the catalogue; empty if it has no such text
	Missing  []string `json:"missing"` // articles that none of the texts contains
	Pointed  bool     `json:"pointed"` // it points back at the conversation
}

// Explain describes how q is understood and what its references mean. today is the day of the question. Errors are
// those of the catalogue.
func Explain(ctx context.Context, db *postgres.DB, q retrieve.Question, today time.Time) (Reading, error) {
	d := &Resolver{DB: db, Next: &retrieve.Searcher{DB: db, Now: func() time.Time { return today }}}
	q, asked := d.read(q)
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	day, _ := d.Next.Days(q)
	out := ReadingOf(asked, day)
	out.References = []Interpretation{}
	if len(asked.References) == 0 {
		return out, nil
	}
	mentions, err := d.resolve(ctx, q, named.NewLookup(db))
	if err != nil {
		return out, err
	}
	for _, m := range mentions {
		meant, err := d.explain(ctx, m)
		if err != nil {
			return out, err
		}
		out.References = append(out.References, meant)
	}
	return out, nil
}

// ReadingOf describes how a question about the law of a day was understood. It does not resolve the references: their
// Texts are empty.
func ReadingOf(asked question.Question, day time.Time) Reading {
	out := Reading{Language: asked.Language, Courtesy: courtesies[asked.Courtesy], Asks: kindsOf(asked), Status: aspectsOf(asked.Status),
		Countries: []string{}, Day: day.Format(time.DateOnly), Leans: asked.Earlier != "", References: []Interpretation{}}
	for _, c := range asked.AskedCountries() {
		out.Countries = append(out.Countries, string(c))
	}
	for _, r := range asked.References {
		out.References = append(out.References, Interpretation{Name: r.Name, Articles: append([]string{}, r.Articles...), Texts: []string{}, Missing: []string{}, Pointed: r.Pointed})
	}
	return out
}

func (d *Resolver) explain(ctx context.Context, m named.Mention) (Interpretation, error) {
	out := Interpretation{Name: m.Name, Articles: append([]string{}, m.Articles...), Texts: []string{}, Missing: []string{}, Pointed: m.Pointed}
	had := make(map[string]bool)
	for _, t := range m.Texts {
		out.Texts = append(out.Texts, t.Document.Title)
		days, err := d.DB.ArticleDays(ctx, t.Document.ID)
		if err != nil {
			return out, err
		}
		for _, a := range days {
			had[law.ArticleKey(a.Number)] = true
		}
	}
	for _, number := range m.Articles {
		if len(m.Texts) > 0 && !had[law.ArticleKey(number)] {
			out.Missing = append(out.Missing, number)
		}
	}
	return out, nil
}

var courtesies = map[question.Courtesy]string{question.Greeting: "salutation", question.Thanks: "remerciement", question.Farewell: "au revoir", question.Identity: "identité"}

// bit is an element of a set, with its name in French.
type bit[S ~uint8 | ~uint16] struct {
	is   S
	name string
}

var (
	kinds = []bit[question.Kind]{{question.Wording, "texte"}, {question.Status, "statut"}, {question.Listed, "liste ou procédure"}, {question.Modal, "oui ou non"},
		{question.Definition, "définition"}}
	figures = []bit[french.Figures]{{french.Time, "durée ou date"}, {french.Sum, "montant"}, {french.Rate, "taux"}, {french.Count, "nombre"}, {french.Years, "âge"},
		{french.Penalty, "peine"}}
	lives = []bit[question.Aspect]{{question.Force, "en vigueur"}, {question.Changed, "modifié"}, {question.By, "par quoi"}, {question.Since, "depuis quand"},
		{question.Changes, "ce qu’il modifie"}, {question.CitedBy, "ce qui le cite"}, {question.Dated, "date"}}
)

func kindsOf(q question.Question) []string {
	return append(names(kinds, q.Kind), names(figures, q.Figures)...)
}

func aspectsOf(a question.Aspect) []string { return names(lives, a) }

// names returns the names of the bits in a set.
func names[S ~uint8 | ~uint16](all []bit[S], set S) []string {
	out := []string{}
	for _, b := range all {
		if set&b.is != 0 {
			out = append(out, b.name)
		}
	}
	return slices.Clip(out)
}
