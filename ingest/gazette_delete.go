package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) gazetteDeleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID [--yes]", Short: "Supprime une gazette et tous ses textes, sans retour", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		Long: "Supprime une gazette : ses textes, au catalogue et en revue, avec leurs passages et leurs vecteurs, ses pages lues,\n" +
			"ses corrections et ses octets. Ce que ses textes abrogeaient ou modifiaient redevient ce qu’il était, et une édition\n" +
			"qu’ils avaient remplacée revient. Le journal d’audit le retient. Un fichier en attente ou en cours reste : annulez-le\n" +
			"d’abord (ingest cancel).",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				row, err := findGazette(c.Context(), db, args[0])
				if err != nil {
					return err
				}
				if !yes {
					if err := a.confirmDeletion(doomed(row)); err != nil {
						return err
					}
				}
				return a.gazetteDelete(c.Context(), db, row)
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "supprime sans demander")
	return c
}

// doomed says what is deleted with a file.
func doomed(row postgres.Ingestion) string {
	waiting := 0
	for _, d := range row.Documents {
		if d.InReview {
			waiting++
		}
	}
	said := fmt.Sprintf("« %s » sera supprimé, sans retour", cleanLine(row.Filename))
	if n := len(row.Documents); n > 0 {
		said += fmt.Sprintf(", avec %s (dont %d en revue)", count(n, "texte"), waiting)
	}
	return said + "."
}

func (a *app) gazetteDelete(ctx context.Context, db *postgres.DB, row postgres.Ingestion) error {
	orphan, err := db.DeleteFile(ctx, row.ID)
	if errs.Is(err, errs.NotFound) { // a concurrent command deleted the file
		return ingestions.absent(row.ID)
	}
	if err != nil {
		return err
	}
	if err := a.dropFile(ctx, db, orphan); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": row.ID, "filename": row.Filename, "texts": len(row.Documents)})
	}
	_, err = fmt.Fprintf(a.outcome(), "Supprimé : %s et %s.\n", cleanLine(row.Filename), count(len(row.Documents), "texte"))
	return err
}
