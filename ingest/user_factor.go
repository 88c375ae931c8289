package main

import (
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) userFactorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reset-factor ADRESSE|ID", Short: "Retire le second facteur d’un compte et ferme ses sessions", Args: takes(1, 1, "l’adresse ou l’identifiant du compte"),
		Long: "Retire le second facteur d’un compte dont le propriétaire a perdu son application et ses codes de secours, et\n" +
			"ferme ses sessions : il se connecte ensuite par son seul mot de passe. Un administrateur peut le faire aussi, dans\n" +
			"la page ; cette commande sert quand aucun ne peut plus entrer.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.withUser(c.Context(), db, args[0], func(u postgres.User) error {
					err := db.ResetFactor(c.Context(), u.ID)
					if errs.Is(err, errs.NotFound) {
						return errs.Wrap(errs.NotFound, "Le compte "+u.Email+" n’a pas de second facteur.", err)
					}
					if err != nil {
						return err
					}
					return a.saidOf(c.Context(), db, u.ID, "Le second facteur de %s est retiré ; ses sessions sont fermées.", u.Email)
				})
			})
		},
	}
}
