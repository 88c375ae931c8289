// Package collector provides a trace collector for tests: it receives the spans that the
// service sends by OTLP over HTTP, and keeps them.
package collector

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	otlp "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"
)

// Span is one received step of a trace.
type Span struct {
	Name              string
	Trace, ID, Parent string            // identifiers as bytes; Parent is "" for the first span of a trace
	Texts             map[string]string // attributes that are strings
	Process           map[string]string // attributes of the sending process
}

// Collector is a running trace collector.
type Collector struct {
	*httptest.Server
	mu      sync.Mutex // guards the following fields
	spans   []Span
	headers []http.Header
}

// New starts a collector and stops it when the test ends. A request that it cannot read
// fails the test.
func New(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := c.take(r); err != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *Collector) take(r *http.Request) error {
	if r.URL.Path != "/v1/traces" {
		return errors.New("spans must be sent to /v1/traces")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var request otlp.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &request); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers = append(c.headers, r.Header.Clone())
	for _, sent := range request.ResourceSpans {
		process := texts(sent.Resource.GetAttributes())
		for _, scope := range sent.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, Span{Name: s.Name, Trace: string(s.TraceId), ID: string(s.SpanId), Parent: string(s.ParentSpanId),
					Texts: texts(s.Attributes), Process: process})
			}
		}
	}
	return nil
}

func texts(attributes []*common.KeyValue) map[string]string {
	list := map[string]string{}
	for _, a := range attributes {
		if text, is := a.Value.GetValue().(*common.AnyValue_StringValue); is {
			list[a.Key] = text.StringValue
		}
	}
	return list
}

// Spans returns the spans received so far, in order of arrival.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Headers returns the headers of the requests received so far.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.headers)
}
