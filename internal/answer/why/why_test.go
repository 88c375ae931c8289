package why_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
)

func found(n int) *refer.Found {
	r := &refer.Found{Result: retrieve.Result{Verdict: decide.Verdict{Grade: decide.Unsure, Probability: 0.31234567, Sure: 0.9}, Semantic: true, Day: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}}
	for i := range n {
		var h retrieve.Hit
		h.Document.ID, h.Article.ID, h.Article.Number, h.Mode, h.Score = uuid.New(), uuid.New(), "12", retrieve.ByWords, 0.3
		for f := range h.Features {
			h.Features[f] = float32(math.Sqrt(float64(f+i))) / 3
		}
		r.Hits = append(r.Hits, h)
	}
	r.Verdict.Evidence[rank.Margin] = 1.25
	return r
}

func TestWhy(t *testing.T) {
	t.Parallel()
	r := found(2)
	asked := question.Read("Quelle est la durée du préavis selon l’article 3 de la loi n° 2010-05 au Bénin ?", question.Conversation{})
	w := why.Of(asked, r, 3*time.Millisecond, []law.Citation{{Index: 1, ArticleID: &r.Hits[1].Article.ID}}, why.Writer{Model: "extractif"})
	if w.Question.Day != "2026-01-02" || len(w.Question.References) != 1 || w.Question.References[0].Articles[0] != "3" || w.Question.Countries[0] != "bj" {
		t.Errorf("read as %+v", w.Question)
	}
	if w.Candidates[0].Cited != 0 || w.Candidates[1].Cited != 1 || len(w.Candidates[1].Features) != rank.Count {
		t.Errorf("candidates %+v", w.Candidates)
	}
	if w.Gate == nil || w.Gate.Probability != 0.3123 || w.Gate.Verdict != "unsure" || w.Gate.Evidence["margin"] != 1.25 || w.Search.Took != 3 {
		t.Errorf("gate %+v, search %+v", w.Gate, w.Search)
	}
	if quiet := w.Discreet(); len(quiet.Question.References) != 0 || len(w.Question.References) != 1 {
		t.Errorf("discreet: %+v", quiet.Question)
	}
	var back why.Why
	if err := json.Unmarshal(w.Pack(), &back); err != nil || len(back.Candidates) != 2 || back.Candidates[1].Features["words"] != w.Candidates[1].Features["words"] {
		t.Errorf("%v, %+v", err, back)
	}

	r = &refer.Found{Written: &refer.Written{}, Result: retrieve.Result{Day: r.Day}}
	if w := why.Of(question.Read("bonjour", question.Conversation{}), r, 0, nil, why.Writer{}); w.Gate != nil || !w.Writer.Written || w.Question.Courtesy == "" ||
		strings.Contains(string(w.Pack()), "null,") && !strings.Contains(string(w.Pack()), `"gate":null`) {
		t.Errorf("greeting: %s", w.Pack())
	}
}

// Whatever is asked and found, a packed Why is valid JSON of at most Limit bytes.
func TestWhyIsBounded(t *testing.T) {
	t.Parallel()
	r := found(20)
	r.Verdict.Probability, r.Hits[0].Score = math.NaN(), math.Inf(1)
	asked := question.Read(strings.Repeat("article 3 de la loi n° 2010-05, ", 120), question.Conversation{})
	long := question.Read("article 7", question.Conversation{})
	for range 300 {
		long.References = append(long.References, question.Reference{Name: strings.Repeat("é", 400)})
	}
	for _, q := range []question.Question{asked, long} {
		packed := why.Of(q, r, time.Hour, nil, why.Writer{Model: strings.Repeat("m", 200)}).Pack()
		if len(packed) > why.Limit || !json.Valid(packed) || !strings.Contains(string(packed), `"verdict":"unsure"`) {
			t.Errorf("%d bytes: %.200s", len(packed), packed)
		}
	}
	eight := why.Of(asked, found(8), time.Second, nil, why.Writer{}).Pack()
	var w why.Why
	if err := json.Unmarshal(eight, &w); err != nil || len(w.Candidates) != 8 || len(w.Candidates[7].Features) == 0 {
		t.Errorf("an ordinary answer of %d bytes is cut: %v", len(eight), err)
	}
}
