package observe

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vigueur/internal/work/queue"
)

// NewRegistry returns a registry with the metrics of the Go runtime and of the process.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Process is a kind of process, which determines the counted events.
type Process int

// The processes.
const (
	API Process = iota
	Worker
)

// Counting returns a logger that also counts log events in the registry, including events
// below its level. Metrics are counted from the attributes of the event at the end of a
// request or job, which is the only place that reports the end. kinds are the kinds of jobs
// that a worker may run.
func Counting(log *slog.Logger, registry prometheus.Registerer, process Process, kinds ...queue.Kind) *slog.Logger {
	return slog.New(&counter{next: log.Handler(), meters: newMeters(registry, process, kinds)})
}

// counter is a slog.Handler that counts events before it passes them on.
type counter struct {
	next   slog.Handler
	meters *meters
}

// Enabled returns true for every level, because events that are not logged are counted,
// too.
func (c *counter) Enabled(context.Context, slog.Level) bool { return true }

// Handle counts an event and passes it on.
func (c *counter) Handle(ctx context.Context, r slog.Record) error {
	if count, known := c.meters.events[r.Message]; known {
		count(attrsOf(r))
	}
	if !c.next.Enabled(ctx, r.Level) {
		return nil
	}
	return c.next.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (c *counter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &counter{next: c.next.WithAttrs(attrs), meters: c.meters}
}

// WithGroup implements slog.Handler.
func (c *counter) WithGroup(name string) slog.Handler {
	return &counter{next: c.next.WithGroup(name), meters: c.meters}
}

// attrs are the attributes of one event, without the logger's attributes.
type attrs map[string]slog.Value

func attrsOf(r slog.Record) attrs {
	a := make(attrs, r.NumAttrs())
	r.Attrs(func(attr slog.Attr) bool {
		a[attr.Key] = attr.Value.Resolve()
		return true
	})
	return a
}

// text returns an attribute as a label, "" if the event lacks it.
func (a attrs) text(name string) string {
	v, ok := a[name]
	if !ok {
		return ""
	}
	return v.String()
}

// seconds returns a duration, or a number of milliseconds, in seconds. The result is false
// if the event lacks the attribute or if its value is 0, which means that it was not
// measured.
func (a attrs) seconds(name string) (float64, bool) {
	switch v := a[name]; v.Kind() {
	case slog.KindDuration:
		return v.Duration().Seconds(), v.Duration() > 0
	case slog.KindFloat64:
		return v.Float64() / 1000, true
	default:
		return 0, false
	}
}

// number returns a floating-point attribute, 0 if the event lacks it.
func (a attrs) number(name string) float64 {
	if v := a[name]; v.Kind() == slog.KindFloat64 {
		return v.Float64()
	}
	return 0
}

// count returns an integer attribute, 0 if the event lacks it.
func (a attrs) count(name string) float64 {
	if v := a[name]; v.Kind() == slog.KindInt64 {
		return float64(v.Int64())
	}
	return 0
}

// Names returns the names of all metrics of the service, in the form in which dashboards
// and alerts use them: for a histogram, the names of its series.
func Names() []string {
	var r recorder
	newMeters(&r, API, nil)
	newMeters(&r, Worker, queue.Kinds())
	names := r.names
	for _, f := range families {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// recorder is a Registerer that only records the names of collectors.
type recorder struct{ names []string }

var described = regexp.MustCompile(`fqName: "([^"]+)"`)

// Register records the names of a collector's metrics.
func (r *recorder) Register(c prometheus.Collector) error {
	descs := make(chan *prometheus.Desc, 16)
	c.Describe(descs)
	close(descs)
	_, vector := c.(*prometheus.HistogramVec)
	_, histogram := c.(prometheus.Histogram)
	for d := range descs {
		name := described.FindStringSubmatch(d.String())[1]
		if !vector && !histogram {
			r.names = append(r.names, name)
			continue
		}
		r.names = append(r.names, name+"_bucket", name+"_sum", name+"_count")
	}
	return nil
}

// MustRegister implements prometheus.Registerer.
func (r *recorder) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		_ = r.Register(c) // Register never fails
	}
}

// Unregister implements prometheus.Registerer.
func (*recorder) Unregister(prometheus.Collector) bool { return false }

// meters are the metrics that are counted from log events. events maps the message of an event to the function that
// counts it. Labels come from closed lists (registered routes, states, kinds), never from a request.
type meters struct {
	events map[string]func(attrs)
}

var (
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	answerBuckets  = append(slices.Clone(requestBuckets), 30, 60, 120) // a question waits for up to VIGUEUR_ANSWER_WAIT
	jobBuckets     = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200}
)

// The outcomes of a stream and of an attempt at a job. Their counters are created with 0 when the process starts:
// Prometheus computes the increase between two scrapes, and a counter that appears with 1 would show none. An alert
// on the first failure would then be missed.
var (
	streamOutcomes = []string{"ended", "gone", "shutdown", "lost", "revoked", "unread", "panic"}
	jobOutcomes    = []string{"done", "cancelled", "released", "put back", "failed", "lost"}
)

func newMeters(registry prometheus.Registerer, process Process, kinds []queue.Kind) *meters {
	factory := promauto.With(registry)
	m := &meters{events: map[string]func(attrs){}}
	if process == API {
		m.requests(factory)
		return m
	}
	m.jobs(factory, kinds)
	m.answers(factory)
	m.stages(factory)
	return m
}

// requests counts the API's requests.
func (m *meters) requests(factory promauto.Factory) {
	done := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_requests_total",
		Help: "Requests that have ended."}, []string{"method", "route", "status"})
	took := factory.NewHistogramVec(prometheus.HistogramOpts{Name: "vigueur_request_seconds",
		Help: "Time of requests, streams apart.", Buckets: requestBuckets}, []string{"route"})
	failed := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_errors_total",
		Help: "Requests that ended with an error, by its kind."}, []string{"kind"})
	logins := factory.NewCounter(prometheus.CounterOpts{Name: "vigueur_login_failures_total",
		Help: "Sign-ins that were refused, by password or by the limit."})
	open := factory.NewGauge(prometheus.GaugeOpts{Name: "vigueur_streams_open", Help: "Streams that are open now."})
	ended := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_streams_total",
		Help: "Streams that have ended, and why."}, []string{"outcome"})
	first := factory.NewHistogram(prometheus.HistogramOpts{Name: "vigueur_stream_first_event_seconds",
		Help: "Time from a request to the first event of its stream.", Buckets: requestBuckets})
	for _, outcome := range streamOutcomes {
		ended.WithLabelValues(outcome)
	}
	m.events["stream open"] = func(attrs) { open.Inc() }
	m.events["request"] = func(a attrs) {
		route, status := a.text("route"), a.text("status")
		done.WithLabelValues(method(a.text("method")), route, status).Inc()
		if kind := a.text("kind"); kind != "" {
			failed.WithLabelValues(kind).Inc()
		}
		if route == "/api/v1/auth/login" && (status == "401" || status == "429") {
			logins.Inc()
		}
		if outcome := a.text("outcome"); outcome != "" {
			open.Dec()
			ended.WithLabelValues(outcome).Inc()
			observe(first, a, "first_ms")
			return
		}
		observe(took.WithLabelValues(route), a, "ms")
	}
}

// method returns a request's method as a label. A client can send any word, so unknown methods share one label.
func method(name string) string {
	switch name {
	case "GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT":
		return name
	}
	return "other"
}

// jobs counts the attempts at jobs.
func (m *meters) jobs(factory promauto.Factory, kinds []queue.Kind) {
	done := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_jobs_total",
		Help: "Attempts at a job that have ended."}, []string{"kind", "outcome"})
	took := factory.NewHistogramVec(prometheus.HistogramOpts{Name: "vigueur_job_seconds",
		Help: "Time of attempts at a job.", Buckets: jobBuckets}, []string{"kind"})
	lost := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_leases_lost_total",
		Help: "Attempts whose row went to another worker."}, []string{"kind"})
	again := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_sweep_hints_total",
		Help: "Rows that no worker held, put into the queue again."}, []string{"kind"})
	hopeless := factory.NewCounter(prometheus.CounterOpts{Name: "vigueur_answers_given_up_total",
		Help: "Answers of which every attempt was lost with its worker."})
	pages := factory.NewCounter(prometheus.CounterOpts{Name: "vigueur_pages_read_total", Help: "Pages of gazettes that were read."})
	for _, k := range kinds {
		kind := k.Name
		for _, outcome := range jobOutcomes {
			done.WithLabelValues(kind, outcome)
		}
		lost.WithLabelValues(kind)
		again.WithLabelValues(kind)
		m.events[kind] = func(a attrs) {
			done.WithLabelValues(kind, a.text("outcome")).Inc()
			observe(took.WithLabelValues(kind), a, "took")
			if a.text("outcome") == "lost" {
				lost.WithLabelValues(kind).Inc()
			}
			pages.Add(a.count("pages_read"))
		}
	}
	m.events["hint again"] = func(a attrs) { again.WithLabelValues(a.text("kind")).Inc() }
	m.events["answer given up"] = func(attrs) { hopeless.Inc() }
}

// answers adds the metrics that only answers have.
func (m *meters) answers(factory promauto.Factory) {
	histogram := func(name, help string) prometheus.Histogram {
		return factory.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: answerBuckets})
	}
	waited := histogram("vigueur_answer_queue_wait_seconds", "Time from a question to the start of an attempt at its answer.")
	search := histogram("vigueur_answer_retrieval_seconds", "Time of finding the articles.")
	first := histogram("vigueur_answer_first_text_seconds", "Time from the start of an attempt to its first text.")
	passages := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_passage_searches_total",
		Help: "Searches of an installation with a Milvus: in Milvus, or by words in PostgreSQL, and why."}, []string{"way", "why"})
	found := factory.NewHistogramVec(prometheus.HistogramOpts{Name: "vigueur_passage_search_seconds",
		Help: "Time of these searches.", Buckets: requestBuckets}, []string{"way"})
	m.events["passages"] = func(a attrs) {
		passages.WithLabelValues(a.text("way"), a.text("why")).Inc()
		observe(found.WithLabelValues(a.text("way")), a, "took")
	}
	tokens := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_model_tokens_total",
		Help: "Tokens of answers that models read and wrote."}, []string{"server", "direction"})
	cost := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_model_cost_total",
		Help: "What these tokens cost, in the money of VIGUEUR_MODEL_PRICES."}, []string{"server"})
	failed := factory.NewCounterVec(prometheus.CounterOpts{Name: "vigueur_model_server_failures_total",
		Help: "Answers that a server of models did not write: it was busy, away or refused."}, []string{"server"})
	m.events["model server"] = func(a attrs) { failed.WithLabelValues(a.text("server")).Inc() }
	m.events["model usage"] = func(a attrs) {
		server := a.text("server")
		tokens.WithLabelValues(server, "in").Add(a.count("tokens_in"))
		tokens.WithLabelValues(server, "out").Add(a.count("tokens_out"))
		cost.WithLabelValues(server).Add(a.number("cost"))
	}
	wrote := histogram("vigueur_answer_writing_seconds", "Time of the generator.")
	saved := histogram("vigueur_answer_saving_seconds", "Time of the last write.")
	job := m.events["answer"]
	m.events["answer"] = func(a attrs) {
		job(a)
		observe(waited, a, "waited")
		observe(search, a, "search")
		observe(first, a, "first")
		observe(wrote, a, "wrote")
		observe(saved, a, "saved")
	}
}

// stages adds the durations of the stages of a file's ingestion.
func (m *meters) stages(factory promauto.Factory) {
	took := factory.NewHistogramVec(prometheus.HistogramOpts{Name: "vigueur_ingestion_stage_seconds",
		Help: "Time of the stages of a gazette file: reading, cutting, saving.", Buckets: jobBuckets}, []string{"stage"})
	job := m.events["ingestion"]
	m.events["ingestion"] = func(a attrs) {
		job(a)
		for _, stage := range []string{"reading", "cutting", "saving"} {
			if _, timed := a.seconds(stage); timed {
				observe(took.WithLabelValues(stage), a, stage)
			}
		}
	}
}

// observe records a duration from the event, if the event has it.
func observe(observer prometheus.Observer, a attrs, name string) {
	if seconds, ok := a.seconds(name); ok {
		observer.Observe(seconds)
	}
}

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
