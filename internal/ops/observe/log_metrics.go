package observe

import (
	"slices"
	"vigueur/internal/work/queue"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

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
	streamOutcomes = []string{"ended", "gone", "shutdown", "lost", "unread", "panic"}
	jobOutcomes    = []string{"done", "cancelled", "released", "put back", "failed", "lost"}
)

func newMeters(registry prometheus.Registerer, of Process, kinds []queue.Kind) *meters {
	factory := promauto.With(registry)
	m := &meters{events: map[string]func(attrs){}}
	if of == API {
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
func observe(in prometheus.Observer, a attrs, name string) {
	if seconds, ok := a.seconds(name); ok {
		in.Observe(seconds)
	}
}
