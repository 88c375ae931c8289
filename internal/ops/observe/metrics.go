package observe

import (
	"context"
	"log/slog"
	"vigueur/internal/work/queue"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
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
func Counting(log *slog.Logger, registry prometheus.Registerer, of Process, kinds ...queue.Kind) *slog.Logger {
	return slog.New(&counter{next: log.Handler(), meters: newMeters(registry, of, kinds)})
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
