package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// embedder is a server whose vectors tell texts with « repos » from others, and
// how many texts it was asked for.
func embedder(t *testing.T) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		asked.Add(int64(len(q.Input)))
		var data []string
		for i, text := range q.Input {
			x := 0
			if strings.Contains(text, "repos") || strings.Contains(text, "congé") {
				x = 1
			}
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d]}`, i, x, 1-x))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

func TestEvalRetrievalMeasuresTheMeaningToo(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir(), environ: map[string]string{}}
	args := evalFiles(t, d.dir)
	written(t, d.dir, "queries.jsonl", `{"_id":"q1","text":"repos","intent":"leave"}`)
	url, asked := embedder(t)
	d.environ["VIGUEUR_EMBEDDER_URL"], d.environ["VIGUEUR_EMBEDDER_MODEL"] = url, "essai"
	kept := filepath.Join(d.dir, "vectors")
	args = append(args, "--vectors", kept, "--json")
	measure := func() retrievalRun {
		r := d.run(t, args...)
		var run retrievalRun
		if err := json.Unmarshal([]byte(r.out), &run); err != nil || run.Meant == nil {
			t.Fatalf("%v: %+v", err, r)
		}
		return run
	}
	run := measure()
	if run.Each[0].MRR != 0 || run.Meant.Each[0].MRR != 1 {
		t.Errorf("by words %v, by meaning too %v: no word of the question stands in the corpus", run.Each[0].MRR, run.Meant.Each[0].MRR)
	}
	made := asked.Swap(0)
	raw, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if measure(); asked.Load() >= made || asked.Load() > 1 {
		t.Errorf("asked for %d texts, then for %d: they were kept", made, asked.Load())
	}
	// A file that was cut in a record is as good as its whole records.
	if err := os.WriteFile(kept, raw[:len(raw)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	asked.Store(0)
	if run := measure(); asked.Load() != 2 || run.Meant.Each[0].MRR != 1 {
		t.Errorf("asked for %d texts, the known one and the one that was cut: %+v", asked.Load(), run.Meant)
	}
	if again, err := os.ReadFile(kept); err != nil || len(again) != len(raw) {
		t.Errorf("%d bytes, then %d: the cut record was not written over", len(raw), len(again))
	}
	if r := d.run(t, args[:len(args)-1]...); !strings.Contains(r.out, "PAR LES MOTS") || !strings.Contains(r.out, "PAR LE SENS AUSSI") {
		t.Errorf("%+v", r)
	}
	d.environ["VIGUEUR_EMBEDDER_URL"] = "nulle part"
	if r := d.run(t, args...); r.code != exitUsage || !strings.Contains(r.err, "VIGUEUR_EMBEDDER_URL") {
		t.Errorf("a wrong address: %+v", r)
	}
}

// Without a server the program's own encoder finds what shares no word with the
// question.
func TestEvalRetrievalMeasuresTheOwnEncoder(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	args := evalFiles(t, d.dir)
	written(t, d.dir, "corpus.jsonl", `
{"_id":"L1","title":"Livre I","text":"Les élèves des écoles primaires."}
{"_id":"L2","title":"Livre II","text":"Le navire a un pavillon."}
`)
	written(t, d.dir, "queries.jsonl", `{"_id":"q1","text":"instituteur","intent":"leave"}`)
	r := d.run(t, append(args, "--json")...)
	var run retrievalRun
	if err := json.Unmarshal([]byte(r.out), &run); err != nil || run.Meant == nil {
		t.Fatalf("%v: %+v", err, r)
	}
	if run.Each[0].MRR != 0 || run.Meant.Each[0].MRR != 1 {
		t.Errorf("by words %v, by meaning too %v", run.Each[0].MRR, run.Meant.Each[0].MRR)
	}
}
