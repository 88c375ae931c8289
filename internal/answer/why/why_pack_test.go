package why_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
)

// heavy returns a Why whose parts have the given sizes.
func heavy(candidates, features, references, nameLength int) why.Why {
	w := why.Why{Gate: &why.Gate{Verdict: "sure", Evidence: map[string]float64{}}}
	for i := range candidates {
		c := why.Candidate{Document: uuid.New(), Article: uuid.New(), Number: fmt.Sprint(i), Features: map[string]float64{}}
		for f := range features {
			c.Features[fmt.Sprintf("feature %04d", f)] = 0.1234
		}
		w.Candidates = append(w.Candidates, c)
	}
	for i := range references {
		w.Question.References = append(w.Question.References, refer.Interpretation{Name: fmt.Sprintf("%03d", i) + strings.Repeat("n", nameLength)})
	}
	return w
}

// unpacked packs a Why and returns what is left of it.
func unpacked(t *testing.T, w why.Why) why.Why {
	t.Helper()
	data := w.Pack()
	var out why.Why
	if err := json.Unmarshal(data, &out); err != nil || len(data) > why.Limit {
		t.Fatalf("%d bytes: %v", len(data), err)
	}
	return out
}

// A Why that fits is kept whole. Otherwise Pack leaves out as little as possible: the
// features of the last candidates first, then the last candidates, then the last references.
func TestPackLeavesOutTheLeastImportant(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		w                                 why.Why
		features, candidates, allFeatures bool // whether any features and candidates are left, and whether all features are
	}{
		"what fits":                    {heavy(8, 30, 3, 20), true, true, true},
		"too many features":            {heavy(12, 120, 3, 20), true, true, false},
		"many candidates and names":    {heavy(12, 30, 50, 250), true, true, false},
		"names that leave little room": {heavy(12, 60, 68, 250), false, true, false},
		"names alone are too many":     {heavy(12, 30, 200, 200), false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			previous := len(c.w.Candidates)
			out := unpacked(t, c.w)
			with := 0
			for i, candidate := range out.Candidates {
				if candidate.Article != c.w.Candidates[i].Article {
					t.Fatalf("candidate %d is another one", i)
				}
				if len(candidate.Features) > 0 {
					if with++; with != i+1 || len(candidate.Features) != len(c.w.Candidates[i].Features) {
						t.Errorf("candidate %d has features, or a part of them, and one before has none", i)
					}
				}
			}
			if with > 0 && len(out.Candidates) != previous || len(out.Candidates) > 0 && len(out.Question.References) != len(c.w.Question.References) {
				t.Errorf("%d with features of %d candidates, %d references: left out in another order", with, len(out.Candidates), len(out.Question.References))
			}
			if got := len(c.w.Candidates[previous-1].Features); got == 0 {
				t.Error("packing has changed the Why")
			}
			if with > 0 != c.features || len(out.Candidates) > 0 != c.candidates || (with == previous) != c.allFeatures {
				t.Errorf("%d with features of %d candidates", with, len(out.Candidates))
			}
			for i, r := range out.Question.References {
				if r.Name != c.w.Question.References[i].Name {
					t.Errorf("reference %d is %.10q…", i, r.Name)
				}
			}
			// The part that was left out last would not have fit.
			if len(out.Candidates) == 0 {
				out.Question.References = c.w.Question.References[:len(out.Question.References)+1]
			} else if with < previous && with > 0 {
				out.Candidates[with].Features = c.w.Candidates[with].Features
			}
			if more, _ := json.Marshal(out); !c.allFeatures && (with > 0 || len(out.Candidates) == 0) && len(more) <= why.Limit {
				t.Errorf("with one more it would have %d bytes", len(more))
			}
		})
	}
}

// Pack returns nil for a Why that cannot be made short enough; the answer is then stored
// without it.
func TestPackGivesUp(t *testing.T) {
	t.Parallel()
	if data := (why.Why{Writer: why.Writer{Model: strings.Repeat("m", why.Limit)}}).Pack(); data != nil {
		t.Errorf("%d bytes", len(data))
	}
}

// Of cuts long names and lists of a question, and does not change its arguments.
func TestOfBoundsTheQuestion(t *testing.T) {
	t.Parallel()
	var asked question.Question
	for i := range 30 {
		r := question.Reference{Name: strings.Repeat("é", 199+i)}
		for a := range 15 {
			r.Articles = append(r.Articles, fmt.Sprint(a, strings.Repeat("x", 300)))
		}
		asked.References = append(asked.References, r)
	}
	w := why.Of(asked, found(1), 0, nil, why.Writer{})
	if n := len(w.Question.References); n != 20 {
		t.Fatalf("%d references", n)
	}
	for i, length := range []int{199, 200, 201, 201} { // the third and fourth name are cut and end with « … »
		r := w.Question.References[i]
		if n := utf8.RuneCountInString(r.Name); n != length || strings.HasSuffix(r.Name, "…") != (i > 1) || len(r.Articles) != 10 || utf8.RuneCountInString(r.Articles[9]) != 201 {
			t.Errorf("reference %d has a name of %d characters and %d articles", i, n, len(r.Articles))
		}
	}
	if len(asked.References) != 30 || len(asked.References[0].Articles) != 15 || len(asked.References[0].Articles[0]) < 300 {
		t.Error("the question has changed")
	}
}

func TestOfBoundsTheCandidates(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, 12: 12, 13: 12, 40: 12} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			r := found(n)
			w := why.Of(question.Question{}, r, 0, nil, why.Writer{})
			if len(w.Candidates) != want || w.Candidates == nil || (w.Gate != nil) != (n > 0) {
				t.Fatalf("%d candidates, gate %+v", len(w.Candidates), w.Gate)
			}
			for i, c := range w.Candidates {
				if c.Article != r.Hits[i].Article.ID || c.Document != r.Hits[i].Document.ID || c.Mode != retrieve.ByWords || c.Number != "12" || c.Probability != 0.3 {
					t.Errorf("candidate %d: %+v", i, c)
				}
			}
		})
	}
}

// Numbers are rounded to four decimals; those that JSON cannot encode become 0.
func TestFiguresAreRounded(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{0.12344: 0.1234, 0.12345001: 0.1235, -1.99999: -2, 0.00004: 0, 1e12: 1e12, math.Inf(1): 0, math.Inf(-1): 0} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			t.Parallel()
			r := found(1)
			r.Verdict.Probability, r.Verdict.Evidence[rank.Margin], r.Hits[0].Score = x, x, x
			w := why.Of(question.Question{}, r, 0, nil, why.Writer{})
			if w.Gate.Probability != want || w.Gate.Evidence["margin"] != want || w.Candidates[0].Probability != want {
				t.Errorf("%v, %v and %v, want %v", w.Gate.Probability, w.Gate.Evidence["margin"], w.Candidates[0].Probability, want)
			}
		})
	}
}

// Gate is set only if the gate decided.
func TestGateOfAnAnswerThatTheCatalogueWrote(t *testing.T) {
	t.Parallel()
	r := found(3)
	r.Written, r.Verdict = &refer.Written{}, decide.WithoutArticle(decide.NoLaw)
	w := why.Of(question.Question{}, r, 1234567*time.Nanosecond, nil, why.Writer{Model: "m", Instead: "trop demandé"})
	if w.Gate != nil || w.Writer != (why.Writer{Model: "m", Instead: "trop demandé", Written: true}) {
		t.Errorf("gate %+v, writer %+v", w.Gate, w.Writer)
	}
	if want := (why.Search{Took: 1.2346, Semantic: true, Closed: true}); w.Search != want {
		t.Errorf("search %+v, want %+v", w.Search, want)
	}
}

// A candidate has the number of the citation of its article. Citations without an article, or
// of another article, do not count.
func TestCitationsOfCandidates(t *testing.T) {
	t.Parallel()
	r, other := found(3), uuid.New()
	cited := []law.Citation{{Index: 1}, {Index: 2, ArticleID: &other}, {Index: 3, ArticleID: &r.Hits[2].Article.ID}, {Index: 4, ArticleID: &r.Hits[0].Article.ID}}
	var got []int
	for _, c := range why.Of(question.Question{}, r, 0, cited, why.Writer{}).Candidates {
		got = append(got, c.Cited)
	}
	if !slices.Equal(got, []int{4, 0, 3}) {
		t.Errorf("cited as %v", got)
	}
}

// Discreet leaves out what a person wrote and nothing else; the person's words are nowhere in
// the JSON.
func TestDiscreet(t *testing.T) {
	t.Parallel()
	asked := question.Read("Que dit l’article 3 de la loi n° 2010-05 du sel ?", question.Conversation{})
	w := why.Of(asked, found(2), time.Second, nil, why.Writer{Model: "m"})
	quiet := w.Discreet()
	if s := string(quiet.Pack()); strings.Contains(s, "2010-05") || !strings.Contains(string(w.Pack()), "2010-05") || !strings.Contains(s, `"references":[]`) {
		t.Errorf("discreet: %s", s)
	}
	if quiet.Question.References = w.Question.References; !reflect.DeepEqual(quiet, w) {
		t.Errorf("%+v\nwant %+v", quiet, w)
	}
}

// A Gate contains the name of the verdict.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"unlikely", "unsure", "likely", "sure"} {
		r := found(1)
		r.Verdict.Grade = decide.Grade(i)
		if got := why.Of(question.Question{}, r, 0, nil, why.Writer{}).Gate.Verdict; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
