package main

import (
	"github.com/spf13/cobra"
)

// evalCommand groups what measures the product against what people judged right.
func (a *app) evalCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "eval", Short: "Mesure le produit contre une vérité connue",
		Long: "Mesure le produit, par le chemin même de la production, contre ce que des personnes ont relevé ou jugé.",
	}
	c.AddCommand(a.evalGazetteCommand(), a.evalArticlesCommand(), a.evalMetadataCommand(), a.evalOCRCommand(),
		a.evalPagesCommand(), a.evalRetrievalCommand(), a.evalAnswersCommand(), a.evalChecksCommand())
	group(c)
	return c
}
