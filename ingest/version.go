package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Affiche la version du programme", Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			v := version.Read()
			if a.json {
				return writeJSON(a.out, v)
			}
			line := "vigueur " + v.Version
			if v.Revision != "" {
				line += " (" + v.Revision + ", " + v.Time + ")"
			}
			_, err := fmt.Fprintln(a.out, line+", "+v.Go)
			return err
		},
	}
}
