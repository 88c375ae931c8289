package main

import (
	"context"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/export"
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
			return a.withServer(c.Context(), func(s *server) error { return a.export(c.Context(), s, args[0], date, f, output) })
		},
	}
	c.Flags().StringVar(&format, "format", "md", "`FORME` : md (par défaut), json, akn, docx ou pdf")
	c.Flags().Lookup("format").DefValue = ""
	c.Flags().StringVar(&date, "date", "", "`JOUR` (AAAA-MM-JJ) de la rédaction ; sans lui, le texte tel qu’il est imprimé")
	c.Flags().StringVarP(&output, "output", "o", "", "`FICHIER` à écrire ; sans lui, la sortie standard")
	return c
}

func (a *app) export(ctx context.Context, s *server, word, date string, f export.Format, output string) error {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return err
	}
	if output == "" {
		if screen, ok := a.out.(*os.File); ok && f.Binary && term.IsTerminal(int(screen.Fd())) {
			return usage("Un fichier %s ne se lit pas dans un terminal : donnez -o FICHIER.", f.Name)
		}
	}
	query := url.Values{"format": {f.Name}}
	if date != "" {
		query.Set("date", date)
	}
	text, err := s.bytes(ctx, "/documents/"+id.String()+"/export", query)
	if err != nil {
		return texts.orAbsent(err, id)
	}
	if output == "" {
		_, err := a.out.Write(text)
		return err
	}
	if err := os.WriteFile(output, text, 0o644); err != nil {
		return errs.Wrap(errs.Forbidden, "Le fichier « "+cleanLine(output)+" » ne peut pas être écrit.", err)
	}
	return nil
}
