package answering_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/refer"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/retrieve"
)

// asked is a Searcher that finds an article for each text, unsurely unless the text is the law's.
type asked struct {
	texts []string
	days  []time.Time
}

func (a *asked) Search(_ context.Context, q retrieve.Question) (refer.Found, error) {
	a.texts = append(a.texts, q.Text)
	if a.days = append(a.days, q.Today); q.Asked == nil { // it is read by the searcher's clock
		q = q.Parse(oneHit().result.Today)
	}
	h := oneHit().result.Hits[0]
	h.Article.ID = uuid.NewSHA1(uuid.Nil, []byte(q.Text))
	v := decide.Verdict{Grade: decide.Unsure, Why: decide.ByEvidence, Probability: 0.3}
	if strings.Contains(q.Text, "délai-congé") {
		v.Grade, v.Probability = decide.Sure, 0.97
		h.Passage.Text = "Le délai-congé est de deux mois."
		h.Article.Number, h.Passages = "9", []law.Passage{h.Passage}
	}
	return refer.Found{Result: retrieve.Result{Hits: []retrieve.Hit{h}, Verdict: v, Asked: q.Asked, Day: oneHit().result.Day, Today: oneHit().result.Today}}, nil
}

// TestQuestionsAreSaidAgain: where the search is unsure the model says the question again, and both searches' articles are read;
// without an answer in time, without use, or switched off, the first search alone counts.
func TestQuestionsAreSaidAgain(t *testing.T) {
	for name, c := range map[string]struct {
		says   string
		err    error
		off    bool
		search int
		want   string
	}{
		"in the law's words": {"« Quelle est la durée du délai-congé ? »\nVoilà.", nil, false, 2, "Le délai-congé est de deux mois [1]."},
		"the same":           {"quel est le préavis ?", nil, false, 1, ""},
		"silent":             {"", errors.New("silent"), false, 1, ""},
		"too long":           {strings.Repeat("délai-congé ", 60), nil, false, 1, ""},
		"off":                {"Quelle est la durée du délai-congé ?", nil, true, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			search, given := new(asked), 0
			b := setup(t, writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
				p.Spent(llm.Usage{Server: "m", In: 10, Out: 5})
				if p.Alone != nil {
					return errors.Join(yield(c.says), c.err)
				}
				given = len(p.Passages)
				return yield("Le délai-congé est de deux mois [1].")
			}), search)
			b.Models[extractive.Model], b.Fallback, b.Rephrase = says("Rien."), extractive.Model, !c.off
			check(t, b.Run(t.Context(), b.id))
			if len(search.texts) != c.search || given != c.search {
				t.Errorf("searched %q, %d passages", search.texts, given)
			}
			for _, day := range search.days {
				if !day.IsZero() {
					t.Errorf("read by another clock than the searcher's: %v", day)
				}
			}
			m := b.message(t)
			if c.want != "" && (m.Content != c.want || m.Certainty == nil || m.Certainty.Grade == "sure" || !strings.Contains(explained(t, b), `"again": true`)) {
				t.Errorf("%q, %+v, %s", m.Content, m.Certainty, explained(t, b))
			}
		})
	}
}

// TestASecondModelTakesAway: what the checker says of a sentence leaves it out; it adds nothing, and silent or busy it is as if it
// were not there.
func TestASecondModelTakesAway(t *testing.T) {
	const first, second, third = "Elle est d’un mois pour l’ouvrier [1].", "L’ouvrier a donc un mois [1].", "Le mois est celui de l’ouvrier [1]."
	for name, c := range map[string]struct {
		says string
		err  error
		want string
	}{
		"nothing":     {"RIEN", nil, first + " " + second + " " + third},
		"one":         {"2 : le passage ne dit pas « donc »", nil, first + " […] " + third},
		"busy":        {"2 : faux", llm.ErrBusy, first + " " + second + " " + third},
		"other words": {"Tout est faux, écrivez 900 000 francs.\n45 : rien", nil, first + " " + second + " " + third},
		"most":        {"1 : non\n- Phrase 3 : non", nil, "[…] " + second + " […]"},
	} {
		t.Run(name, func(t *testing.T) {
			read := ""
			b := setup(t, says(first+" ", second+" ", third), oneHit())
			b.Models[extractive.Model], b.Fallback, b.Checker = says("« Elle est d’un mois pour l’ouvrier. » [1]"), extractive.Model, "relecteur"
			b.Models["relecteur"] = writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
				read = p.Alone.Text
				if len(p.Passages) != 1 {
					t.Errorf("reads %d passages", len(p.Passages))
				}
				return errors.Join(yield(c.says), c.err)
			})
			check(t, b.Run(t.Context(), b.id))
			m := b.message(t)
			if !strings.HasPrefix(m.Content, c.want) || strings.Contains(m.Content, "900") || (name == "most") != strings.Contains(m.Content, "Le reste") {
				t.Errorf("%q, want %q", m.Content, c.want)
			}
			if !strings.Contains(read, "2. "+strings.Replace(second, " [1].", " . [1]", 1)) {
				t.Errorf("read %q", read)
			}
			if c.err == nil && !strings.Contains(explained(t, b), "remarks") {
				t.Error(explained(t, b))
			}
		})
	}
}

func explained(t *testing.T, b *bundle) string {
	t.Helper()
	a, err := b.DB.ExplainedAnswer(t.Context(), b.id)
	check(t, err)
	return string(a.Why)
}
