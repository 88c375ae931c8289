package main

import (
	"context"

	"vigueur/internal/ops/observe"
)

// sample returns the metrics that are sampled at a scrape: those of the connections and of
// the index.
func (w *worker) sample(context.Context) []observe.Value {
	passages, version := w.index.Size()
	return append(observe.Connections(observe.Database(w.db.Pool()), observe.Redis(w.relay.Pool())),
		observe.Value{Of: observe.IndexPassages, Value: float64(passages)},
		observe.Value{Of: observe.IndexVersion, Value: float64(version)})
}
