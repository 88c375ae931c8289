package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"vigueur/scripts/benchmark/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

func filled() *report.Report {
	r := report.New("first-chunk", report.Machine{CPU: "A processor", Cores: 2, MemoryGB: 7.8, Kernel: "6.1.0", Go: "go1.26", Load: 0.25})
	r.Figure("p50_ms", 9.4567, "ms")
	r.Goal("p50_ms", report.AtMost, 15)
	r.Figure("p99_ms", 41.25, "ms")
	r.Goal("p99_ms", report.AtMost, 40)
	r.Figure("questions_per_s", 1234.6, "questions/s")
	r.Goal("questions_per_s", report.AtLeast, 500)
	r.Goal("never_measured", report.AtMost, 1)
	r.Figure("tiny", 0.00123, "s")
	r.Peer("asynq, default interval", "p50_ms", 540)
	return r
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := filled().Print(&out); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.golden"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestLastLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := filled().Print(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var last struct {
		Bench   string
		Figures map[string]float64
		Peer    map[string]map[string]float64
		Machine map[string]any
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	if last.Bench != "first-chunk" || last.Figures["p50_ms"] != 9.4567 || last.Peer["goal"]["p99_ms"] != 40 ||
		last.Peer["asynq, default interval"]["p50_ms"] != 540 || last.Machine["cores"] != 2.0 {
		t.Errorf("got %+v", last)
	}
}

func TestMissed(t *testing.T) {
	t.Parallel()
	if got, want := filled().Missed(), []string{"never_measured", "p99_ms"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThisMachine(t *testing.T) {
	t.Parallel()
	m := report.ThisMachine()
	if m.Cores < 1 || m.MemoryGB <= 0 || m.Kernel == "" || !strings.HasPrefix(m.Go, "go") {
		t.Errorf("got %+v", m)
	}
	if text := m.String(); !strings.Contains(text, m.Kernel) {
		t.Errorf("got %q", text)
	}
}
