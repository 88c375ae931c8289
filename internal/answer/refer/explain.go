package refer

import (
	"context"
	"slices"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// Reading is a question as it is understood, for people who look into an answer.
type Reading struct {
	Language   question.Language `json:"language"` // "" where it cannot be told
	Courtesy   string            `json:"courtesy"` // « salutation », "" for a question
	Asks       []string          `json:"asks"`     // kinds of answers that would answer it
	Status     []string          `json:"status"`   // what of a text's life it asks for
	Countries  []string          `json:"countries"`
	Day        string            `json:"day"`   // whose law is asked about, YYYY-MM-DD
	Leans      bool              `json:"leans"` // on what was said before
	References []Interpretation  `json:"references"`
}

// Interpretation is a reference of a question and what it means.
type Interpretation struct {
	Name     string   `json:"name"` // as the question writes it
	Articles []string `json:"articles"`
	Texts    []string `json:"texts"`   // titles of the catalogue; none: it has no such text
	Missing  []string `json:"missing"` // articles that none of the texts has
	Pointed  bool     `json:"pointed"` // it points back at the conversation
}

// Explain tells how q is understood and what its references mean; today is the day of
// the question. Errors are the catalogue's.
func Explain(ctx context.Context, db *postgres.DB, q retrieve.Question, today time.Time) (Reading, error) {
	asked := question.Read(q.Text, q.Before())
	q.Asked = &asked
	d := &Resolver{DB: db, Next: &retrieve.Searcher{DB: db, Now: func() time.Time { return today }}}
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	day, _ := d.Next.Days(q.Filters)
	out := ReadingOf(asked, day)
	out.References = []Interpretation{}
	if len(asked.References) == 0 {
		return out, nil
	}
	mentions, err := d.resolve(ctx, q, newLookup(db))
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

// ReadingOf tells how a question about the law of a day was read. What its references
// mean is not told: their Texts are empty.
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

func (d *Resolver) explain(ctx context.Context, m mention) (Interpretation, error) {
	out := Interpretation{Name: m.Name, Articles: append([]string{}, m.Articles...), Texts: []string{}, Missing: []string{}, Pointed: m.Pointed}
	had := make(map[string]bool)
	for _, t := range m.texts {
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
		if len(m.texts) > 0 && !had[law.ArticleKey(number)] {
			out.Missing = append(out.Missing, number)
		}
	}
	return out, nil
}

var courtesies = map[question.Courtesy]string{question.Greeting: "salutation", question.Thanks: "remerciement", question.Farewell: "au revoir", question.Identity: "identité"}

// bit is one of a set, as people call it.
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

// names are those of the bits of a set.
func names[S ~uint8 | ~uint16](all []bit[S], set S) []string {
	out := []string{}
	for _, b := range all {
		if set&b.is != 0 {
			out = append(out, b.name)
		}
	}
	return slices.Clip(out)
}
