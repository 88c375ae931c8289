package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/store/postgres"
)

func (a *app) reindexCommand() *cobra.Command {
	var titlesOnly, passagesOnly bool
	c := &cobra.Command{
		Use: "reindex [--titles|--passages]", Short: "Fait refaire les index : passages et titres", Args: takes(0, 0, ""),
		Long: "Fait relire tout le catalogue par les index. Les workers s’en chargent ; les recherches continuent pendant\n" +
			"ce temps. Les index tenus à part, des titres (Meilisearch) et des passages (Milvus), sont refaits à côté de l’ancien.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if titlesOnly && passagesOnly {
				return usage("Donnez --titles ou --passages, ou aucun des deux pour tout refaire.")
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reindex(c.Context(), db, !titlesOnly, !passagesOnly) })
		},
	}
	c.Flags().BoolVar(&titlesOnly, "titles", false, "l’index des titres seulement")
	c.Flags().BoolVar(&passagesOnly, "passages", false, "l’index des passages seulement")
	return c
}

func (a *app) reindex(ctx context.Context, db *postgres.DB, passages, titles bool) error {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	texts, asked := 0, false
	if passages {
		if texts, err = db.ReindexPassages(ctx); err != nil {
			return err
		}
	}
	if passages && settings.MilvusURL != "" {
		if err := db.PassageIndex().Remake(ctx); err != nil {
			return err
		}
	}
	if asked = titles && settings.MeiliURL != ""; asked {
		if err := db.TitleIndex().Remake(ctx); err != nil {
			return err
		}
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"texts": texts, "titles": asked})
	}
	if passages && settings.MilvusURL != "" {
		fmt.Fprintln(a.outcome(), "Passages dans Milvus : l’index sera refait par un worker, à part, puis échangé.")
	}
	if passages {
		fmt.Fprintf(a.outcome(), "Passages : %s à relire par chaque worker.\n", count(texts, "texte"))
	}
	switch {
	case asked:
		fmt.Fprintln(a.outcome(), "Titres : l’index sera refait par un worker.")
	case titles:
		fmt.Fprintln(a.outcome(), "Titres : pas d’index à refaire, PostgreSQL les cherche (VIGUEUR_MEILI_URL n’est pas donné).")
	}
	return nil
}
