package main

import (
	"context"

	"github.com/spf13/cobra"
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
			return a.withServer(c.Context(), func(s *server) error {
				return a.several(c.Context(), args, func(ctx context.Context, word string) (any, error) {
					now, err := s.changeAccount(ctx, word, map[string]any{"active": active})
					if err != nil {
						return nil, err
					}
					return now, a.say(said, now.Email)
				})
			})
		},
	}
}
