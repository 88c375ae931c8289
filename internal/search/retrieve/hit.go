package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

// Question is a question with its context: the earlier questions of the conversation
// (oldest first), the answers to them as far as there are any, and the filters of the
// search.
type Question struct {
	Text    string
	History []string
	Answers []string
	Filters law.Filters
	Names   []naming.Given     // what operators call texts
	Today   time.Time          // the day of the question; zero if words like « hier » are to mean no day
	Asked   *question.Question // the analysis of Text; nil means that the search makes it
	// Mentions is what the references in the question mean; nil means that the search looks
	// them up; an empty list means that there are none.
	Mentions []named.Mention
	Within   []uuid.UUID // only these texts may answer, because the question names them; nil means all

	// Repealed is set if repealed law may answer, too, because the question names only
	// texts that are no longer in force.
	Repealed bool
	// Wide asks for more articles, and for whole ones, because a model reads and judges them.
	Wide bool
}

// Before returns what was said and chosen before the question.
func (q Question) Before() question.Conversation {
	return question.Conversation{Asked: q.History, Answers: q.Answers, Country: country.Code(q.Filters.Country), Today: q.Today, Names: q.Names}
}

// Complete returns a question that was parsed. If it repeats earlier ones as of another day, its text becomes the
// complete question, and the repeated turns are left out.
func (q Question) Complete() Question {
	if n := q.Asked.Replaces; n > 0 {
		q.Text, q.History = q.Asked.Text, q.History[:len(q.History)-n]
		q.Answers = q.Answers[:min(len(q.Answers), len(q.History))]
	}
	return q
}

// Parse returns the question with its analysis and its day, which is that of the country whose law it asks about. It
// parses nothing if the question has its analysis of that day already.
func (q Question) Parse(now time.Time) Question {
	for range 2 { // the country is known only after the first time, and « hier » depends on it
		if today := q.todayAt(now); q.Asked == nil || !q.Today.Equal(today) {
			q.Today = today
			q.Asked = new(question.Read(q.Text, q.Before()))
		}
	}
	return q
}

// todayAt returns the day of the question at a time, midnight UTC.
func (q Question) todayAt(now time.Time) time.Time {
	if q.Filters.Country != "" || q.Asked == nil {
		return country.Today(now, country.Code(q.Filters.Country))
	}
	return country.Today(now, q.Asked.AskedCountries()...)
}

// read returns the analysis of the question.
func (q Question) read() *question.Question {
	if q.Asked != nil {
		return q.Asked
	}
	return new(question.Read(q.Text, q.Before()))
}

// Mode says how a hit was found.
type Mode string

// The ways in which a hit can be found.
const (
	ByReference Mode = "reference" // the question names the article or the text
	ByWords     Mode = "words"
)

// Hit is an article found for a question, with its data in the catalogue.
type Hit struct {
	Passage    law.Passage // the best one, without spans
	Article    law.Article // without Text and Spans
	Document   law.Document
	From       time.Time  // first day in force
	To         *time.Time // first day no longer in force; nil if unknown
	RepealedOn *time.Time // day from which the whole text is repealed
	Relations  []law.RelationRef
	Versions   []postgres.FoundVersion // of the article, oldest first; empty if no act changes or ends it
	Passages   []law.Passage           // the passages found of the article, in its order; Passage is among them
	Score      float64                 // from the ranking; comparable only within one result
	Mode       Mode
	Features   rank.Features  // the evidence of the ranking and the gate about the article
	Countries  []country.Code // countries that the text belongs to, as far as known
	Guessed    bool           // nobody has said so: these are the countries that the text mentions most
	Local      bool           // the catalogue has law of the country that the question names
	Record     []string       // further facts from the catalogue about the text: titles of texts, days, articles
	Readable   bool           // worth naming to the reader if no article answers
	// Assembled is the version of the article if acts made its wording, and nil if it is as
	// printed. The article then has one passage.
	Assembled *postgres.FoundVersion
	Support   bool        // an article of an act that made the wording of another hit; it was not found for the question
	amended   []uuid.UUID // the texts with an article that this hit gives a new wording
	printed   []uuid.UUID // the printed passages found of an assembled article
	read      float64     // the score of the reader
}

// HitOf returns the hit of a passage of the catalogue.
func HitOf(f postgres.Found) Hit {
	return Hit{Passage: f.Passage, Article: f.Article, Document: f.Document, From: f.From, To: f.To, RepealedOn: f.RepealedOn, Relations: f.Relations, Versions: f.Versions}
}

// Result is what a search returns: articles, best first, each once.
type Result struct {
	Hits           []Hit
	Verdict        decide.Verdict     // whether the best hit answers, and why
	Semantic       bool               // the search also went by meaning
	Vectors        rank.Vectors       // the vectors that the order was computed with
	Read           Read               // what a reader added
	Country        country.Code       // country of the best hit, if the question names several, or none and something of another country was found
	OtherCountries []country.Code     // the other countries whose hits are likely too
	Missing        []string           // texts that the question names and the catalogue does not have
	Day            time.Time          // the day whose law was searched, midnight UTC
	Today          time.Time          // the day of the search, midnight UTC
	Asked          *question.Question // the analysis of the question
	Mentions       []named.Mention    // what its references mean, as far as they were resolved
}

// Unplaced reports whether nobody knows whose law the text is.
func (h Hit) Unplaced() bool { return len(h.Countries) == 0 || h.Guessed }

// gap separates passages of an article that are not consecutive.
const gap = "\n[…]\n"

// Text returns the text of the article as far as it was found. Consecutive passages are
// concatenated, which restores the article's own text; between others there is a line
// with « […] ».
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

// Locate finds a quotation in the hit's passages, verbatim except for white space. It
// returns the page where the quotation begins and the regions that it covers. If the
// quotation omits something (« […] »), the text must have all its parts, in their order.
// If the text does not have the quotation, Locate returns the page of the best passage,
// no regions and false.
func (h Hit) Locate(quote string) (page int, regions []law.Region, ok bool) {
	text, origin := h.Text(), h.origins()
	quote = law.Marked(quote)
	parts := findParts(text, quote)
	if parts == nil { // an article that itself contains guillemets is quoted with “ ” for the inner ones
		parts = findParts(text, strings.NewReplacer("“", "« ", "”", " »").Replace(quote))
	}
	if parts == nil {
		return h.Passage.Page, []law.Region{}, false
	}
	regions = []law.Region{}
	for _, part := range parts {
		for i, p := range h.Passages {
			start, end := part[0]-origin[i], part[1]-origin[i]
			if end > 0 && start < len(p.Text) {
				regions = append(regions, law.Regions(p.Spans, max(start, 0), min(end, len(p.Text)))...)
			}
		}
	}
	if len(regions) > 0 {
		return regions[0].Page, regions, true
	}
	first := sort.Search(len(origin), func(i int) bool { return origin[i] > parts[0][0] }) - 1
	return h.Passages[first].Page, regions, true
}

// findParts returns the positions in text of the parts of a quotation, one after the
// other, or nil if the text lacks one.
func findParts(text, quote string) (found [][2]int) {
	pos := 0
	for part := range strings.SplitSeq(quote, "[…]") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		start, end := findIgnoringSpace(text[pos:], part)
		if start < 0 {
			return nil
		}
		found = append(found, [2]int{pos + start, pos + end})
		pos += end
	}
	return found
}

// origins returns the offsets in Text at which the passages begin.
func (h Hit) origins() []int {
	pos, origins := 0, make([]int, len(h.Passages))
	for i, p := range h.Passages {
		if i > 0 && p.Position != h.Passages[i-1].Position+1 {
			pos += len(gap)
		}
		origins[i] = pos
		pos += len(p.Text)
	}
	return origins
}

// candidate is a passage that the index returned, and how it was found.
type candidate struct {
	memindex.Hit
	Mode Mode
}

// mergeCandidates returns the passages found by reference, then those found by words:
// each passage once, at most passageLimit in all.
func mergeCandidates(byReference []candidate, searched []memindex.Hit) []candidate {
	seen := make(map[uuid.UUID]bool)
	var out []candidate
	all := slices.Clone(byReference)
	for _, h := range searched {
		all = append(all, candidate{h, ByWords})
	}
	for _, c := range all {
		if !seen[c.PassageID] && len(out) < passageLimit {
			seen[c.PassageID] = true
			out = append(out, c)
		}
	}
	return out
}

// groupByArticle groups the candidates by article and returns one hit per article, in the
// order of each article's best passage, at most weighedLimit hits. It drops passages that
// the catalogue no longer has or that no longer fit the query, and the signatures at the
// end of a text.
func groupByArticle(candidates []candidate, found map[uuid.UUID]postgres.Found, q memindex.Query) []Hit {
	hits := []Hit{}
	positions := make(map[uuid.UUID]int)
	for _, c := range candidates {
		printed, ok := found[c.PassageID]
		if !ok || !fits(printed, q) {
			continue
		}
		f, version, ok := onDay(printed, q.Day)
		if !ok || f.Article.Number == "" && f.Article.Heading == signatures {
			continue
		}
		i, known := positions[f.Article.ID]
		if !known {
			if len(hits) == weighedLimit {
				continue
			}
			i = len(hits)
			positions[f.Article.ID] = i
			h := HitOf(f)
			h.Score, h.Mode, h.Features, h.Countries, h.Guessed, h.Local, h.Assembled, h.amended = c.Score, c.Mode, c.Features, c.Countries, c.Guessed, c.Local, version, c.Amended
			hits = append(hits, h)
			if version != nil {
				hits[i].Passages = []law.Passage{f.Passage}
			}
		}
		hits[i].add(printed.Passage, version != nil)
	}
	for _, h := range hits {
		slices.SortFunc(h.Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
	}
	return hits
}

// signatures is the heading of the article that holds the end of a text.
const signatures = "Signatures"

// fits reports whether a passage fits the query, by its current data in the catalogue;
// the index may be out of date.
func fits(f postgres.Found, q memindex.Query) bool {
	d, w := f.Document, q.Filters
	return w.Admit(d.ID, d.Domain, d.Type, d.Status) &&
		(q.Repealed || w.Status != "" || d.Status != law.Repealed) &&
		inForce(f, q.Day)
}

func inForce(f postgres.Found, day time.Time) bool {
	return day.IsZero() || !day.Before(f.From) && (f.To == nil || day.Before(*f.To))
}

// Sentences compares passages with a question by a model that reads whole sentences. Its
// methods are safe for concurrent use.
type Sentences interface {
	// Question returns the vector of a question, nil with an error.
	Question(ctx context.Context, text string) ([]float32, error)
	// Cosines compares the vector of a question with the vectors of passages. It omits
	// passages that have no vector yet. It reads these vectors before it calls question, which
	// waits for the vector of the question and returns nil if there is none; the result is empty
	// then.
	Cosines(ctx context.Context, question func() []float32, passages []uuid.UUID) (map[uuid.UUID]Cosines, error)
}

// Cosines are the greatest cosines of the vector of a question and the vectors of a passage or
// an article.
type Cosines struct {
	Sentence  float32
	Projected float32 // after the learned projection; NaN without one
}

// noCosines are the cosines of a passage without vectors.
var noCosines = Cosines{float32(math.NaN()), float32(math.NaN())}

// greatest returns the greater of each pair of cosines. NaN is less than every number.
func (c Cosines) greatest(o Cosines) Cosines {
	return Cosines{slices.MaxFunc([]float32{c.Sentence, o.Sentence}, cmp.Compare), slices.MaxFunc([]float32{c.Projected, o.Projected}, cmp.Compare)}
}

// minRead is the minimum share of the articles that must have a passage with a sentence
// vector. With fewer, the mean that the other articles get would be a guess.
const minRead = 0.5

// startEmbedding starts to embed a question and returns a function that waits for its vector. That function returns nil
// without Sentences, after an error, and when its context ends; the search then uses no sentence vectors.
func (s *Searcher) startEmbedding(ctx context.Context, text string) (vector func(ctx context.Context) []float32) {
	if s.Sentences == nil {
		return func(context.Context) []float32 { return nil }
	}
	made := make(chan []float32, 1)
	go func() {
		v, _ := s.Sentences.Question(ctx, text)
		made <- v
	}()
	return func(ctx context.Context) []float32 {
		select {
		case v := <-made:
			return v
		case <-ctx.Done():
			return nil
		}
	}
}

// startCosines starts to compare the hits with the question and returns a function that waits
// for the cosines: for each hit those of its nearest passages, NaN if none of its passages has a
// vector yet. That function returns nil if too few hits have one, or if the question has no vector.
// The features of the hits may be set meanwhile.
func (s *Searcher) startCosines(ctx context.Context, question func(ctx context.Context) []float32, hits []Hit) func() []Cosines {
	if s.Sentences == nil || len(hits) == 0 {
		return func() []Cosines { return nil }
	}
	ids := make([][]uuid.UUID, len(hits))
	for i := range hits {
		ids[i] = hits[i].passagesWithVectors()
	}
	var out []Cosines
	wait := parallel.Go(func() { out = s.sentenceCosines(ctx, question, ids) })
	return func() []Cosines {
		wait()
		return out
	}
}

// sentenceCosines returns the greatest cosines of each list of passages.
func (s *Searcher) sentenceCosines(ctx context.Context, question func(ctx context.Context) []float32, lists [][]uuid.UUID) []Cosines {
	cosines, err := s.Sentences.Cosines(ctx, func() []float32 { return question(ctx) }, slices.Concat(lists...))
	if err != nil {
		return nil
	}
	out, read := make([]Cosines, len(lists)), 0
	for i, passages := range lists {
		out[i] = noCosines
		for _, id := range passages {
			if c, ok := cosines[id]; ok {
				out[i] = out[i].greatest(c)
			}
		}
		if out[i].Sentence == out[i].Sentence {
			read++
		}
	}
	if float64(read) < minRead*float64(len(lists)) {
		return nil
	}
	return out
}

// addSentenceFeatures sets the sentence features of the hits from their cosines. A hit
// without a cosine gets the mean of the others.
func addSentenceFeatures(hits []Hit, cosines []Cosines) {
	sentence, projected := make([]float32, len(cosines)), make([]float32, len(cosines))
	for i, c := range cosines {
		sentence[i], projected[i] = c.Sentence, c.Projected
	}
	best := fillMean(sentence)
	rankCosines(sentence, func(i int, rankOf float32) {
		f := &hits[i].Features
		f[rank.Sentence], f[rank.SentenceGap], f[rank.RankSentence] = sentence[i], sentence[i]-best, rankOf
	})
	if fillMean(projected); len(projected) == 0 || projected[0] != projected[0] {
		return // there is no projection
	}
	rankCosines(projected, func(i int, rankOf float32) {
		f := &hits[i].Features
		f[rank.Projected], f[rank.RankProjected] = projected[i], rankOf
	})
}

// fillMean replaces each NaN by the mean of the other cosines and returns the greatest one.
func fillMean(cosines []float32) (best float32) {
	sum, n := 0.0, 0
	best = -1
	for _, c := range cosines {
		if c == c {
			sum, n, best = sum+float64(c), n+1, max(best, c)
		}
	}
	for i, c := range cosines {
		if c != c {
			cosines[i] = float32(sum / float64(n))
		}
	}
	return best
}

// rankCosines calls set for each cosine with its rank as a feature, -ln(1 + rank).
func rankCosines(cosines []float32, set func(i int, rankOf float32)) {
	order := make([]int, len(cosines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
	for place, i := range order {
		set(i, float32(-math.Log1p(float64(place))))
	}
}
