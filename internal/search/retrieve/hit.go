package retrieve

import (
	"sort"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
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

	// Repealed says that what is no longer in force answers too: the question names texts of which none is.
	Repealed bool
}

// Before is the conversation before the question.
func (q Question) Before() question.Conversation {
	return question.Conversation{Asked: q.History, Answers: q.Answers}
}

// read returns what the question says.
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
	Score          float64       // of the ranking, comparable within one result only
	Mode           Mode
	Features       rank.Features  // what is known of it
	Countries      []country.Code // whose law the text is, as far as it tells
	Local          bool           // the catalogue has law of the country that the question names
	Record         []string       // what the catalogue knows of the text beside its words: titles of texts, days, articles
	Readable       bool           // worth naming where nothing answers
	amended        []uuid.UUID    // the texts whose articles it words anew
	semantic       bool           // it was found by a search by meaning too
}

// Result is what a search gives: articles, the best first, each once.
type Result struct {
	Hits           []Hit
	Verdict        decide.Verdict     // whether the best hit answers, and why
	Semantic       bool               // found by meaning too, not by words alone
	Vectors        rank.Vectors       // that the order went by
	Reranked       bool               // the reranker gave the order
	Country        country.Code       // whose law the best hit is, where others answer too and the question names none
	OtherCountries []country.Code     // these others
	Missing        []string           // texts that the question names and the catalogue has not
	Day            time.Time          // the day whose law was searched, midnight UTC
	Today          time.Time          // the day of the search, midnight UTC
	Asked          *question.Question // the question as it was read
	Written        *DirectAnswer      // the answer, where it needs no generator
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
// the page where it begins and the places it covers. Of one that leaves something out
// (« […] ») all parts must be there, in their order. A quotation that is not there
// gives the best passage's page, no places and false.
func (h Hit) Locate(quote string) (page int, regions []law.Region, ok bool) {
	text, origin := h.Text(), h.origins()
	quote = law.Marked(quote)
	parts := findParts(text, quote)
	if parts == nil { // as a longer article is quoted, with guillemets of the second rank
		parts = findParts(text, strings.NewReplacer("“", "« ", "”", " »").Replace(quote))
	}
	if parts == nil {
		return h.Passage.Page, []law.Region{}, false
	}
	regions = []law.Region{}
	for _, part := range parts {
		for i, p := range h.Passages {
			from, to := part[0]-origin[i], part[1]-origin[i]
			if to > 0 && from < len(p.Text) {
				regions = append(regions, law.Regions(p.Spans, max(from, 0), min(to, len(p.Text)))...)
			}
		}
	}
	if len(regions) > 0 {
		return regions[0].Page, regions, true
	}
	first := sort.Search(len(origin), func(i int) bool { return origin[i] > parts[0][0] }) - 1
	return h.Passages[first].Page, regions, true
}

// findParts returns where a text has the parts of a quotation, one behind the other;
// nil when it lacks one.
func findParts(text, quote string) (found [][2]int) {
	if start, end := findIgnoringSpace(text, quote); start >= 0 {
		return [][2]int{{start, end}}
	}
	at := 0
	for part := range strings.SplitSeq(quote, "[…]") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		start, end := findIgnoringSpace(text[at:], part)
		if start < 0 {
			return nil
		}
		found = append(found, [2]int{at + start, at + end})
		at += end
	}
	return found
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
