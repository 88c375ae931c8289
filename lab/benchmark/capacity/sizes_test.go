package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the tables of docs/capacity.md anew from testdata/figures.jsonl")

const (
	figures  = "testdata/figures.jsonl"
	document = "../../../docs/capacity.md"
	begins   = "<!-- made by « go test ./lab/benchmark/capacity -update » from its testdata/figures.jsonl -->\n"
	ends     = "<!-- end of what is made -->\n"
)

// TestTheDocumentHasTheTables holds docs/capacity.md against the figures that are kept.
func TestTheDocumentHasTheTables(t *testing.T) {
	t.Parallel()
	m, err := readFigures([]string{figures})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begins)
	_, after, ended := strings.Cut(rest, ends)
	if !found || !ended {
		t.Fatal("docs/capacity.md has no place for the tables")
	}
	want := before + begins + "\n" + tables(m, usual()) + "\n" + ends + after
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !*update && string(text) != want {
		t.Error("docs/capacity.md is not what the figures make: go test ./lab/benchmark/capacity -update")
	}
}

// made are figures that are easily reckoned with: an answer takes each part 10 ms, a page load 1 ms.
func made() measured {
	f := map[string]float64{"api_mib": 100, "worker_mib": 1024, "pg_bytes_per_passage": 4096, "passages_per_page": 10, "gazette_page_worker_ms": 86.4, "refining_worker_ms": 50, "idle_worker_redis_ms_per_s": 1}
	for _, p := range []string{"api", "worker", "postgres", "redis"} {
		f["answer_"+p+"_ms"], f["load_"+p+"_ms"] = 10, 1
	}
	f["load_redis_ms"] = 0
	size := func(passages, ms float64) line {
		return line{Figures: map[string]float64{"passages": passages, "hybrid_processor_p50_ms": ms, "processor_p50_ms": 1, "hybrid_bytes_per_passage": 900,
			"kept_bytes_per_passage": 124, "register_bytes_per_passage": 200, "terms_per_passage": 50, "counts_bytes_per_passage": 342}}
	}
	return measured{capacity: line{Figures: f}, ocr: line{Figures: map[string]float64{"page_processor_ms": 864}}, search: []line{size(100_000, 5), size(1_100_000, 25)}}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

func TestAPlanIsReckonedFromTheFigures(t *testing.T) {
	t.Parallel()
	m, h := made(), usual()
	if got := m.grows("hybrid_processor_p50_ms", 600_000); !near(got, 15) {
		t.Errorf("a search among 600,000 takes %v ms", got)
	}
	if got := m.grows("hybrid_processor_p50_ms", 10); !near(got, 5) {
		t.Errorf("a search among 10 takes %v ms", got)
	}
	// 12,000 people ask 100 questions a second, and load 1,000 pages.
	p := m.size(h, 600_000, 12_000)
	for what, c := range map[string]struct{ got, want float64 }{
		"questions": {p.Questions, 100}, "a worker holds": {p.WorkerGiB, 1 + 600_000*1024./gib},
		// 100 × (10 + 15) ms are 2.5 processors, of which a machine has 8 × 0.6; 1,000 places in machines of 256.
		"workers": {p.Workers, 4},
		// 100 × 10 + 1,000 × 1 ms are 2 processors; 1,000 streams of 64 KiB are little.
		"APIs": {p.APIs, 2}, "PostgreSQL": {p.PostgresCores, 4}, "its memory": {p.PostgresGiB, 4},
		// 100 × 10 ms, and a thousandth for each worker; two and one for the tasks.
		"Redis is busy": {p.RedisBusy, 1.004}, "Redis": {p.Redis, 3},
		"the model": {p.Model, 100 * 8 * 21 * 3600 * (3000*0.2 + 300*0.6) / 1e6},
		// 60,000 pages of 86.4 ms by 4 × 4.8 processors.
		"taken in": {p.FillDays, 60_000 * .0864 / (4 * 4.8) / 86_400},
		// And 864 ms more of a scan.
		"scans": {p.ScanDays, 60_000 * .9504 / (4 * 4.8) / 86_400},
		// 600,000 passages of 50 ms.
		"sentences": {p.RefinedDays, 600_000 * .05 / (4 * 4.8) / 86_400},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	if p.Milvus || p.MilvusGiB != 0 {
		t.Error("half a million passages want no Milvus")
	}
	// The workers' 1,024 places are full at 12,288 people, before three Redis servers are at 35,952.
	// PostgreSQL takes 2 processors of 64.
	if !strings.Contains(p.First, "places") || !near(p.FirstAt, 12_288) || !near(p.LastAt, 384_000) {
		t.Errorf("%s gives first, at %v", p.First, p.FirstAt)
	}
}

func TestAVastCatalogueIsInMilvus(t *testing.T) {
	t.Parallel()
	m, h := made(), usual()
	p := m.size(h, 100_000_000, 10)
	if !p.Milvus || !near(p.WorkerGiB, 1+100_000_000*200./gib) || p.MilvusGiB < 200 || p.Workers != 1 {
		t.Errorf("%+v", p)
	}
	s := m.milvus(h, 1000)
	// 192 coordinates of 4 bytes; 64 links of 4 and a twentieth; 50 words of 8, twice; the fields.
	if !near(s.vectors, 768_000) || !near(s.graph, 268_800) || !near(s.words, 800_000) || !near(s.scalars, 1000*(140+32+16+342)) {
		t.Errorf("%+v", s)
	}
	if got, want := m.milvus(h, 100_000_000).memory(), math.Ceil(100_000*s.bytes()*4/3/gib); !near(got, want) {
		t.Errorf("%v GiB, want %v", got, want)
	}
}

func TestOnlyLastLinesAreFigures(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lines")
	text := "search on a machine\n" + `{"bench":"search","figures":{"passages":5,"x":1}}` + "\n" + `{"bench":"search","figures":{"passages":2,"x":1}}` + "\n" +
		`{"bench":"search","figures":{"passages":5,"x":2}}` + "\n{\"bench\" broken\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readFigures([]string{path}); err == nil || !strings.Contains(err.Error(), "capacity") {
		t.Errorf("without capacity: %v", err)
	}
	text += `{"bench":"capacity","figures":{"a":7}}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readFigures([]string{path}); err == nil || !strings.Contains(err.Error(), "« ocr »") {
		t.Errorf("without ocr: %v", err)
	}
	if err := os.WriteFile(path, []byte(text+`{"bench":"ocr","figures":{"page_processor_ms":3}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := readFigures([]string{path})
	if err != nil || len(m.search) != 2 || m.search[0].Figures["passages"] != 2 || m.largest("x") != 2 || m.of("a") != 7 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestWhatGivesFirst(t *testing.T) {
	t.Parallel()
	second := done{took: time.Second}
	for want, c := range map[string]struct {
		d done
		u spent
	}{
		"the workers’ places": {done{took: time.Second, answers: int(places(160))}, spent{seconds: [parts]float64{workers: .5}}},
		"the processors":      {second, spent{seconds: [parts]float64{workers: .9, redis: .2}, machine: 1.9}},
		"Redis":               {second, spent{seconds: [parts]float64{workers: .1, redis: .95}}},
	} {
		if got, share := gave(160, c.d, c.u, 2); got != want || share < .9 || share > 1.01 {
			t.Errorf("%s gave (%v), want %s", got, share, want)
		}
	}
}

// TestMadeGazettesAreFiles draws two: they differ, and the same one is the same file.
func TestMadeGazettesAreFiles(t *testing.T) {
	t.Parallel()
	one, err := drawn(1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := drawn(1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := drawn(2)
	if err != nil || !bytes.HasPrefix(one, []byte("%PDF-")) || !bytes.Equal(one, again) || bytes.Equal(one, other) {
		t.Errorf("%d, %d and %d bytes, %v", len(one), len(again), len(other), err)
	}
}

func TestNumbersAreShort(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]float64{"0": 0, "0.083": 1. / 12, "8.3": 8.333, "83": 83.33, "1,234,568": 1234567.8, "5": 5} {
		if got := number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	if rounded(12_345) != 12_000 || duration(0.01) != "15 min" || duration(1) != "24 h" || duration(3.2) != "4 days" {
		t.Error(rounded(12_345), duration(0.01), duration(1), duration(3.2))
	}
}
