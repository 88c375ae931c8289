package main

import (
	"log/slog"
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/work/titles"
)

// titleChecks makes the database use the title index for searches by title, if an index is
// configured, and returns the check of the index for /readyz.
func titleChecks(cfg config.API, db *postgres.DB, log *slog.Logger) ([]httpapi.Check, error) {
	if cfg.MeiliURL == "" {
		return nil, nil
	}
	index, err := meili.Open(cfg.MeiliURL, cfg.MeiliKey)
	if err != nil {
		return nil, err
	}
	searcher := &titles.Searcher{Index: index, Log: log, Now: time.Now}
	db.UseNearest(searcher.Nearest)
	return []httpapi.Check{{Name: "meilisearch", Ping: index.Ping}}, nil
}
