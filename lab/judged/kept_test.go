package judged

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/search/retrieve"
	"vigueur/internal/work/embedding"
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

// filesOf writes a small set.
func filesOf(t *testing.T) Files {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return Files{GroupBy: "intent", Corpus: write("corpus.jsonl", `
{"_id":"L1","title":"Livre I > Congés payés","text":"Le salarié a droit à deux jours de congé par mois."}
{"_id":"L3","title":"Livre II > Navires","text":"Le navire a un pavillon."}
{"_id":"L2","title":"Livre I > Licenciement","text":"L'employeur qui licencie convoque le salarié.\n\nLe préavis dure un mois."}
`), Queries: write("queries.jsonl", `
{"_id":"q1","text":"repos","intent":"leave"}
{"_id":"q2","text":"sans jugement","intent":"none"}
`), Qrels: write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tL1\t1\n"), Distractors: write("more.jsonl", `{"_id":"L1","title":"Livre II","text":"Le navire."}`)}
}

func TestReadSetOfFiles(t *testing.T) {
	t.Parallel()
	f := filesOf(t)
	s, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Questions) != 1 || s.Questions[0].Group != "leave" || len(s.Articles) != 4 || s.Articles[1].ID != "L2" || s.Articles[3].ID != "distractor L1" {
		t.Errorf("%+v, %+v", s.Questions, s.Articles)
	}
	for want, spoil := range map[string]func(f *Files){
		"has a judgment": func(f *Files) { f.Qrels = f.Distractors + ".tsv" },
		"theme":          func(f *Files) { f.GroupBy = "theme" },
		"none":           func(f *Files) { f.Corpus = "none" },
	} {
		bad := f
		spoil(&bad)
		if strings.HasSuffix(bad.Qrels, ".jsonl.tsv") {
			if err := os.WriteFile(bad.Qrels, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Read(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want « %s »", err, want)
		}
	}
}

func TestVectorsOfAServerAreKept(t *testing.T) {
	t.Parallel()
	s, err := Read(filesOf(t))
	if err != nil {
		t.Fatal(err)
	}
	url, asked := embedder(t)
	model, err := embedding.NewModel(embedding.Server{URL: url, Model: "essai"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "vectors")
	first := func() string {
		v, err := s.Embed(t.Context(), model, file)
		if err != nil {
			t.Fatal(err)
		}
		searcher, err := s.Open(t.Context(), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		err = Look(t.Context(), searcher, Asked(s.Questions), func(_ int, looked *retrieve.Examined) {
			found = slices.Concat(s.Ranked(looked), []string{""})[0]
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if got := first(); got != "L1" {
		t.Errorf("%q comes first: no word of the question stands in the corpus, its meaning does", got)
	}
	made := asked.Swap(0)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if first(); asked.Load() >= made || asked.Load() > 1 {
		t.Errorf("asked for %d texts, then for %d: they were kept", made, asked.Load())
	}
	// A file that was cut in a record is as good as its whole records.
	if err := os.WriteFile(file, raw[:len(raw)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	asked.Store(0)
	if got := first(); asked.Load() != 2 || got != "L1" {
		t.Errorf("asked for %d texts, the known one and the one that was cut: %q", asked.Load(), got)
	}
	if again, err := os.ReadFile(file); err != nil || len(again) != len(raw) {
		t.Errorf("%d bytes, then %d: the cut record was not written over", len(raw), len(again))
	}
}
