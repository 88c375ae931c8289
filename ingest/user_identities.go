package main

import (
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) userIdentitiesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "untie ADRESSE|ID", Short: "Délie un compte de ses fournisseurs d’identité et ferme ses sessions", Args: takes(1, 1, "l’adresse ou l’identifiant du compte"),
		Long: "Délie un compte des identités par lesquelles des fournisseurs (OpenID Connect) l’ouvrent, et ferme ses sessions : la\n" +
			"prochaine identité qui a l’adresse du compte lui est liée. C’est à faire quand son propriétaire en a changé chez son\n" +
			"fournisseur ; vérifiez par un autre moyen que c’est bien lui, et non quelqu’un à qui son adresse a été donnée.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.withUser(c.Context(), db, args[0], func(u postgres.User) error {
					err := db.UnlinkIdentities(c.Context(), u.ID)
					if errs.Is(err, errs.NotFound) {
						return errs.Wrap(errs.NotFound, "Le compte "+u.Email+" n’est lié à aucun fournisseur d’identité.", err)
					}
					if err != nil {
						return err
					}
					return a.saidOf(c.Context(), db, u.ID, "%s est délié de ses fournisseurs d’identité ; ses sessions sont fermées.", u.Email)
				})
			})
		},
	}
}
