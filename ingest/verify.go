package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
)

func (a *app) verifyCommand() *cobra.Command {
	var date, pays string
	c := &cobra.Command{
		Use: "verify FICHIER", Short: "Vérifie les références et les citations d’un texte",
		Long: "Lit un mémoire, un contrat ou la réponse d’un assistant (.txt, .md, .docx, .odt, .pdf), et dit de chaque\n" +
			"référence quel texte elle désigne et s’il est en vigueur, et de chaque citation si le texte a ces mots.\n" +
			"Rien du fichier n’est gardé.",
		Example: "  ingest verify mémoire.docx\n  ingest verify contrat.pdf --date 2024-01-31 --pays bj --json",
		Args:    takes(1, 1, "le fichier"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			w := verify.Writing{Day: time.Now().UTC().Truncate(24 * time.Hour)}
			if date != "" {
				day, err := time.Parse(time.DateOnly, date)
				if err != nil {
					return usage("--date attend une date de la forme AAAA-MM-JJ, pas « %s ».", cleanLine(date))
				}
				w.Day = day
			}
			if pays != "" {
				code, ok := country.Parse(pays)
				if !ok {
					return usage("--pays ne peut pas valoir « %s » : %s.", cleanLine(pays), joined(country.List()))
				}
				w.Country = code
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.verify(c.Context(), db, args[0], w) })
		},
	}
	c.Flags().StringVar(&date, "date", "", "le droit en vigueur ce jour-là, `AAAA-MM-JJ` ; sans elle, aujourd’hui")
	c.Flags().StringVar(&pays, "pays", "", "`CODE` du pays dont le texte parle, là où il n’en nomme pas : bf, bj…")
	return c
}

// verify checks a file and prints the report.
func (a *app) verify(ctx context.Context, db *postgres.DB, path string, w verify.Writing) (err error) {
	w.Text, err = verify.Files{}.Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return errs.Wrap(errs.NotFound, "Le fichier « "+cleanLine(path)+" » ne peut pas être ouvert.", err)
	}
	if err != nil {
		return err
	}
	r, err := verify.Check(ctx, db, w)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, r)
	}
	_, err = fmt.Fprint(a.out, printedReport(r))
	return err
}

// stateWords are the states of references as they are printed.
var stateWords = map[verify.State]string{
	verify.InForce: "en vigueur", verify.Amended: "modifié", verify.Repealed: "abrogé", verify.NotYet: "pas encore en vigueur",
	verify.Absent: "introuvable", verify.Ambiguous: "ambigu", verify.Own: "de votre texte", verify.NoText: "sans texte",
}

// verdictWords are the verdicts on quotations as they are printed.
var verdictWords = map[verify.Verdict]string{"identique": "identique", "differente": "différente", "absente": "absente", verify.Uncompared: "non comparée"}

// printedReport writes a report for people.
func printedReport(r verify.Report) string {
	var b strings.Builder
	for _, f := range r.References {
		fmt.Fprintf(&b, "[%s] %s\n    %s\n", stateWords[f.State], cleanLine(f.Name), cleanLine(f.Told))
		for _, s := range f.Sources {
			fmt.Fprintf(&b, "    %s\n", cleanLine(s.Title))
		}
	}
	text := []rune(r.Text)
	for _, q := range r.Quotations {
		fmt.Fprintf(&b, "[citation %s] « %s »\n    %s\n", verdictWords[q.Verdict], cleanLine(strings.TrimSpace(string(text[q.Start:q.End]))), cleanLine(q.Told))
		for _, d := range q.Differences {
			fmt.Fprintf(&b, "    cité « %s », dans l’article « %s »\n", cleanLine(d.Quoted), cleanLine(d.Article))
		}
	}
	if len(r.References)+len(r.Quotations) == 0 {
		b.WriteString("Ce texte n’a ni référence ni citation.\n")
	}
	if r.More {
		b.WriteString("Le texte en a d’autres, qui ne sont pas vérifiées.\n")
	}
	return b.String()
}
