package main

import (
	"bytes"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
)

func (a *app) exportCommand() *cobra.Command {
	var format, output string
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	c := &cobra.Command{
		Use: "export ID [--format FORME] [-o FICHIER]", Short: "Écrit un texte en Markdown, en JSON ou en Akoma Ntoso (XML)",
		Long: "Écrit un texte, du catalogue ou en revue, avec tous ses articles : md (Markdown), json, ou akn\n" +
			"(Akoma Ntoso 3.0, le XML des textes de loi).",
		Example: "  ingest export 0197… > loi.md\n  ingest export 0197… --format akn -o loi.xml",
		Args:    takes(1, 1, "l’identifiant du texte"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if a.json {
				if c.Flags().Changed("format") && format != "json" {
					return usage("--json écrit du JSON : --format ne peut pas valoir « %s » avec lui.", cleanLine(format))
				}
				format = "json"
			}
			f, ok := export.ByName(format)
			if !ok {
				return usage("--format ne peut pas valoir « %s » : %s.", cleanLine(format), strings.Join(names, ", "))
			}
			id, err := typedID(texts, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.export(c.Context(), db, id, f, output) })
		},
	}
	c.Flags().StringVar(&format, "format", "md", "`FORME` : md (par défaut), json ou akn")
	c.Flags().Lookup("format").DefValue = ""
	c.Flags().StringVarP(&output, "output", "o", "", "`FICHIER` à écrire ; sans lui, la sortie standard")
	return c
}

func (a *app) export(ctx context.Context, db *postgres.DB, meant typed, f export.Format, output string) error {
	id, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	t, err := db.WholeText(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return texts.absent(id)
	}
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := f.Write(&b, export.Text{Document: t.Document, Articles: t.Articles, Relations: t.Relations, Evidence: t.Evidence, Ended: t.Ended}); err != nil {
		return err
	}
	if output == "" {
		_, err := a.out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(output, b.Bytes(), 0o644); err != nil {
		return errs.Wrap(errs.Forbidden, "Le fichier « "+cleanLine(output)+" » ne peut pas être écrit.", err)
	}
	return nil
}
