package observe

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Family is a metric that is not counted from events but sampled at each scrape.
type Family struct {
	Name, Help string
	Labels     []string
	Counter    bool // whether it is a counter, which only grows
}

// The families. A process samples some of them.
var (
	PoolConnections = Family{Name: "vigueur_database_connections", Help: "Connections of the process to PostgreSQL, by what they do: used, idle, most (the bound).", Labels: []string{"state"}}
	PoolWaits       = Family{Name: "vigueur_database_waits_total", Help: "Times that work had to wait for a connection to PostgreSQL.", Counter: true}
	PoolWaited      = Family{Name: "vigueur_database_waited_seconds_total", Help: "Time that work has waited for connections to PostgreSQL.", Counter: true}
	RedisConns      = Family{Name: "vigueur_redis_connections", Help: "Connections of the process's streams to Redis, by what they do: used, idle.", Labels: []string{"state"}}
	RedisTimeouts   = Family{Name: "vigueur_redis_timeouts_total", Help: "Times that work waited in vain for a connection to Redis.", Counter: true}
	StoreUp         = Family{Name: "vigueur_store_up", Help: "1 when the store answered within a second, else 0.", Labels: []string{"store"}}
	QueueRows       = Family{Name: "vigueur_queue_rows", Help: "Rows of work, by class and state: queued, running.", Labels: []string{"class", "state"}}
	QueueOldest     = Family{Name: "vigueur_queue_oldest_seconds", Help: "Age of the oldest work of a class that has not ended; 0 without any.", Labels: []string{"class"}}
	QueueWait       = Family{Name: "vigueur_queue_wait_seconds", Help: "How long the oldest work of a class has waited that no worker has taken and one might; 0 without any. What workers are scaled by.", Labels: []string{"class"}}
	IndexPassages   = Family{Name: "vigueur_index_passages", Help: "Passages that the worker's index holds."}
	IndexVersion    = Family{Name: "vigueur_index_version", Help: "Version of the catalogue that the worker's index has."}
	Amendments      = Family{Name: "vigueur_amendments_waiting", Help: "Operations of amending acts that are not applied, by reason.", Labels: []string{"reason"}}
	Assembled       = Family{Name: "vigueur_article_versions", Help: "Wordings of articles that acts made."}
	CatalogVersion  = Family{Name: "vigueur_catalogue_version", Help: "Version of the catalogue."}
)

// families lists all families, so that Names includes them.
var families = []Family{PoolConnections, PoolWaits, PoolWaited, RedisConns, RedisTimeouts, StoreUp, QueueRows, QueueOldest, QueueWait, IndexPassages, IndexVersion, Amendments, Assembled, CatalogVersion}

// Value is a sample of a family. Its labels are in the family's order.
type Value struct {
	Of     Family
	Labels []string
	Value  float64
}

// Database holds statistics of a process's connections to PostgreSQL.
type Database struct {
	Used, Idle, Most int
	Waits            int64         // number of times that work waited for a connection, since the process started
	Waited           time.Duration // total time that work waited for connections, since the process started
}

// Redis holds statistics of a process's connections to Redis for streams.
type Redis struct {
	Used, Idle int
	Timeouts   int64 // number of timed-out waits for a connection, since the process started
}

// Connections returns the samples of a process's connections.
func Connections(d Database, r Redis) []Value {
	return []Value{
		{Of: PoolConnections, Labels: []string{"used"}, Value: float64(d.Used)},
		{Of: PoolConnections, Labels: []string{"idle"}, Value: float64(d.Idle)},
		{Of: PoolConnections, Labels: []string{"most"}, Value: float64(d.Most)},
		{Of: PoolWaits, Value: float64(d.Waits)},
		{Of: PoolWaited, Value: d.Waited.Seconds()},
		{Of: RedisConns, Labels: []string{"used"}, Value: float64(r.Used)},
		{Of: RedisConns, Labels: []string{"idle"}, Value: float64(r.Idle)},
		{Of: RedisTimeouts, Value: float64(r.Timeouts)},
	}
}

// sampleLimit is the timeout of sampling, because a scrape waits for it.
const sampleLimit = 2 * time.Second

// Sample registers metrics that call look at each scrape. Values that are not ready in time
// are missing from the scrape: a gap is better than an old value.
func Sample(registry prometheus.Registerer, look func(ctx context.Context) []Value) {
	registry.MustRegister(sampled{look})
}

type sampled struct {
	look func(ctx context.Context) []Value
}

// Describe sends nothing, because the metrics are known only at a scrape.
func (sampled) Describe(chan<- *prometheus.Desc) {}

// Collect samples the metrics.
func (s sampled) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), sampleLimit)
	defer cancel()
	for _, v := range s.look(ctx) {
		kind := prometheus.GaugeValue
		if v.Of.Counter {
			kind = prometheus.CounterValue
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(v.Of.Name, v.Of.Help, v.Of.Labels, nil), kind, v.Value, v.Labels...)
	}
}
