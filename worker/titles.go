package main

import (
	"log/slog"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/titles"
)

// titleIndex returns the Runner of the title index, nil if no index is configured.
func titleIndex(c config.Stores, db *postgres.DB, log *slog.Logger) (*titles.Runner, error) {
	if c.MeiliURL == "" {
		return nil, nil //nolint:nilnil // the index is optional
	}
	index, err := meili.Open(c.MeiliURL, c.MeiliKey)
	return &titles.Runner{DB: db, Index: index, Log: log}, err
}
