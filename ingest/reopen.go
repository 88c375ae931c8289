package main

import (
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) reviewReopenCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reopen ID", Short: "Défait une acceptation : le texte attend de nouveau, avec ses doutes", Args: takes(1, 1, "l’identifiant du texte"),
		Long: "Défait l’acceptation d’un texte : il quitte le catalogue et attend de nouveau, tel qu’il était et avec ses\n" +
			"doutes. Ce qui a été corrigé depuis est à redonner.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				d, err := s.document(c.Context(), args[0])
				if err != nil {
					return err
				}
				id := d.ID
				if _, err := s.settle(c.Context(), id, "reopen", nil); errs.Is(err, errs.NotFound) { // it was deleted meanwhile
					return errs.Newf(errs.Conflict, "Ce texte n’est plus au catalogue : il n’y a rien à défaire.")
				} else if err != nil {
					return err
				}
				return a.withReviewed(c.Context(), id.String(), func(_ *server, w gazettes.ReadReviewBody) error {
					return a.said(w.Review, "De nouveau en revue : %s. Voir : ingest review show %s", cleanLine(w.Review.Title), id)
				})
			})
		},
	}
}
