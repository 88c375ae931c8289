package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func (a *app) documentsShowCommand() *cobra.Command {
	var whole bool
	c := &cobra.Command{
		Use: "show ID", Short: "Montre un texte du catalogue, ses liens et ses articles", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error {
				return a.documentShow(c.Context(), db, d, whole)
			})
		},
	}
	c.Flags().BoolVar(&whole, "text", false, "montre les articles en entier, pas seulement leur début")
	return c
}

// withDocument calls f with a text of the catalogue, or with one that a better edition
// superseded.
func (a *app) withDocument(ctx context.Context, id string, f func(db *postgres.DB, d law.Document) error) error {
	if _, err := typedID(texts, id); err != nil {
		return err
	}
	return a.withDB(ctx, func(db *postgres.DB) error {
		d, err := documentTyped(ctx, db, id)
		if err != nil {
			return err
		}
		return f(db, d)
	})
}

// documentTyped returns the text that a typed id means.
func documentTyped(ctx context.Context, db *postgres.DB, word string) (law.Document, error) {
	meant, err := typedID(texts, word)
	if err != nil {
		return law.Document{}, err
	}
	id, err := meant.find(ctx, db)
	if err != nil {
		return law.Document{}, err
	}
	d, err := db.Document(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return law.Document{}, notListed(id)
	}
	return d, err
}

func notListed(document uuid.UUID) error {
	return errs.Newf(errs.NotFound, "Aucun texte %s au catalogue. « ingest documents » donne la liste, « ingest review list » ceux qui attendent.", document)
}

// shownDocument is a text in the JSON of « documents show --json ».
type shownDocument struct {
	document
	SupersededBy *uuid.UUID     `json:"remplace_par"`
	Ingestion    uuid.UUID      `json:"ingestion_id"`
	File         string         `json:"filename"`
	Evidence     []law.Evidence `json:"evidence"`
	Articles     []articleView  `json:"articles"`
}

func (a *app) documentShow(ctx context.Context, db *postgres.DB, d law.Document, whole bool) error {
	text, err := db.WholeText(ctx, d.ID)
	if err != nil {
		return err
	}
	file, err := db.DocumentFile(ctx, d.ID)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, shownDocument{documentOf(d), d.SupersededBy, d.IngestionID, file.Filename,
			append([]law.Evidence{}, text.Evidence...), articlesView(text.Articles)})
	}
	relations, err := db.Relations(ctx, d.ID)
	if err != nil {
		return err
	}
	fields := [][2]string{{"Titre", d.Title}, {"Fichier", fmt.Sprintf("%s, p. %s", file.Filename, span(d))}, {"doc_type", string(d.Type)}, {"nature", d.Nature},
		{"numero_officiel", d.OfficialNumber}, {"domaine", d.Domain}, {"date_promulgation", isoDay(d.Promulgated)},
		{"date_entree_vigueur", isoDay(d.EntersInForce)}, {"statut", string(d.Status)}, {"abroge_par", idOrNone(d.RepealedBy)}, {"remplacé par", idOrNone(d.SupersededBy)}}
	if d.AsOf != nil {
		fields = append(fields, [2]string{"consolidé au", isoDay(*d.AsOf)})
	}
	a.showFields(fields)
	for _, list := range []struct {
		name  string
		texts []postgres.RelatedText
	}{{"Abroge", relations.Repeals}, {"Abrogé par", relations.RepealedBy}, {"Modifie", relations.Amends}, {"Modifié par", relations.AmendedBy}} {
		if len(list.texts) > 0 {
			fmt.Fprintf(a.out, "\n%s :\n", list.name)
		}
		for _, r := range list.texts {
			fmt.Fprintf(a.out, "  %s  %s  %s\n", r.ID, isoDay(r.Date), cleanLine(cut(r.Title, 100)))
		}
	}
	a.showArticles(text.Articles, whole)
	_, err = fmt.Fprintf(a.out, "\nCorriger : ingest documents set %s CHAMP=VALEUR…\n", d.ID)
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
		printField(a.out, 21, line[0], cleanLine(line[1]))
	}
}

// showArticles prints the articles of a text, whole or only their beginnings.
func (a *app) showArticles(articles []law.Article, whole bool) {
	fmt.Fprintln(a.out, "\nArticles :")
	for _, article := range articles {
		name, shown := fmt.Sprintf("  %-12s p. %-4d ", cleanLine(nameOf(article)), article.Page), cut(cleanLine(article.Text), beginning)
		if whole {
			shown = "\n" + clean(article.Text) + "\n"
		} else if width := widthOf(a.out); width > 0 {
			shown = cut(shown, max(width-columns(name), narrowest))
		}
		fmt.Fprintln(a.out, name+shown)
	}
}
