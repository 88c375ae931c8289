package main

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/gazettes"
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
			return a.withServer(c.Context(), func(s *server) error {
				row, err := s.file(c.Context(), args[0])
				if err != nil {
					return err
				}
				if !yes {
					if err := a.confirmDeletion(doomed(row)); err != nil {
						return err
					}
				}
				err = s.call(c.Context(), http.MethodDelete, "/admin/ingestions/"+row.ID.String(), url.Values{"texts": {"true"}}, nil, nil)
				if err != nil {
					return ingestions.orAbsent(err, row.ID)
				}
				return a.said(map[string]any{"id": row.ID, "filename": row.Filename, "texts": len(row.Documents)},
					"Supprimé : %s et %s.", cleanLine(row.Filename), count(len(row.Documents), "texte"))
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "supprime sans demander")
	return c
}

// doomed says what is deleted with a file.
func doomed(row gazettes.IngestionBody) string {
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
