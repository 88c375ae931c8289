package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/admin"
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
			return a.withServer(c.Context(), func(s *server) error { return a.reindex(c.Context(), s, !titlesOnly, !passagesOnly) })
		},
	}
	c.Flags().BoolVar(&titlesOnly, "titles", false, "l’index des titres seulement")
	c.Flags().BoolVar(&passagesOnly, "passages", false, "l’index des passages seulement")
	return c
}

func (a *app) reindex(ctx context.Context, s *server, passages, titles bool) error {
	var done admin.ReindexBody
	if err := s.call(ctx, http.MethodPost, "/admin/reindex", nil, map[string]bool{"passages": passages, "titles": titles}, &done); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, done)
	}
	if done.Passages {
		fmt.Fprintln(a.outcome(), "Passages dans Milvus : l’index sera refait par un worker, à part, puis échangé.")
	}
	if passages {
		fmt.Fprintf(a.outcome(), "Passages : %s à relire par chaque worker.\n", count(done.Texts, "texte"))
	}
	switch {
	case done.Titles:
		fmt.Fprintln(a.outcome(), "Titres : l’index sera refait par un worker.")
	case titles:
		fmt.Fprintln(a.outcome(), "Titres : pas d’index à refaire, PostgreSQL les cherche (VIGUEUR_MEILI_URL n’est pas donné).")
	}
	return nil
}
