package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
)

func (a *app) exportCommand() *cobra.Command {
	var format, output, date string
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	c := &cobra.Command{
		Use: "export ID [--format FORME] [--date JOUR] [-o FICHIER]", Short: "Écrit un texte en Markdown, JSON, Akoma Ntoso, Word ou PDF",
		Long: "Écrit un texte, du catalogue ou en revue, avec tous ses articles : md (Markdown), json, akn (Akoma\n" +
			"Ntoso 3.0, le XML des textes de loi), docx (Word) ou pdf. Tel qu’il est imprimé ou, avec --date, dans\n" +
			"sa rédaction d’un jour, que le service tire des actes qui l’ont modifié.",
		Example: "  ingest export 0197… > loi.md\n  ingest export 0197… --format akn --date 2026-01-01 -o loi.xml",
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
			var on *time.Time
			if c.Flags().Changed("date") {
				day, err := typedDay("date", date)
				if err != nil {
					return err
				}
				on = &day
			}
			id, err := typedID(texts, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.export(c.Context(), db, id, on, f, output) })
		},
	}
	c.Flags().StringVar(&format, "format", "md", "`FORME` : md (par défaut), json, akn, docx ou pdf")
	c.Flags().Lookup("format").DefValue = ""
	c.Flags().StringVar(&date, "date", "", "`JOUR` (AAAA-MM-JJ) de la rédaction ; sans lui, le texte tel qu’il est imprimé")
	c.Flags().StringVarP(&output, "output", "o", "", "`FICHIER` à écrire ; sans lui, la sortie standard")
	return c
}

func (a *app) export(ctx context.Context, db *postgres.DB, meant typed, on *time.Time, f export.Format, output string) error {
	id, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	if on != nil {
		if _, err := db.Document(ctx, id); errs.Is(err, errs.NotFound) {
			return undated(ctx, db, id)
		}
	}
	t, err := db.ExportedText(ctx, id, on)
	if errs.Is(err, errs.NotFound) && on == nil {
		return texts.absent(id)
	}
	if err != nil {
		return err
	}
	t.Day = time.Now().UTC().Truncate(24 * time.Hour)
	var b bytes.Buffer
	if err := f.Write(&b, t); err != nil {
		return err
	}
	if output == "" {
		if screen, ok := a.out.(*os.File); ok && f.Binary && term.IsTerminal(int(screen.Fd())) {
			return usage("Un fichier %s ne se lit pas dans un terminal : donnez -o FICHIER.", f.Name)
		}
		_, err := a.out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(output, b.Bytes(), 0o644); err != nil {
		return errs.Wrap(errs.Forbidden, "Le fichier « "+cleanLine(output)+" » ne peut pas être écrit.", err)
	}
	return nil
}

// undated says why a text that is not in the catalogue has no wording of a day.
func undated(ctx context.Context, db *postgres.DB, id uuid.UUID) error {
	if _, err := db.WholeText(ctx, id); err != nil {
		return texts.absent(id)
	}
	return errs.New(errs.Conflict, "Le texte est en revue : il n’a de rédaction d’un jour qu’au catalogue. Sans --date, il s’écrit tel qu’il est imprimé.")
}
