package main

import (
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
)

// detachment is something of an account that a command takes away, which ends the account's sessions.
type detachment struct {
	name, short, long, path string
	none, said              string // with the address of the account
}

var (
	secondFactor = detachment{
		name: "reset-factor", short: "Retire le second facteur d’un compte et ferme ses sessions", path: "/second-factor",
		long: "Retire le second facteur d’un compte dont le propriétaire a perdu son application et ses codes de secours, et\n" +
			"ferme ses sessions : il se connecte ensuite par son seul mot de passe. Un administrateur peut le faire aussi, dans\n" +
			"la page ; cette commande sert quand aucun ne peut plus entrer.",
		none: "Le compte %s n’a pas de second facteur.", said: "Le second facteur de %s est retiré ; ses sessions sont fermées.",
	}
	identities = detachment{
		name: "untie", short: "Délie un compte de ses fournisseurs d’identité et ferme ses sessions", path: "/identities",
		long: "Délie un compte des identités par lesquelles des fournisseurs (OpenID Connect) l’ouvrent, et ferme ses sessions : la\n" +
			"prochaine identité qui a l’adresse du compte lui est liée. C’est à faire quand son propriétaire en a changé chez son\n" +
			"fournisseur ; vérifiez par un autre moyen que c’est bien lui, et non quelqu’un à qui son adresse a été donnée.",
		none: "Le compte %s n’est lié à aucun fournisseur d’identité.", said: "%s est délié de ses fournisseurs d’identité ; ses sessions sont fermées.",
	}
)

func (a *app) userDetachCommand(d detachment) *cobra.Command {
	return &cobra.Command{
		Use: d.name + " ADRESSE|ID", Short: d.short, Long: d.long, Args: takes(1, 1, "l’adresse ou l’identifiant du compte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				of, err := s.account(c.Context(), args[0])
				if err != nil {
					return err
				}
				err = s.call(c.Context(), http.MethodDelete, "/admin/users/"+of.ID.String()+d.path, nil, nil, nil)
				if errs.Is(err, errs.NotFound) {
					return errs.Newf(errs.NotFound, d.none, of.Email)
				}
				if err != nil {
					return err
				}
				now, err := s.account(c.Context(), of.ID.String())
				if err != nil {
					return err
				}
				return a.said(now, d.said, now.Email)
			})
		},
	}
}
