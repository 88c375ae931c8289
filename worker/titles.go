package main

import (
	"log/slog"
	"time"

	"vigueur/internal/config"
	"vigueur/internal/meili"
	"vigueur/internal/postgres"
	"vigueur/internal/titles"
)

// titlesPoll is how often it is looked for tasks of the title index: the sweep
// gives one a second after a change, and nobody waits for it.
const titlesPoll = 200 * time.Millisecond

// titleIndex makes what feeds the title index, nil when none is configured.
func titleIndex(c config.Stores, db *postgres.DB, log *slog.Logger) (*titles.Runner, error) {
	if c.MeiliURL == "" {
		return nil, nil //nolint:nilnil // it is optional
	}
	index, err := meili.Open(c.MeiliURL, c.MeiliKey)
	return &titles.Runner{DB: db, Index: index, Log: log}, err
}
