package main

import (
	"context"

	"github.com/spf13/cobra"

	"vigueur/internal/store/postgres"
)

func (a *app) userActiveCommand(name, short string, active bool) *cobra.Command {
	said := "Le compte %s est fermé, ses sessions aussi."
	if active {
		said = "Le compte %s est ouvert."
	}
	return &cobra.Command{
		Use: name + " ADRESSE|ID…", Short: short, Long: short + ". " + severalHelp, Args: takes(1, severalMost, "l’adresse ou l’identifiant du compte"),
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.several(c.Context(), args, func(ctx context.Context, word string) (any, error) {
					return a.setActive(ctx, db, word, said, active)
				})
			})
		},
	}
}

// setActive opens or closes the account that a word means, says so, and returns its printed
// form.
func (a *app) setActive(ctx context.Context, db *postgres.DB, word, said string, active bool) (now any, err error) {
	err = a.withUser(ctx, db, word, func(u postgres.User) error {
		if err := db.SetActive(ctx, u.ID, active); err != nil {
			return err
		}
		u.Active = active
		now = accountOf(u)
		return a.say(said, u.Email)
	})
	return now, err
}
