package refer

import (
	"slices"
	"time"

	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
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
	Pointed  bool     `json:"pointed"` // it points back at the conversation
}

// ReadingOf describes how a question about the law of a day was understood, and what its references were found to mean.
func ReadingOf(asked question.Question, day time.Time, mentions ...named.Mention) Reading {
	out := Reading{Language: asked.Language, Courtesy: courtesies[asked.Courtesy], Asks: kindsOf(asked), Status: aspectsOf(asked.Status),
		Countries: []string{}, Day: day.Format(time.DateOnly), Leans: asked.Earlier != "", References: []Interpretation{}}
	for _, c := range asked.AskedCountries() {
		out.Countries = append(out.Countries, string(c))
	}
	for _, r := range asked.References {
		meant := Interpretation{Name: r.Name, Articles: append([]string{}, r.Articles...), Texts: []string{}, Pointed: r.Pointed}
		if i := slices.IndexFunc(mentions, func(m named.Mention) bool { return m.Name == r.Name }); i >= 0 {
			for _, t := range mentions[i].Texts {
				meant.Texts = append(meant.Texts, t.Document.Title)
			}
		}
		out.References = append(out.References, meant)
	}
	return out
}

var courtesies = map[question.Courtesy]string{question.Greeting: "salutation", question.Thanks: "remerciement", question.Farewell: "au revoir", question.Identity: "identité"}

// bit is an element of a set, with its name in French.
type bit[S ~uint8 | ~uint16] struct {
	is   S
	name string
}

var (
	kinds = []bit[question.AnswerKind]{{question.Wording, "texte"}, {question.Status, "statut"}, {question.Listed, "liste ou procédure"}, {question.Modal, "oui ou non"},
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
