package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
)

// question is a line of the sample's questions.
type question struct {
	ID         string
	Question   string
	Date       string
	Answerable bool
	Articles   []article
	KeyFacts   []string `json:"key_facts"`
	Outdated   []article
}

// article is an article of the sample's truth.
type article struct{ Document, Article string }

func questions(t *testing.T) (list []question) {
	t.Helper()
	f, err := os.Open(filepath.Join(stage.Root(), "scripts", "sample", "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for s := bufio.NewScanner(f); s.Scan(); {
		var q question
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	return list
}

// cites reports whether one of the articles is among the citations.
func cites(citations []law.Citation, articles []article) bool {
	return slices.ContainsFunc(citations, func(c law.Citation) bool {
		return c.Article != nil && slices.ContainsFunc(articles, func(a article) bool {
			return a.Document == c.OfficialNumber && law.ArticleKey(a.Article) == law.ArticleKey(*c.Article)
		})
	})
}

func TestSampleQuestionsAreAnsweredOverHTTP(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	client := signIn(t, s, api)

	askAmended(t, client)
	askWorded(t, client)
	var answered, refused, answerable int
	for _, q := range questions(t) {
		body := map[string]any{}
		if q.Date != "" {
			body["filters"] = map[string]any{"date": q.Date}
		}
		a, err := client.Ask(t.Context(), q.Question, body)
		if err != nil || !a.Ended || a.Error != "" {
			t.Fatalf("%s: %v, ended %v, error %q", q.ID, err, a.Ended, a.Error)
		}
		checkStream(t, q.ID, a)
		right := cites(a.Citations, q.Articles)
		switch {
		case q.Answerable:
			answerable++
			if right {
				answered++
			}
			if cites(a.Citations, q.Outdated) {
				t.Errorf("%s: an article that is no law on %s is cited", q.ID, q.Date)
			}
		case !a.OK && a.Warning != nil: // refused, or given as candidates that are not sure to answer
			refused++
		}
		t.Logf("%s right=%v ok=%v cited=%d: %s", q.ID, right, a.OK, len(a.Citations), strings.ReplaceAll(a.Text, "\n", " ⏎ "))
	}
	t.Logf("right article cited for %d of %d, %d of 3 refused", answered, answerable, refused)
	if answered < answerable-2 || refused < 3 {
		t.Errorf("right article cited for %d of %d answerable questions, %d of 3 unanswerable ones refused", answered, answerable, refused)
	}
}

// checkStream holds what every stream promises: numbers that rise by one, text
// first, one end, and citations that the text points at.
func checkStream(t *testing.T, name string, a stage.Answer) {
	t.Helper()
	for i, e := range a.Events {
		if e.ID != int64(i+1) {
			t.Errorf("%s: event %d has id %d", name, i+1, e.ID)
		}
		if last := i == len(a.Events)-1; (e.Name == "final") != last {
			t.Errorf("%s: event %d of %d is %s", name, i+1, len(a.Events), e.Name)
		}
	}
	for _, c := range a.Citations {
		if !strings.Contains(a.Text, "["+string(rune('0'+c.Index))+"]") {
			t.Errorf("%s: the text does not point at citation %d", name, c.Index)
		}
		if c.Page == nil || *c.Page < 1 || c.Excerpt == "" || len(c.Regions) == 0 {
			t.Errorf("%s: citation %d has no place: %+v", name, c.Index, c)
		}
	}
}
