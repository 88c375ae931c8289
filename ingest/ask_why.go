package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/answer/why"
	"vigueur/internal/store/postgres"
)

// whyOf returns the stored explanation of an answer, nil if there is none.
func whyOf(ctx context.Context, db *postgres.DB, message uuid.UUID) (*why.Why, error) {
	e, err := db.ExplainedAnswer(ctx, message)
	if err != nil || e.Why == nil {
		return nil, err
	}
	var w why.Why
	return &w, json.Unmarshal(e.Why, &w)
}

// became prints how an answer was made: the candidates with their features, and the
// decision.
func (a *app) became(ctx context.Context, db *postgres.DB, w *why.Why) error {
	if w == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString("\nPourquoi cette réponse :\n")
	fmt.Fprintf(&b, "  recherche : %s, en %s ms\n", searchedBy(w.Search), figure(w.Search.Took))
	switch {
	case w.Writer.Written:
		b.WriteString("  le catalogue répond lui-même\n")
	case w.Gate != nil:
		fmt.Fprintf(&b, "  décision : %s, probabilité %s (sûre à partir de %s)\n", verdicts[w.Gate.Verdict], figure(w.Gate.Probability), figure(w.Gate.Sure))
		fmt.Fprintf(&b, "    %s\n", figures(w.Gate.Evidence))
	}
	if w.Writer.Instead != "" {
		fmt.Fprintf(&b, "  rédaction : %s\n", cleanLine(w.Writer.Instead))
	}
	for i, c := range w.Candidates {
		title := c.Document.String()
		if d, err := db.Document(ctx, c.Document); err == nil {
			title = d.Title
		}
		cited := ""
		if c.Cited > 0 {
			cited = fmt.Sprintf(" [%d]", c.Cited)
		}
		fmt.Fprintf(&b, "  %d.%s %s, article %s : %s\n    %s\n", i+1, cited, cleanLine(title), cleanLine(c.Number), figure(c.Probability), figures(c.Features))
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

var verdicts = map[string]string{"sure": "réponse donnée pour sûre", "unsure": "articles qui peuvent répondre", "likely": "article qui répond probablement", "unlikely": "sans réponse"}

func searchedBy(s why.Search) string {
	switch {
	case s.Read > 0:
		return fmt.Sprintf("par les mots, par le sens et par les phrases, %d articles lus avec la question", s.Read)
	case s.Sentences:
		return "par les mots, par le sens et par les phrases"
	case s.Semantic:
		return "par les mots et par le sens"
	}
	return "par les mots seuls"
}

// figure formats a number in French.
func figure(x float64) string { return strings.Replace(fmt.Sprintf("%.4g", x), ".", ",", 1) }

// figures formats names with their numbers, sorted by name.
func figures(all map[string]float64) string {
	list := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, cleanLine(name)+" "+figure(all[name]))
	}
	return strings.Join(list, ", ")
}
