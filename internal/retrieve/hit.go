package retrieve

import (
	"sort"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/law"
	"vigueur/internal/llm"
	"vigueur/internal/postgres"
	"vigueur/internal/question"
)

// Question is what is asked: the words, the earlier questions of the
// conversation (oldest first) with their answers, as far as there are, and what
// narrows the search.
type Question struct {
	Text    string
	History []string
	Answers []string
	Filters law.Filters
	Asked   *question.Question // what the text says, as it was read; nil: it is read
	Within  []uuid.UUID        // only these texts answer, as the question names them; nil: any
}

// Before is the conversation before the question.
func (q Question) Before() question.Conversation {
	return question.Conversation{Asked: q.History, Answers: q.Answers}
}

// read gives what the question says.
func (q Question) read() *question.Question {
	if q.Asked != nil {
		return q.Asked
	}
	read := question.Read(q.Text, q.Before())
	return &read
}

// Mode says how a hit was found.
type Mode string

// The ways to a hit.
const (
	ByReference Mode = "reference" // the question names the article or the text
	ByWords     Mode = "words"
)

// Hit is an article found for a question, as it stands in the catalogue.
type Hit struct {
	postgres.Found               // of the best passage
	Passages       []law.Passage // those found of the article, in its order, the best among them
	Score          float64       // comparable within one result only
	Mode           Mode
	Coverage       float64        // share of the question's weight that it carries, 0 to 1
	Countries      []country.Code // whose law the text is, as far as it tells
	unfigured      bool           // a figure is asked for, and it has none of its kind
	Local          bool           // the catalogue has law of the country that the question names
	Record         []string       // what the catalogue knows of the text beside its words: titles of texts, days, articles
}

// Result is what a search gives: articles, the best first, each once.
type Result struct {
	Hits     []Hit
	Enough   bool               // the hits carry the question: an answer can rest on them
	Coverage float64            // share of the question's weight that the best hit carries, 0 to 1
	Meant    bool               // found by meaning too, not by words alone
	Reranked bool               // the reranker gave the order
	Missing  []string           // texts that the question names and the catalogue has not
	Day      time.Time          // the day whose law was searched, midnight UTC
	Today    time.Time          // the day of the search, midnight UTC
	Asked    *question.Question // the question as it was read
	Written  *Written           // the answer, where it needs no generator
}

// gap stands between passages of an article that do not follow one another.
const gap = "\n[…]\n"

// Text is the article as far as it was found. Passages that follow one another
// are put end to end, which gives back the article's own text; a gap between
// others shows as « […] » on a line of its own.
func (h Hit) Text() string {
	var b strings.Builder
	for i, p := range h.Passages {
		if i > 0 && p.Position != h.Passages[i-1].Position+1 {
			b.WriteString(gap)
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// Locate finds a quotation, verbatim but for white space, in the hit's passages:
// the page where it begins and the places it covers. A quotation that is not
// there gives the best passage's page, no places and false.
func (h Hit) Locate(quote string) (page int, regions []law.Region, ok bool) {
	text, origin := h.Text(), h.origins()
	start, end := findLoose(text, quote)
	if start < 0 { // as a longer article is quoted, with guillemets of the second rank
		start, end = findLoose(text, strings.NewReplacer("“", "« ", "”", " »").Replace(strings.TrimSuffix(quote, "[…]")))
	}
	if start < 0 {
		return h.Passage.Page, []law.Region{}, false
	}
	regions = []law.Region{}
	for i, p := range h.Passages {
		from, to := start-origin[i], end-origin[i]
		if to > 0 && from < len(p.Text) {
			regions = append(regions, law.Regions(p.Spans, max(from, 0), min(to, len(p.Text)))...)
		}
	}
	if len(regions) > 0 {
		return regions[0].Page, regions, true
	}
	first := sort.Search(len(origin), func(i int) bool { return origin[i] > start }) - 1
	return h.Passages[first].Page, regions, true
}

// origins are the offsets in Text at which the passages begin.
func (h Hit) origins() []int {
	at, origins := 0, make([]int, len(h.Passages))
	for i, p := range h.Passages {
		if i > 0 && p.Position != h.Passages[i-1].Position+1 {
			at += len(gap)
		}
		origins[i] = at
		at += len(p.Text)
	}
	return origins
}

// Prompted gives the hits as the numbered sources of a prompt, [1] being the
// first.
func (r Result) Prompted() []llm.Passage {
	out := make([]llm.Passage, len(r.Hits))
	for i, h := range r.Hits {
		out[i] = llm.Passage{N: i + 1, Title: h.Document.Title, Type: h.Document.Type, Number: h.Document.OfficialNumber,
			Article: h.Article.Number, Heading: h.Article.Heading, Path: h.Article.Path, Text: h.Text(), Score: h.Score,
			Named: h.Mode == ByReference, Record: h.Record}
		if w := h.Article.Wording; w != nil {
			out[i].Article = w.Number
			out[i].New = &llm.New{Of: w.TargetTitle, Part: w.Part, By: w.WithinNumber, Verb: w.Replaced().By()}
		}
	}
	return out
}
