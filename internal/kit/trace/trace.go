// Package trace traces a request through the processes: from the API through the queue to
// the worker, the model and back. It exports spans to a collector by OTLP over HTTP.
//
// Tracing is disabled until Open is called: Start then returns the context unchanged and a
// nil Span, whose methods do nothing. A slow or unreachable collector loses spans but does
// not delay answers: spans are sent in the background, and dropped if too many wait.
//
// No attribute contains what a person wrote or read. Traces begin in this service: trace
// contexts that clients send are ignored.
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

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
)

// Settings holds the address of the collector and the traces to export.
type Settings struct {
	URL     string // URL of the collector, e.g. http://host:4318; "": tracing is off
	Process string // « api », « worker »
}

// tracer is nil while tracing is off.
var tracer atomic.Pointer[api.Tracer]

// sendTimeout is the timeout of one export of spans.
const sendTimeout = 5 * time.Second

// Open enables tracing for the whole process. closing exports pending spans and disables
// tracing; it must be called once. The error is Invalid if the URL is invalid. failed is
// called when spans could not be exported; it may be nil.
func Open(ctx context.Context, s Settings, failed func(error)) (closing func(context.Context) error, err error) {
	if s.URL == "" {
		return func(context.Context) error { return nil }, nil
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errs.New(errs.Invalid, "VIGUEUR_TRACES_URL n’est pas une adresse http:// ou https://")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces" // the path of OTLP over HTTP in its specification
	}
	options := []otlptracehttp.Option{otlptracehttp.WithEndpointURL(u.String()), otlptracehttp.WithTimeout(sendTimeout),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: sendTimeout, MaxElapsedTime: time.Minute})}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return begin(&reportingExporter{SpanExporter: exporter, failed: failed}, s), nil
}

// begin enables tracing with an exporter. Which traces are recorded, OTEL_TRACES_SAMPLER says: all, unless it is set.
func begin(exporter sdk.SpanExporter, s Settings) (closing func(context.Context) error) {
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "vigueur-"+s.Process), attribute.String("service.version", version.Read().Version))),
	)
	t := provider.Tracer("vigueur")
	tracer.Store(&t)
	return func(ctx context.Context) error {
		tracer.Store(nil)
		return provider.Shutdown(ctx)
	}
}

// reportingExporter calls failed if spans could not be exported. Without it, the SDK would
// write to the standard error.
type reportingExporter struct {
	sdk.SpanExporter
	failed func(error)
}

// ExportSpans implements the SDK's exporter.
func (t *reportingExporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := t.SpanExporter.ExportSpans(ctx, spans)
	if err != nil && t.failed != nil {
		t.failed(fmt.Errorf("%d spans: %w", len(spans), err))
	}
	return nil
}

// Span is one step of a trace. The methods of a nil Span do nothing.
type Span struct{ span api.Span }

// Start begins a span below the current span of ctx, or a new trace if there is none.
func Start(ctx context.Context, name string) (context.Context, *Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, nil
	}
	ctx, span := (*t).Start(ctx, name)
	return ctx, &Span{span}
}

// StartAt begins a span, as Start does, with an earlier time.
func StartAt(ctx context.Context, name string, moment time.Time) (context.Context, *Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, nil
	}
	ctx, span := (*t).Start(ctx, name, api.WithTimestamp(moment))
	return ctx, &Span{span}
}

// Text sets an attribute to a word from a closed list or to an id.
func (s *Span) Text(name, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(name, value))
	}
}

// Number sets an attribute to a number.
func (s *Span) Number(name string, value int) {
	if s != nil {
		s.span.SetAttributes(attribute.Int(name, value))
	}
}

// Rename changes the span's name, for a span whose name is known only at its end.
func (s *Span) Rename(name string) {
	if s != nil {
		s.span.SetName(name)
	}
}

// End ends the span. It records only the kind of err, because the text may contain what a
// person wrote.
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

// parent is the name of the W3C header that carries a trace context.
const parent = "traceparent"

// Carry returns the trace context of ctx as the value of a traceparent header, for another
// process; "" if nothing is traced.
func Carry(ctx context.Context) string {
	if tracer.Load() == nil {
		return ""
	}
	carried := propagation.MapCarrier{}
	w3c.Inject(ctx, carried)
	return carried[parent]
}

// Continue returns ctx with a trace context from Carry. If carried is invalid, it returns
// ctx unchanged.
func Continue(ctx context.Context, carried string) context.Context {
	if carried == "" || tracer.Load() == nil {
		return ctx
	}
	return w3c.Extract(ctx, propagation.MapCarrier{parent: carried})
}
