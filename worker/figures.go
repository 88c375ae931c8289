package main

import (
	"context"

	"vigueur/internal/observe"
)

// sample is what is looked at when figures are asked for: the connections and the index.
func (w *worker) sample(context.Context) []observe.Value {
	pool, streams := w.db.Pool(), w.relay.Pool()
	passages, version := w.index.Size()
	return []observe.Value{
		{Of: observe.PoolConnections, Labels: []string{"used"}, Value: float64(pool.Used)},
		{Of: observe.PoolConnections, Labels: []string{"idle"}, Value: float64(pool.Idle)},
		{Of: observe.PoolConnections, Labels: []string{"most"}, Value: float64(pool.Most)},
		{Of: observe.PoolWaits, Value: float64(pool.Waits)},
		{Of: observe.PoolWaited, Value: pool.Waited.Seconds()},
		{Of: observe.RedisConns, Labels: []string{"used"}, Value: float64(streams.Used)},
		{Of: observe.RedisConns, Labels: []string{"idle"}, Value: float64(streams.Idle)},
		{Of: observe.RedisTimeouts, Value: float64(streams.Timeouts)},
		{Of: observe.IndexPassages, Value: float64(passages)},
		{Of: observe.IndexVersion, Value: float64(version)},
	}
}
