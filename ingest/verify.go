package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/search/verify"
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
			said := map[string]any{}
			for name, value := range map[string]string{"date": date, "pays": pays} {
				if value != "" {
					said[name] = value
				}
			}
			return a.withAsking(c.Context(), "", func(s *server) error { return a.verify(c.Context(), s, args[0], said) })
		},
	}
	c.Flags().StringVar(&date, "date", "", "le droit en vigueur ce jour-là, `AAAA-MM-JJ` ; sans elle, aujourd’hui")
	c.Flags().StringVar(&pays, "pays", "", "`CODE` du pays dont le texte parle, là où il n’en nomme pas : bf, bj…")
	return c
}

// verify has a file checked and prints the report.
func (a *app) verify(ctx context.Context, s *server, path string, said map[string]any) error {
	if _, err := os.Stat(path); err != nil {
		return unopened(path, err)
	}
	var r verify.Report
	err := s.sendForm(ctx, "/verify", filepath.Base(path), func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		return file, unopened(path, err)
	}, said, &r)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, r)
	}
	_, err = fmt.Fprint(a.out, printedReport(r))
	return err
}

// unopened returns the error of opening a file.
func unopened(path string, err error) error {
	return errs.Wrap(errs.NotFound, "Le fichier « "+cleanLine(path)+" » ne peut pas être ouvert.", err)
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
