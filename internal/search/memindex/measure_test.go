package memindex

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

const judgedFolder = "../../../../shared/data/retrieval"

// judged is a corpus with typed questions and the articles that answer them.
type judged struct {
	rows      []postgres.IndexRow
	names     map[uuid.UUID]string // by article, its name in the judgments
	questions []judgedQuestion
}

type judgedQuestion struct {
	group, text string
	right       map[string]bool
}

func loadJudged(t testing.TB) judged {
	t.Helper()
	if _, err := os.Stat(filepath.Join(judgedFolder, "corpus.jsonl")); err != nil {
		t.Skip("the judged questions are not at hand: ", err)
	}
	j := judged{names: make(map[uuid.UUID]string)}
	doc := uuid.NewSHA1(uuid.Nil, []byte("code du travail"))
	eachLine(t, "corpus.jsonl", func(line []byte) {
		var a struct {
			ID    string `json:"_id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		id := uuid.NewSHA1(uuid.Nil, []byte(a.ID))
		j.names[id] = a.ID
		for i, part := range parts(a.Text) {
			j.rows = append(j.rows, postgres.IndexRow{
				Passage:       law.Passage{ID: uuid.NewSHA1(id, []byte{byte(i >> 8), byte(i)}), DocumentID: doc, ArticleID: id, Position: len(j.rows), Text: part},
				ArticleNumber: a.ID, Path: strings.Split(a.Title, " > "), Title: "Code du travail", Type: law.Code,
				Domain: "travail", Status: law.InForce, From: time.Date(2008, 5, 1, 0, 0, 0, 0, time.UTC),
			})
		}
	})
	right := make(map[string]map[string]bool)
	eachLine(t, "qrels.train.tsv", func(line []byte) {
		f := strings.Split(string(line), "\t")
		if right[f[0]] == nil {
			right[f[0]] = make(map[string]bool)
		}
		right[f[0]][f[1]] = true
	})
	eachLine(t, "queries.train.jsonl", func(line []byte) {
		var q struct {
			ID    string `json:"_id"`
			Text  string `json:"text"`
			Group string `json:"group"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		j.questions = append(j.questions, judgedQuestion{q.Group, q.Text, right[q.ID]})
	})
	return j
}

func eachLine(t testing.TB, name string, do func([]byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join(judgedFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
}

const partLimit = 1200

// parts splits a long article at its paragraphs.
func parts(text string) []string {
	var out []string
	part := ""
	for p := range strings.SplitSeq(text, "\n\n") {
		if part != "" && len(part)+len(p) > partLimit {
			out, part = append(out, part), ""
		}
		if part != "" {
			part += "\n"
		}
		part += p
	}
	return append(out, part)
}

// rows is a Source that never changes.
type rows []postgres.IndexRow

func (rows) CatalogueVersion(context.Context) (int64, error) { return 1, nil }
func (rows) Changes(_ context.Context, v int64) ([]uuid.UUID, int64, error) {
	return nil, v, nil
}
func (rows) Listen(ctx context.Context, _ func()) error { <-ctx.Done(); return ctx.Err() }
func (r rows) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, row := range r {
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

type figures struct{ r10, r100, ndcg10, hit5 float64 }

// measure averages within each intent, then over intents, in percent.
func (j judged) measure(search func(text string) []Hit) figures {
	type sum struct {
		figures
		n float64
	}
	groups := make(map[string]*sum)
	for _, q := range j.questions {
		f := q.figures(j.articles(search(q.text)))
		g := groups[q.group]
		if g == nil {
			g = &sum{}
			groups[q.group] = g
		}
		g.r10, g.r100, g.ndcg10, g.hit5, g.n = g.r10+f.r10, g.r100+f.r100, g.ndcg10+f.ndcg10, g.hit5+f.hit5, g.n+1
	}
	var out figures
	per := 100 / float64(len(groups))
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		g := groups[name]
		out.r10 += per * g.r10 / g.n
		out.r100 += per * g.r100 / g.n
		out.ndcg10 += per * g.ndcg10 / g.n
		out.hit5 += per * g.hit5 / g.n
	}
	return out
}

// articles returns the names of the articles of hits, each once.
func (j judged) articles(hits []Hit) []string {
	var out []string
	seen := make(map[uuid.UUID]bool)
	for _, h := range hits {
		if !seen[h.ArticleID] && len(out) < 100 {
			seen[h.ArticleID] = true
			out = append(out, j.names[h.ArticleID])
		}
	}
	return out
}

func (q judgedQuestion) figures(ranked []string) (f figures) {
	var ideal, gain float64
	for i := range min(len(q.right), 10) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	for i, name := range ranked {
		if !q.right[name] {
			continue
		}
		f.r100++
		if i < 5 {
			f.hit5 = 1
		}
		if i < 10 {
			f.r10++
			gain += 1 / math.Log2(float64(i)+2)
		}
	}
	n := float64(len(q.right))
	return figures{f.r10 / n, f.r100 / n, gain / ideal, f.hit5}
}

// The floors are a little below the measured values. With 63 intents a difference of one point is noise, one of five
// is not. Only the first step of the ranking is measured.
func TestJudgedQuestions(t *testing.T) {
	t.Parallel()
	j := loadJudged(t)
	began := time.Now()
	x, err := Open(t.Context(), Options{Source: rows(j.rows)})
	if err != nil {
		t.Fatal(err)
	}
	passages, _ := x.Size()
	t.Logf("%d passages read in %v", passages, time.Since(began).Round(time.Millisecond))
	began = time.Now()
	f := j.measure(func(text string) []Hit { return x.Search(Query{Text: text, Limit: 300}) })
	t.Logf("R@10 %.1f  R@100 %.1f  nDCG@10 %.1f  Hit@5 %.1f  %v a question", f.r10, f.r100, f.ndcg10, f.hit5,
		(time.Since(began) / time.Duration(len(j.questions))).Round(time.Microsecond))
	if f.r100 < 64.5 || f.ndcg10 < 31 {
		t.Errorf("R@100 %.1f, nDCG@10 %.1f: the floors are 64.5 and 31", f.r100, f.ndcg10)
	}
}
