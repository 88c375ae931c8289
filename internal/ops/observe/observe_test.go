package observe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"vigueur/internal/ops/observe"
)

func TestLoggerWritesJSONFromItsLevelUp(t *testing.T) {
	t.Parallel()
	for level, lines := range map[string]int{"debug": 3, "info": 2, "error": 1, "nonsense": 2} {
		t.Run(level, func(t *testing.T) {
			var out bytes.Buffer
			log := observe.Logger(&out, "worker", level)
			log.Debug("one")
			log.Info("two")
			log.Error("three", "id", 7)
			if got := bytes.Count(out.Bytes(), []byte("\n")); got != lines {
				t.Errorf("level %s: %d lines, want %d", level, got, lines)
			}
			last := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
			var event map[string]any
			if err := json.Unmarshal(last[len(last)-1], &event); err != nil || event["process"] != "worker" || event["id"] != 7.0 {
				t.Errorf("event %v, %v", event, err)
			}
		})
	}
}

// What others wrote makes no record long, whatever its kind.
func TestAttributesAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	var out bytes.Buffer
	log := observe.Logger(&out, "api", "info").With("path", long)
	log.Info(long, "text", long, "error", errors.New(long), "list", []string{long, long}, "number", 7, slog.Group("group", slog.String("deep", long)))
	if out.Len() > 64<<10 {
		t.Errorf("a record has %d bytes", out.Len())
	}
	var event map[string]any
	if err := json.Unmarshal(out.Bytes(), &event); err != nil || event["number"] != 7.0 || !strings.HasSuffix(event["text"].(string), "é…") { //nolint:errcheck // it is a text
		t.Errorf("%v", err)
	}
}
