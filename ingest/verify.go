package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/search/verify"
)

// verifyFile runs « verify ».
func (a *app) verifyFile(ctx context.Context, in *input) error {
	said := map[string]any{}
	for _, name := range []string{"date", "pays"} {
		if value := in.text(name); value != "" {
			said[name] = value
		}
	}
	return a.withAsking(ctx, "", func(s *server) error { return a.verify(ctx, s, in.args[0], said) })
}

// verify has a file checked and prints the report.
func (a *app) verify(ctx context.Context, s *server, path string, said map[string]any) error {
	if _, err := os.Stat(path); err != nil {
		return unopened(path, err)
	}
	var r verify.Report
	err := s.SendForm(ctx, "/verify", filepath.Base(path), func() (io.ReadCloser, error) {
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
	return errs.Wrap(errs.NotFound, "Le fichier « "+terminal.Line(path)+" » ne peut pas être ouvert.", err)
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
		fmt.Fprintf(&b, "[%s] %s\n    %s\n", stateWords[f.State], terminal.Line(f.Name), terminal.Line(f.Told))
		for _, s := range f.Sources {
			fmt.Fprintf(&b, "    %s\n", terminal.Line(s.Title))
		}
	}
	text := []rune(r.Text)
	for _, q := range r.Quotations {
		fmt.Fprintf(&b, "[citation %s] « %s »\n    %s\n", verdictWords[q.Verdict], terminal.Line(strings.TrimSpace(string(text[q.Start:q.End]))), terminal.Line(q.Told))
		for _, d := range q.Differences {
			fmt.Fprintf(&b, "    cité « %s », dans l’article « %s »\n", terminal.Line(d.Quoted), terminal.Line(d.Article))
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
