// Package trace follows one piece of work through the processes: from the request
// through the queue to the worker, the model and back. What it follows goes, span by
// span, to a collector that speaks OTLP over HTTP.
//
// It is off until Open, and off it does nothing: Start gives the context back as it is and
// a nil Span, whose methods do nothing either. A collector that is slow or away costs
// spans, never an answer: they are sent from beside, and dropped when too many wait.
//
// No attribute holds what a person wrote or read. A trace begins here: what a client
// says of its own is not believed.
package trace

import (
	"context"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"

	"vigueur/internal/errs"
)

// Settings say where spans go.
type Settings struct {
	URL string // of the collector, http://host:4318; "": tracing is off
	Key string // value of the header Authorization; "": none is sent
	// Share is how many of the traces that begin here are followed, 0 to 1.
	Share   float64
	Process string // « api », « worker »
	Version string
}

// tracer is nil while tracing is off.
var tracer atomic.Pointer[api.Tracer]

// sendTimeout is how long one sending of spans may take.
const sendTimeout = 5 * time.Second

// Open begins to trace, for the whole process. close sends what waits, and ends it; it
// must be called once. Invalid when the address is none. Failed is told of spans that
// could not be sent; it may be nil.
func Open(ctx context.Context, s Settings, failed func(error)) (closing func(context.Context) error, err error) {
	if s.URL == "" {
		return func(context.Context) error { return nil }, nil
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errs.New(errs.Invalid, "VIGUEUR_TRACES_URL n’est pas une adresse http:// ou https://")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces" // where OTLP over HTTP goes by its specification
	}
	options := []otlptracehttp.Option{otlptracehttp.WithEndpointURL(u.String()), otlptracehttp.WithTimeout(sendTimeout),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: sendTimeout, MaxElapsedTime: time.Minute})}
	if s.Key != "" {
		options = append(options, otlptracehttp.WithHeaders(map[string]string{"Authorization": s.Key}))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return begin(&telling{SpanExporter: exporter, failed: failed}, s), nil
}

// begin traces into an exporter.
func begin(exporter sdk.SpanExporter, s Settings) (closing func(context.Context) error) {
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(s.Share))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "vigueur-"+s.Process), attribute.String("service.version", s.Version))),
	)
	t := provider.Tracer("vigueur")
	tracer.Store(&t)
	return func(ctx context.Context) error {
		tracer.Store(nil)
		return provider.Shutdown(ctx)
	}
}

// telling says which spans could not be sent; the SDK would write to the standard error.
type telling struct {
	sdk.SpanExporter
	failed func(error)
}

// ExportSpans implements the SDK's exporter.
func (t *telling) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := t.SpanExporter.ExportSpans(ctx, spans)
	if err != nil && t.failed != nil {
		t.failed(fmt.Errorf("%d spans: %w", len(spans), err))
	}
	return nil
}

// Span is one step of a trace. A nil Span does nothing.
type Span struct{ span api.Span }

// Start begins a step under that of ctx; without one it begins a trace.
func Start(ctx context.Context, name string) (context.Context, *Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, nil
	}
	ctx, span := (*t).Start(ctx, name)
	return ctx, &Span{span}
}

// StartAt is Start for a step that began earlier.
func StartAt(ctx context.Context, name string, at time.Time) (context.Context, *Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, nil
	}
	ctx, span := (*t).Start(ctx, name, api.WithTimestamp(at))
	return ctx, &Span{span}
}

// Text notes a word from a closed list, or an id.
func (s *Span) Text(name, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(name, value))
	}
}

// Number notes a number.
func (s *Span) Number(name string, value int) {
	if s != nil {
		s.span.SetAttributes(attribute.Int(name, value))
	}
}

// Rename gives the step the name that is known only at its end.
func (s *Span) Rename(name string) {
	if s != nil {
		s.span.SetName(name)
	}
}

// End ends the step; err says why it failed, by its kind and no more: its text may hold
// what a person wrote.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, errs.KindOf(err).String())
	}
	s.span.End()
}

var w3c propagation.TraceContext

// parent is the W3C header by which one process tells another of a trace.
const parent = "traceparent"

// Carry is the step of ctx as a text that another process can go on from; "" when
// nothing is traced.
func Carry(ctx context.Context) string {
	if tracer.Load() == nil {
		return ""
	}
	carried := propagation.MapCarrier{}
	w3c.Inject(ctx, carried)
	return carried[parent]
}

// Continue goes on from what Carry gave; a text that is none leaves ctx as it is.
func Continue(ctx context.Context, carried string) context.Context {
	if carried == "" || tracer.Load() == nil {
		return ctx
	}
	return w3c.Extract(ctx, propagation.MapCarrier{parent: carried})
}
