// Package why explains an answer: how its question was understood, which articles were
// candidates and with what features, and how the gate decided. A worker makes a Why for
// each answer and stores it with the message; GET /admin/answers/{id}/why and « ingest ask
// --explain » show it unchanged, so it shows what happened, not what a later catalogue or
// ranking would do.
//
// A Why contains ids, numbers and names of features. Of the question it contains only the
// analysis, in which the names of texts are a person's words (see Discreet). It takes at
// most Limit bytes.
package why

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
)

// Limit is the maximum size of a Why in bytes of JSON: eight candidates with all their
// features and twenty references take about half of it.
const Limit = 24 << 10

// Why is the explanation of an answer.
type Why struct {
	Question   refer.Reading `json:"question"`
	Search     Search        `json:"search"`
	Candidates []Candidate   `json:"candidates"` // in the order of the search
	Gate       *Gate         `json:"gate"`       // null if no gate decided: the catalogue itself answers, or nothing was found
	Writer     Writer        `json:"writer"`
}

// Search is how articles were found.
type Search struct {
	Took     float64 `json:"ms"`
	Semantic bool    `json:"meant"` // articles were searched by meaning, too, not only by words
	// Sentences reports whether the vectors of sentences were also used to order the
	// articles.
	Sentences bool `json:"sentences"`
	Read      int  `json:"read"`   // articles that the reader read together with the question
	Unread    int  `json:"unread"` // articles for which it had no time
	Closed    bool `json:"closed"` // no law answers, or a text in the question is not in the catalogue
}

// Candidate is an article that was considered.
type Candidate struct {
	Document    uuid.UUID          `json:"document_id"`
	Article     uuid.UUID          `json:"article_id"`
	Number      string             `json:"article"`
	Mode        retrieve.Mode      `json:"mode" enum:"reference,words"`
	Probability float64            `json:"probability"` // probability that it answers
	Cited       int                `json:"cited"`       // its number in the answer; 0: not cited
	Features    map[string]float64 `json:"features"`
}

// Gate is the decision whether to answer.
type Gate struct {
	Verdict     string             `json:"verdict" enum:"unlikely,unsure,likely,sure"`
	Probability float64            `json:"probability"` // that the first candidate answers
	Sure        float64            `json:"sure"`        // the probability from which it is considered certain
	Evidence    map[string]float64 `json:"evidence"`
}

// Writer is what wrote the answer.
type Writer struct {
	Model   string `json:"model"`
	Instead string `json:"instead"` // why another generator than the requested one wrote; "" if the requested one did
	Again   bool   `json:"again"`   // the model said the question again, and articles were found for it
	Remarks string `json:"remarks"` // what a second model said of the answer; "" if none read it, or it said nothing in time
	Written bool   `json:"written"` // the search wrote the answer itself, without a generator
}

// Of returns the Why of an answer, from its search and its citations. took is the duration
// of the search.
func Of(asked question.Question, found *refer.Found, took time.Duration, citations []law.Citation, writer Writer) Why {
	w := Why{Question: limit(refer.ReadingOf(asked, found.Day, found.Mentions...)), Candidates: make([]Candidate, 0, len(found.Hits)), Writer: writer,
		Search: Search{Took: round(float64(took) / float64(time.Millisecond)), Semantic: found.Semantic, Sentences: found.Vectors == rank.SentenceVectors, Read: found.Read.Articles, Unread: found.Read.Unread, Closed: found.Verdict.Closed()}}
	for i := range found.Hits[:min(len(found.Hits), candidates)] {
		h := &found.Hits[i]
		c := Candidate{Document: h.Document.ID, Article: h.Article.ID, Number: h.Article.Number, Mode: h.Mode, Probability: round(h.Score), Features: roundAll(h.Features.ByName())}
		for _, cited := range citations {
			if cited.ArticleID != nil && *cited.ArticleID == h.Article.ID {
				c.Cited = cited.Index
			}
		}
		w.Candidates = append(w.Candidates, c)
	}
	if w.Writer.Written = found.Written != nil; !w.Writer.Written && len(found.Hits) > 0 {
		v := found.Verdict
		w.Gate = &Gate{Verdict: v.Grade.String(), Probability: round(v.Probability), Sure: v.Sure, Evidence: roundAll(v.Evidence.ByName())}
	}
	return w
}

// Maximum numbers of candidates, of references, of articles in a reference, and of
// characters of a name. Questions that people write stay below them.
const (
	candidates = 12
	references = 20
	articles   = 10
	characters = 200
)

func limit(r refer.Reading) refer.Reading {
	r.References = r.References[:min(len(r.References), references)]
	for i := range r.References {
		m := &r.References[i]
		m.Name, m.Articles = cut(m.Name), m.Articles[:min(len(m.Articles), articles)]
		for _, list := range [][]string{m.Articles, m.Texts} {
			for k := range list {
				list[k] = cut(list[k])
			}
		}
	}
	return r
}

func cut(text string) string {
	if runes := []rune(text); len(runes) > characters {
		return string(runes[:characters]) + "…"
	}
	return text
}

// Pack encodes a Why as JSON of at most Limit bytes: if it is longer, features are left out
// from the last candidate to the first, then the last candidates, then the last references.
// Pack returns nil if the JSON is too long without all of these.
func (w Why) Pack() json.RawMessage {
	w.Candidates = slices.Clone(w.Candidates)
	for {
		data, err := json.Marshal(w)
		if err != nil {
			panic(err) // numbers and strings; round removes what JSON cannot encode
		}
		last := len(w.Candidates) - 1
		switch {
		case len(data) <= Limit:
			return data
		case w.trim():
		case last >= 0:
			w.Candidates = w.Candidates[:last]
		case len(w.Question.References) > 0:
			w.Question.References = w.Question.References[:len(w.Question.References)-1]
		default:
			return nil
		}
	}
}

// trim removes the features of the last candidate that has any, and reports whether there
// was one.
func (w *Why) trim() bool {
	for i := len(w.Candidates) - 1; i >= 0; i-- {
		if len(w.Candidates[i].Features) > 0 {
			w.Candidates[i].Features = map[string]float64{}
			return true
		}
	}
	return false
}

// Discreet removes the words of the person who asked, and those about the answer.
func (w Why) Discreet() Why {
	w.Writer.Remarks = ""
	w.Question.References = []refer.Interpretation{}
	return w
}

func roundAll(all map[string]float64) map[string]float64 {
	for name, x := range all {
		all[name] = round(x)
	}
	return all
}

// round rounds to four decimals; NaN and infinities become 0.
func round(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return math.Round(x*1e4) / 1e4
}
