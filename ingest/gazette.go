package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) gazetteCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "gazette", Short: "Corrige le découpage d’une gazette en textes et en articles, ou la supprime",
		Long: "Corrige le découpage d’une gazette en textes et en articles. « lines » montre les lignes d’une page avec leur\n" +
			"numéro et ce qu’elles sont ; une correction en nomme par --page et --line. Le fichier est alors découpé de\n" +
			"nouveau à partir des pages déjà lues, sans relire le PDF. Une correction vaut aussi pour les découpages à venir,\n" +
			"et s’annule par « undo ». Ce qui a été accepté, rejeté ou supprimé en revue le reste.\n" +
			"ID est l’identifiant d’une ingestion (ingest status)."})
	c.AddCommand(a.gazetteLinesCommand(), a.gazetteSplitCommand(), a.gazetteMergeCommand(), a.gazetteMoveCommand(), a.gazetteRenumberCommand(),
		a.gazetteRetitleCommand(), a.gazetteCorrectCommand(), a.gazetteEditsCommand(), a.gazetteUndoCommand(), a.gazetteRecutCommand(), a.gazetteSayCommand(), a.gazetteDeleteCommand())
	return c
}

// labelNames are the French names of the labels of lines.
var labelNames = map[string]string{gazette.LabelHead: "titre", gazette.LabelPreamble: "visas", gazette.LabelArticle: "article",
	gazette.LabelSection: "intertitre", gazette.LabelSignature: "signature", gazette.LabelAnnex: "annexe", gazette.LabelLoose: "hors texte"}

func (a *app) gazetteLinesCommand() *cobra.Command {
	var page int
	c := &cobra.Command{
		Use: "lines ID --page N", Short: "Montre les lignes d’une page, leur numéro et ce qu’elles sont", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				row, err := s.file(c.Context(), args[0])
				if err != nil {
					return err
				}
				lines, err := s.pageLines(c.Context(), row, page)
				if err != nil {
					return err
				}
				return a.showLines(lines)
			})
		},
	}
	c.Flags().IntVar(&page, "page", 0, "page `N` du fichier, à partir de 1")
	return c
}

// pageLines reads the lines of a page of a file.
func (s *server) pageLines(ctx context.Context, row gazettes.IngestionBody, page int) (lines gazettes.LinesBody, err error) {
	if page < 1 {
		return lines, usage("--page manque, ou n’est pas un nombre à partir de 1.")
	}
	err = s.call(ctx, http.MethodGet, fmt.Sprintf("/admin/ingestions/%s/pages/%d/lines", row.ID, page), nil, nil, &lines)
	switch {
	case !errs.Is(err, errs.NotFound):
		return lines, err
	case row.PagesTotal > 0 && page > row.PagesTotal:
		return lines, errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d : il en a %d.", page, row.PagesTotal)
	}
	return lines, errs.Newf(errs.NotFound, "Les lignes de la page %d ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (ingest gazette recut %s).", page, row.ID)
}

// showLines prints the lines of a page. The number of each, from 1, identifies it in commands.
func (a *app) showLines(p gazettes.LinesBody) error {
	if a.json {
		return writeJSON(a.out, p)
	}
	t := table{head: []string{"LIGNE", "TEXTE N°", "EST", "ARTICLE", "MOTS"}}
	for i, l := range p.Lines {
		text := ""
		if l.TextIndex != nil {
			text = fmt.Sprint(*l.TextIndex + 1)
		}
		t.add(i+1, text, labelNames[l.Label], value(l.Article), cut(l.Text, 90))
	}
	return t.write(a.out, "Aucune ligne sur cette page.")
}
