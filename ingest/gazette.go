package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
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

// findGazette reads the row of the file whose id is in the command line.
func findGazette(ctx context.Context, db *postgres.DB, arg string) (postgres.Ingestion, error) {
	meant, err := typedID(ingestions, arg)
	if err != nil {
		return postgres.Ingestion{}, err
	}
	id, err := meant.find(ctx, db)
	if err != nil {
		return postgres.Ingestion{}, err
	}
	row, err := db.Ingestion(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return row, ingestions.absent(id)
	}
	return row, err
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
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				row, err := findGazette(c.Context(), db, args[0])
				if err != nil {
					return err
				}
				lines, err := pageLines(c.Context(), db, row, page)
				if err != nil {
					return err
				}
				return a.showLines(row, lines)
			})
		},
	}
	c.Flags().IntVar(&page, "page", 0, "page `N` du fichier, à partir de 1")
	return c
}

// pageLines reads the lines of a page of a file.
func pageLines(ctx context.Context, db *postgres.DB, row postgres.Ingestion, page int) (postgres.PageLines, error) {
	if page < 1 {
		return postgres.PageLines{}, usage("--page manque, ou n’est pas un nombre à partir de 1.")
	}
	lines, err := db.PageLines(ctx, row.ID, page)
	switch {
	case !errs.Is(err, errs.NotFound):
		return lines, err
	case row.PagesTotal > 0 && page > row.PagesTotal:
		return lines, errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d : il en a %d.", page, row.PagesTotal)
	}
	return lines, errs.Newf(errs.NotFound, "Les lignes de la page %d ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (ingest gazette recut %s).", page, row.ID)
}

// numberedLine is a line with the number that identifies it in commands.
type numberedLine struct {
	Number int `json:"line"`
	postgres.Line
}

func (a *app) showLines(row postgres.Ingestion, p postgres.PageLines) error {
	views := make([]numberedLine, len(p.Lines))
	t := table{head: []string{"LIGNE", "TEXTE N°", "EST", "ARTICLE", "MOTS"}}
	for i, l := range p.Lines {
		views[i] = numberedLine{i + 1, l}
		text, article := "", ""
		if l.TextIndex != nil {
			text = fmt.Sprint(*l.TextIndex + 1)
		}
		if l.Article != nil {
			article = *l.Article
		}
		t.add(i+1, text, labelNames[l.Label], article, cut(l.Text, 90))
	}
	if a.json {
		return writeJSON(a.out, struct {
			Ingestion uuid.UUID      `json:"ingestion_id"`
			Page      int            `json:"page"`
			Width     float64        `json:"width"`
			Height    float64        `json:"height"`
			Lines     []numberedLine `json:"lines"`
		}{row.ID, p.Page, p.Width, p.Height, views})
	}
	return t.write(a.out, "Aucune ligne sur cette page.")
}
