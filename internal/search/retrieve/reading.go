package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
)

// Reader reads a question and texts together. It is safe for concurrent use.
type Reader interface {
	// Begin begins to read a question with at most n texts, until ctx ends. It returns how many
	// can be read by the deadline of ctx, beside the other questions that are read; score, which
	// returns how well texts answer, on the scale of rank.Evidence.AddReading, of only the first
	// ones if ctx ends before the others are read; and end, which the caller must call.
	Begin(ctx context.Context, question string, n int) (limit int, score func(texts []string) []float32, end func())
}

// Numbers of articles: readLimit is the most that a reader reads for a question, readAtOnce those that it gets at a time. Of several it
// reads fewestRead or none, because the gate goes by the lead of the best: an article that is read alone has the greatest.
const (
	readLimit  = 12
	readAtOnce = 4
	fewestRead = 2
)

// Read is what the reader contributed to a search.
type Read struct {
	Articles int     // that were read; 0: no reader was asked, or it had no time
	Unread   int     // that would have been read if there had been time
	First    float64 // probability that the first article answers, before anything was read
	Kept     bool    // the first article stayed the first
}

// readBest has the reader read the best of the ordered hits, unless the question names the
// first, no law can answer it, or the first is sure without the reader, and sorts these by the
// order's scores mixed with the reader's. It reads a few at a time, until the best is so far
// ahead that the next will hardly overtake it, or until ctx ends.
func (s *Searcher) readBest(ctx context.Context, looked *Examined, terms queryTerms, hits []Hit) {
	if s.Reader == nil || len(hits) == 0 || hits[0].Mode != ByWords || looked.Asked.Request.Lawless() || looked.Asked.Language != question.French {
		return
	}
	e, gate := s.evidence(hits, looked.Vectors), s.model().Gate.For(looked.Vectors)
	if decide.ByGate(gate, &e) == decide.Sure {
		return
	}
	wanted, fewest := min(len(hits), readLimit), min(len(hits), fewestRead)
	limit, score, end := s.Reader.Begin(ctx, looked.Asked.Meant(), wanted)
	defer end()
	model, best := rank.BuiltinReading(), math.Inf(-1)
	var scores []float64
	decided := func() bool {
		return len(scores) == wanted || len(scores) >= fewest && best-hits[len(scores)].Score > model.Lead
	}
	for late := limit < fewest; len(scores) < limit && !late && !decided(); {
		next := hits[len(scores):min(len(scores)+readAtOnce, limit)]
		texts := make([]string, len(next))
		for i, h := range next {
			texts[i] = terms.reading(h)
		}
		read := score(texts)
		late = len(read) < len(next)
		for i, x := range read {
			scores = append(scores, float64(x))
			best = max(best, next[i].Score+float64(model.Mix*float64(x)))
		}
	}
	if !decided() {
		looked.Read.Unread = wanted - len(scores)
	}
	if len(scores) < fewest {
		return
	}
	looked.Read.Articles, looked.Read.First = len(scores), gate.FirstAnswers(&e)
	part, first := hits[:len(scores)], hits[0].Article.ID
	for i := range part {
		part[i].read = scores[i]
		part[i].Score += float64(model.Mix * scores[i])
	}
	slices.SortStableFunc(part, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	looked.Read.Kept = part[0].Article.ID == first
	last := part[len(part)-1].Score
	for i := len(part); i < len(hits); i++ {
		hits[i].Score = min(hits[i].Score, last) // an article that was not read ranks after those that were
	}
}

// gate returns the gate for a search.
func (s *Searcher) gate(vectors rank.Vectors, read Read) *rank.Gate {
	if read.Articles > 0 {
		return &rank.BuiltinReading().Gate
	}
	return s.model().Gate.For(vectors)
}

// Limits in bytes of what the reader is given of an article. Together with a question they fill the reader's positions.
const (
	readTitle    = 100
	readHeadings = 160
	readText     = 520
)

// headingsRead is the number of innermost headings that a reader gets.
const headingsRead = 4

// reading returns what the reader is given of an article: the title of its text, its innermost headings, and the part
// of the found text that has most of the question's terms.
func (q *queryTerms) reading(h Hit) string {
	path := h.Article.Path
	if h.Article.Heading != "" {
		path = append(path[:len(path):len(path)], h.Article.Heading)
	}
	path = path[max(0, len(path)-headingsRead):]
	var b strings.Builder
	b.WriteString(law.Beginning(h.Document.Title, readTitle))
	b.WriteString(". ")
	if headings := cutFront(strings.Join(path, ". "), readHeadings); headings != "" {
		b.WriteString(headings)
		b.WriteString(". ")
	}
	b.WriteString(q.richest(h.Text(), readText))
	return b.String()
}

// richest returns the run of whole sentences of a text, at most n bytes long, that has the
// greatest weight of the question's terms; the first of several. A sentence that is longer
// is cut.
func (q *queryTerms) richest(text string, n int) string {
	if len(text) <= n {
		return text
	}
	weight := make(map[string]float64, len(q.terms))
	for i, t := range q.terms {
		weight[t] = max(weight[t], q.weights[i])
	}
	for _, m := range q.matches {
		for _, legal := range m.Legal {
			for _, t := range legal {
				weight[t] = max(weight[t], q.weights[m.Start])
			}
		}
	}
	sentences := french.Sentences(text)
	found := make([]map[string]bool, len(sentences))
	for i, s := range sentences {
		found[i] = make(map[string]bool)
		for _, t := range french.Terms(text[s.Start:s.End]) {
			if weight[t] > 0 {
				found[i][t] = true
			}
		}
	}
	start, end, most := 0, 0, -1.0
	for i, first := range sentences {
		has, sum := make(map[string]bool), 0.0
		for k := i; k < len(sentences) && (k == i || sentences[k].End-first.Start <= n); k++ {
			for t := range found[k] {
				if !has[t] {
					has[t] = true
					sum += weight[t]
				}
			}
			if sum > most+1e-9 {
				start, end, most = i, k, sum
			}
		}
	}
	// The run goes on to the end of what fits: a rule's conditions follow it.
	for end+1 < len(sentences) && sentences[end+1].End-sentences[start].Start <= n {
		end++
	}
	for start > 0 && sentences[end].End-sentences[start-1].Start <= n {
		start--
	}
	return law.Beginning(text[sentences[start].Start:sentences[end].End], n)
}

// cutFront returns the end of a text, at most n bytes long, without a part of a word.
func cutFront(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if pos := strings.IndexAny(text, " \n"); pos >= 0 {
		return text[pos+1:]
	}
	return strings.ToValidUTF8(text, "")
}
