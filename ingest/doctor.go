package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/ops/doctor"
)

func (a *app) doctorCommand() *cobra.Command {
	var limit time.Duration
	c := &cobra.Command{
		Use: "doctor [--timeout DURÉE]", Short: "Regarde tout ce dont le service dépend, et dit que faire", Args: takes(0, 0, ""),
		Long: "Regarde les réglages, PostgreSQL, Redis, les fichiers, les index, la messagerie, les modèles, l’adresse publique :\n" +
			"versions, droits, horloges, place, certificats, et si chacun s’accorde avec les autres. Chaque ligne dit ce qui est\n" +
			"(ok, non vu, attention, échec) et que faire. Rien n’est changé : ce qui est écrit pour essayer est effacé.\n\n" +
			"Les réglages d’api et de worker ne sont jugés que s’ils sont dans l’environnement de la commande. Le code de sortie\n" +
			"est 1 quand une ligne est un échec, 0 sinon.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("timeout") && (limit < 100*time.Millisecond || limit > 10*time.Minute) {
				return usage("--timeout va de 100ms à 10m.")
			}
			found := doctor.Doctor{Environ: a.environ, Limit: limit}.Examine(c.Context())
			if err := a.writeFindings(found); err != nil {
				return err
			}
			if err := c.Context().Err(); err != nil {
				return err
			}
			if doctor.Worst(found) == doctor.Fail {
				return quiet{exitFailed}
			}
			return nil
		},
	}
	c.Flags().DurationVar(&limit, "timeout", 0, "`DURÉE` que chaque regard peut prendre ; sans elle, 10s")
	return c
}

// stateNames are the French names of states.
var stateNames = map[doctor.State]string{doctor.OK: "ok", doctor.Unseen: "non vu", doctor.Warn: "attention", doctor.Fail: "échec"}

// writeFindings prints the findings by area: the state, what was found and, below it, what
// to do. With --quiet, those that need nothing are left out.
func (a *app) writeFindings(found []doctor.Finding) error {
	if a.json {
		return writeList(a.out, found, len(found))
	}
	if a.silent {
		found = slices.DeleteFunc(slices.Clone(found), func(f doctor.Finding) bool { return f.State == doctor.OK || f.State == doctor.Unseen })
	}
	const indent = 13
	area := ""
	for i, f := range found {
		if f.Area != area || i == 0 {
			area = f.Area
			fmt.Fprintln(a.out, cleanLine(area))
		}
		printField(a.out, indent, "  "+stateNames[f.State], cleanLine(f.Found))
		if f.Do != "" {
			printField(a.out, indent+2, strings.Repeat(" ", indent)+"→", cleanLine(f.Do))
		}
	}
	return nil
}
