package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vigueur/internal/answer/refer"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// explain prints how the question of a turn is understood. It is called before the question
// is stored.
func (a *app) explain(ctx context.Context, db *postgres.DB, t postgres.Turn) (*refer.Reading, error) {
	r, err := refer.Explain(ctx, db, retrieve.Question{Text: t.Question, Filters: t.Filters}, time.Now())
	if err != nil || a.json {
		return &r, err
	}
	_, err = fmt.Fprint(a.out, understood(r))
	return &r, err
}

var languages = map[question.Language]string{question.French: "français", question.English: "anglais", question.Wolof: "wolof", question.Arabic: "arabe", question.Unknown: "inconnue"}

// understood describes in French how a question is understood.
func understood(r refer.Reading) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %s : %s\n", name, cleanLine(value))
		}
	}
	b.WriteString("Question comprise :\n")
	line("langue", languages[r.Language])
	line("politesse", r.Courtesy)
	line("demande", strings.Join(r.Asks, ", "))
	line("statut demandé", strings.Join(r.Status, ", "))
	line("pays", strings.Join(r.Countries, ", "))
	line("droit du", r.Day)
	for _, m := range r.References {
		line("référence", referenceLine(m))
	}
	b.WriteByte('\n')
	return b.String()
}

// referenceLine formats a reference: « loi 2010-05, articles 3 et 9 → Loi n° 2010-05 …
// (sans article 9) ».
func referenceLine(m refer.Interpretation) string {
	name := m.Name
	if len(m.Articles) > 0 {
		name = strings.TrimPrefix(name+", article "+strings.Join(m.Articles, ", "), ", ")
	}
	switch {
	case len(m.Texts) == 0:
		return name + " → aucun texte du catalogue"
	case len(m.Missing) > 0:
		return name + " → " + strings.Join(m.Texts, " ; ") + " (sans article " + strings.Join(m.Missing, ", ") + ")"
	}
	return name + " → " + strings.Join(m.Texts, " ; ")
}
