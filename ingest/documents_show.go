package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/catalogue"
)

// documentsShow runs « documents show ».
func (a *app) documentsShow(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error {
		d, err := s.document(ctx, in.args[0])
		if err != nil {
			return err
		}
		return a.documentShow(ctx, s, d, in.has("text"))
	})
}

// relationsShown are the lists of a text's relations, in the order of the output.
var relationsShown = [][2]string{{"abroge", "Abroge"}, {"abroge_par", "Abrogé par"}, {"modifie", "Modifie"}, {"modifie_par", "Modifié par"}}

func (a *app) documentShow(ctx context.Context, s *server, d documentText, whole bool) error {
	articles, _, err := client.Numbered[catalogue.ArticleWithTextBody](ctx, s.Client, "/documents/"+d.ID.String()+"/articles", url.Values{"text": {"true"}}, math.MaxInt)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, struct {
			law.Record
			FirstPage    int                             `json:"first_page"`
			LastPage     int                             `json:"last_page"`
			SupersededBy *uuid.UUID                      `json:"remplace_par"`
			File         string                          `json:"filename"`
			Articles     []catalogue.ArticleWithTextBody `json:"articles"`
		}{d.Record, d.place.FirstPage, d.place.LastPage, d.place.SupersededBy, d.place.File.Name, articles})
	}
	var related map[string][]struct {
		ID          uuid.UUID
		Title, Date string
	}
	if err := s.Call(ctx, http.MethodGet, "/documents/"+d.ID.String()+"/relations", nil, nil, &related); err != nil {
		return err
	}
	fields := [][2]string{{"Titre", d.Title}, {"Fichier", fmt.Sprintf("%s, p. %s", d.place.File.Name, span(d.place.FirstPage, d.place.LastPage))}, {"doc_type", string(d.Type)}, {"nature", d.Nature},
		{"numero_officiel", d.OfficialNumber}, {"domaine", d.Domain}, {"date_promulgation", d.Promulgated},
		{"date_entree_vigueur", d.EntersInForce}, {"statut", string(d.Status)}, {"abroge_par", idOrNone(d.RepealedBy)}, {"remplacé par", idOrNone(d.place.SupersededBy)}}
	if d.AsOf != "" {
		fields = append(fields, [2]string{"consolidé au", d.AsOf})
	}
	a.showFields(fields)
	for _, list := range relationsShown {
		if len(related[list[0]]) > 0 {
			fmt.Fprintf(a.out, "\n%s :\n", list[1])
		}
		for _, r := range related[list[0]] {
			fmt.Fprintf(a.out, "  %s  %s  %s\n", r.ID, r.Date, terminal.Line(terminal.Cut(r.Title, 100)))
		}
	}
	shown := make([]printedArticle, len(articles))
	for i, article := range articles {
		shown[i] = printedArticle{article.Number, article.Heading, article.Page, article.Text}
	}
	a.showArticles(shown, whole)
	_, err = fmt.Fprintf(a.outcome(), "\nCorriger : ingest documents set %s CHAMP=VALEUR…\n", d.ID)
	return err
}

func idOrNone(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// showFields prints names with their values, one pair per line. An empty value is printed
// as missing.
func (a *app) showFields(fields [][2]string) {
	for _, line := range fields {
		terminal.Field(a.out, 21, line[0], terminal.Line(line[1]))
	}
}

// printedArticle is an article as the command prints it.
type printedArticle struct {
	number, heading string
	page            int
	text            string
}

// showArticles prints the articles of a text, whole or only their beginnings.
func (a *app) showArticles(articles []printedArticle, whole bool) {
	fmt.Fprintln(a.out, "\nArticles :")
	for _, article := range articles {
		name, shown := fmt.Sprintf("  %-12s p. %-4d ", terminal.Line(cmp.Or(article.number, article.heading)), article.page), terminal.Cut(terminal.Line(article.text), beginning)
		if whole {
			shown = "\n" + article.text + "\n"
		} else if width := terminal.Width(a.out); width > 0 {
			shown = terminal.Cut(shown, max(width-utf8.RuneCountInString(name), 8))
		}
		fmt.Fprintln(a.out, name+shown)
	}
}
