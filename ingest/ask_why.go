package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/kit/terminal"
	asked "vigueur/internal/search/question"
)

// became prints how a question was understood and how its answer was made: the candidates with their features, and the
// decision.
func (a *app) became(ctx context.Context, s *server, w *why.Why) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\nPourquoi cette réponse :\n", understood(w.Question))
	fmt.Fprintf(&b, "  recherche : %s, en %s ms\n", searchedBy(w.Search), figure(w.Search.Took))
	switch {
	case w.Writer.Written:
		b.WriteString("  le catalogue répond lui-même\n")
	case w.Gate != nil:
		fmt.Fprintf(&b, "  décision : %s, probabilité %s (sûre à partir de %s)\n", verdicts[w.Gate.Verdict], figure(w.Gate.Probability), figure(w.Gate.Sure))
		fmt.Fprintf(&b, "    %s\n", figures(w.Gate.Evidence))
	}
	if w.Writer.Instead != "" {
		fmt.Fprintf(&b, "  rédaction : %s\n", terminal.Line(w.Writer.Instead))
	}
	for i, c := range w.Candidates {
		title := c.Document.String()
		var d struct {
			Title string `json:"title"`
		}
		if s.Call(ctx, http.MethodGet, "/documents/"+title, nil, nil, &d) == nil {
			title = d.Title
		}
		cited := ""
		if c.Cited > 0 {
			cited = fmt.Sprintf(" [%d]", c.Cited)
		}
		fmt.Fprintf(&b, "  %d.%s %s, article %s : %s\n    %s\n", i+1, cited, terminal.Line(title), terminal.Line(c.Number), figure(c.Probability), figures(c.Features))
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
		list = append(list, terminal.Line(name)+" "+figure(all[name]))
	}
	return strings.Join(list, ", ")
}

var languages = map[asked.Language]string{asked.French: "français", asked.English: "anglais", asked.Wolof: "wolof", asked.Arabic: "arabe", asked.Unknown: "inconnue"}

// understood describes in French how a question is understood.
func understood(r refer.Reading) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %s : %s\n", name, terminal.Line(value))
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
		name := m.Name
		if len(m.Articles) > 0 {
			name = strings.TrimPrefix(name+", article "+strings.Join(m.Articles, ", "), ", ")
		}
		texts := strings.Join(m.Texts, " ; ")
		if texts == "" {
			texts = "aucun texte du catalogue"
		}
		line("référence", name+" → "+texts)
	}
	return b.String()
}
