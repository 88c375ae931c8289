package main

import (
	"github.com/spf13/cobra"
)

// evalCommand groups what measures the reading of gazettes against truths that
// people made: each subcommand prints a figure per file and one in all.
func (a *app) evalCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "eval", Short: "Mesure la lecture des gazettes contre une vérité connue",
		Long: "Lit des fichiers comme le ferait un worker, sans rien enregistrer, et compare ce qui en est tiré à ce que\n" +
			"des personnes ont relevé. Une figure par fichier, puis une pour l’ensemble.",
	}
	c.AddCommand(a.evalGazetteCommand(), a.evalArticlesCommand(), a.evalMetadataCommand())
	group(c)
	return c
}
