package trace

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/collector"
)

// Tracing is enabled for the whole process, so these tests do not run in parallel.

func TestOffNothingIsDone(t *testing.T) {
	closing, err := Open(t.Context(), Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := Start(t.Context(), "x")
	span.Text("a", "b")
	span.Number("a", 1)
	span.Rename("y")
	span.End(errors.New("x"))
	if span != nil || ctx != t.Context() || Carry(ctx) != "" || Continue(ctx, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01") != ctx {
		t.Error("something is traced without an address")
	}
	if n := testing.AllocsPerRun(100, func() {
		ctx, span := Start(ctx, "x")
		span.Text("a", Carry(ctx))
		span.End(nil)
	}); n > 0 {
		t.Errorf("tracing that is off costs %v pieces of memory a step", n)
	}
	if err := closing(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), Settings{URL: "collector"}, nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("a word for an address: %v", err)
	}
}

// TestATraceGoesThroughText carries a trace context in a string, as in a row, to another
// process, which continues the trace.
func TestATraceGoesThroughText(t *testing.T) {
	memory := tracetest.NewInMemoryExporter()
	closing := begin(keep{memory}, Settings{Process: "x"})
	ctx, request := Start(t.Context(), "request")
	carried := Carry(ctx)
	if len(carried) != 55 {
		t.Errorf("carried %q", carried)
	}
	_, other := Start(Continue(t.Context(), carried), "answer")
	other.Text("end", "failed")
	other.End(errs.New(errs.Unavailable, "le texte d’une question"))
	request.Rename("POST /x")
	request.End(nil)
	for _, nonsense := range []string{"x", strings.Repeat("0", 55), "00-zz-zz-01"} {
		if Continue(t.Context(), nonsense) == nil || Carry(Continue(t.Context(), nonsense)) != "" {
			t.Errorf("%q is gone on from", nonsense)
		}
	}
	if err := closing(t.Context()); err != nil {
		t.Fatal(err)
	}
	spans := memory.GetSpans()
	if len(spans) != 2 || spans[0].Name != "answer" || spans[1].Name != "POST /x" || spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() ||
		spans[0].SpanContext.TraceID() != spans[1].SpanContext.TraceID() {
		t.Fatalf("spans %+v", spans)
	}
	if spans[0].Status.Description != "unavailable" {
		t.Errorf("a failure is told as %+v", spans[0].Status)
	}
}

// keep stores the spans that an in-memory exporter deletes at shutdown.
type keep struct{ *tracetest.InMemoryExporter }

func (keep) Shutdown(context.Context) error { return nil }

func TestNothingIsFollowedOfAShareOfNone(t *testing.T) {
	memory := tracetest.NewInMemoryExporter()
	t.Setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
	t.Setenv("OTEL_TRACES_SAMPLER_ARG", "0")
	closing := begin(keep{memory}, Settings{})
	_, span := Start(t.Context(), "x")
	span.End(nil)
	if err := closing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(memory.GetSpans()); n > 0 {
		t.Errorf("%d spans", n)
	}
}

func TestSpansGoToTheCollector(t *testing.T) {
	server := collector.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20x") // a key, as the exporter takes it
	closing, err := Open(t.Context(), Settings{URL: server.URL, Process: "api"}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	_, span := Start(t.Context(), "request")
	span.End(nil)
	if err := closing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if spans := server.Spans(); len(spans) != 1 || spans[0].Name != "request" || spans[0].Process["service.name"] != "vigueur-api" || spans[0].Process["service.version"] == "" {
		t.Errorf("spans %+v", spans)
	}
	for _, header := range server.Headers() {
		if header.Get("Authorization") != "Bearer x" {
			t.Errorf("headers %v", header)
		}
	}
}

func TestACollectorThatIsAwayIsTold(t *testing.T) {
	told := make(chan error, 10)
	closing, err := Open(t.Context(), Settings{URL: "http://127.0.0.1:1"}, func(err error) { told <- err })
	if err != nil {
		t.Fatal(err)
	}
	_, span := StartAt(t.Context(), "request", time.Now().Add(-time.Second))
	span.End(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the context of the request has ended
	_ = closing(ctx)
	if err := <-told; err == nil {
		t.Error("nothing is told")
	}
}

func BenchmarkOff(b *testing.B) {
	ctx := b.Context()
	for b.Loop() {
		ctx, span := Start(ctx, "x")
		span.Text("a", Carry(ctx))
		span.End(nil)
	}
}

// FuzzContinue: a carried context is followed as it is, or not at all.
func FuzzContinue(f *testing.F) {
	closing := begin(keep{tracetest.NewInMemoryExporter()}, Settings{Process: "x"})
	f.Cleanup(func() {
		if err := closing(context.Background()); err != nil {
			f.Error(err)
		}
	})
	for _, seed := range []string{"", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01", "ff-0123456789abcdef0123456789abcdef-0123456789abcdef-01", "00-zz-zz-01", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, carried string) {
		got := Carry(Continue(t.Context(), carried))
		if got != "" && (len(got) != 55 || len(carried) < 55 || got[2:52] != carried[2:52]) {
			t.Errorf("%q is followed as %q", carried, got)
		}
	})
}
