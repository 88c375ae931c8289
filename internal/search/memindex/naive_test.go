package memindex

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/search/postings"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
)

// naive searches as the package comment says, in the simplest way: it scores each passage alone, sorts all of them,
// and describes the best. The search must find the same.
type naive struct {
	*snapshot
	tuning
	query   Query
	average float64
}

// candidate holds the scores of a passage in each channel.
type candidate struct {
	place
	postings.Passage
	words, pieces, held, meaning float32
	exact                        float32 // cosine by all its vectors
	meant                        bool
	found                        bool
}

// ask is a term of a question, with the words that resemble it.
type ask struct {
	queryTerm
	kindred []variant
	rarity  float64 // rarity of all together
	reach   int     // sum of the numbers of passages that contain each
	finds   bool
}

// asks returns the terms that any passage contains, the rarest first.
func (n naive) asks(all []queryTerm) (out []ask) {
	for _, w := range all {
		a, holders := ask{queryTerm: w, kindred: n.variants(w, n.tuning)}, 0.0
		for _, k := range a.kindred {
			holders += math.Pow(k.like, n.power) * float64(n.holders(k.name))
			a.reach += n.holders(k.name)
		}
		if len(a.kindred) == 0 {
			a.reach = n.holders(w.name)
			holders = float64(a.reach)
		}
		if holders > 0 {
			a.rarity = n.idf(math.Min(holders, float64(n.passages)))
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b ask) int { return cmp.Compare(float32(b.rarity), float32(a.rarity)) })
	for i := range out {
		reach := 0
		for _, a := range out[:i+1] {
			reach += a.reach
		}
		out[i].finds = i == 0 || float32(out[i].rarity) >= float32(n.minRarity)*float32(out[0].rarity) && reach <= n.tuning.maxReach
	}
	return out
}

func naively(x *Index, q Query, t tuning) []Hit {
	hits := naivelyOnce(x, q, t)
	if len(hits) < q.Limit {
		t.minRarity, t.maxReach = 0, math.MaxInt // all words select
		hits = naivelyOnce(x, q, t)
	}
	return hits
}

func naivelyOnce(x *Index, q Query, t tuning) []Hit {
	now := x.now.Load()
	n := naive{now.snapshot, t, q, max(1, now.length/math.Max(1, float64(now.passages)))}
	var lines []candidate
	for i, v := range n.views {
		docs := v.allowed(q)
		for p, of := range v.Segment.Passages {
			if docs[of.Doc] && of.InForce(q.days()) {
				lines = append(lines, candidate{place: place{view: uint32(i), passage: uint32(p)}, Passage: of})
			}
		}
	}
	for _, a := range n.asks(queryTerms(q, x.options.Lexicon, n.tuning)) {
		for i := range lines {
			n.add(&lines[i], a)
		}
	}
	served := n.mean(lines, now)
	return n.best(lines, served, queryTerms(q, x.options.Lexicon, n.tuning))
}

func (n naive) counted(l *candidate, name string) postings.Count {
	v := n.views[l.view]
	if t := v.NumberOf(name); t != postings.NoTerm {
		for p, c := range v.Postings(t) {
			if p == l.place.passage {
				return c
			}
		}
	}
	return postings.Count{}
}

func (n naive) add(l *candidate, a ask) {
	if c := n.counted(l, a.name); c.Total() > 0 {
		weight := float32(n.idf(float64(n.holders(a.name))) * a.weight)
		l.words += weight * n.saturate(float32(c.Total()), n.norm(int(n.views[l.view].Lengths[l.place.passage]), n.average))
		l.held += weight
		l.found = l.found || a.finds
	}
	body, heads := float32(0), float32(0)
	for _, k := range a.kindred {
		like := math.Pow(k.like, n.power)
		c := n.counted(l, k.name)
		body += float32(like) * float32(c.Body)
		heads += float32(like) * float32(c.Heads)
	}
	l.found = l.found || a.finds && body+heads > 0
	if len(a.kindred) > 0 {
		weight := float32(a.rarity * a.weight)
		l.pieces += weight * l.Norms.Share(body, heads, float32(n.headings)).Value()
	}
}

// mean compares all vectors with the query and each passage by its nearest vector: exactly for the nearest by
// sketches, and by sketches for the others.
func (n naive) mean(lines []candidate, now *state) bool {
	if now.meanings == nil || len(n.query.Vector) == 0 || now.generation != n.query.Generation {
		return false
	}
	q := vector.NewQuery(n.query.Vector)
	of := make(map[uuid.UUID][]int) // by passage, the indexes of its vectors in its block
	for i, v := range n.views {
		for d := range v.DocCount() {
			doc := v.Doc(uint32(d))
			b := now.meanings.blocks[doc.ID]
			if !v.allowed(n.query)[d] {
				continue
			}
			for k := range int(doc.To - doc.From) {
				id := *v.Segment.IDOf(doc.From + uint32(k))
				if b == nil || k >= len(b.passages) || len(b.passages) != int(doc.To-doc.From) || b.passages[k] != id ||
					b.set.Len() > 0 && b.set.Dimensions != q.Dimensions() {
					return false
				}
				of[id] = []int{i}
				for j := b.first[k]; j < b.first[k+1]; j++ {
					of[id] = append(of[id], int(j))
				}
			}
		}
	}
	far := func(l *candidate, i int) int {
		return now.meanings.blocks[n.views[l.view].DocID(l.Doc)].set.Distance(q, i)
	}
	var distances []int
	for i := range lines {
		least := q.Dimensions() + 1
		for _, j := range of[*n.views[lines[i].view].Segment.IDOf(lines[i].place.passage)][1:] {
			least = min(least, far(&lines[i], j))
		}
		if least <= q.Dimensions() {
			distances = append(distances, least)
		}
	}
	if len(distances) == 0 {
		return false
	}
	slices.Sort(distances)
	limit := q.Dimensions()
	if least := max(n.nearest, n.passages/n.part); len(distances) >= least {
		limit = distances[least-1]
	}
	for i := range lines {
		l := &lines[i]
		set := &now.meanings.blocks[n.views[l.view].DocID(l.Doc)].set
		l.meaning, l.exact = -1, -1
		for _, j := range of[*n.views[l.view].Segment.IDOf(l.place.passage)][1:] {
			l.exact = max(l.exact, set.Dot(q, j))
			if d := far(l, j); d <= limit {
				l.meaning, l.meant = max(l.meaning, set.Dot(q, j)), true
			} else {
				l.meaning = max(l.meaning, float32(math.Cos(math.Pi*float64(d)/float64(q.Dimensions()))))
			}
		}
	}
	return true
}

func (n naive) best(lines []candidate, served bool, wanted []queryTerm) []Hit {
	if n.query.Limit == 0 {
		return []Hit{}
	}
	lines = slices.DeleteFunc(lines, func(l candidate) bool { return !l.found && !l.meant })
	var top line
	for _, l := range lines {
		top.words, top.pieces, top.held = max(top.words, l.words), max(top.pieces, l.pieces), max(top.held, l.held)
	}
	by := &rankingInput{query: n.query, meant: served, asked: n.query.Countries, most: top, model: n.model}
	for _, a := range n.asks(wanted) {
		by.fullMatch += float32(n.idf(float64(n.holders(a.name))) * a.weight)
	}
	first, more := make([]pooled, 0, len(lines)), make([]pooled, 0, len(lines))
	for _, l := range lines {
		factor := n.tuning.countryFactor(by.asked, n.views[l.view].ClassOf(l.Doc).Countries)
		at := pooled{place: l.place, line: line{l.words, l.pieces, l.held}, cosine: l.exact}
		at.score = factor * ((1-n.tuning.pieces)*share(l.words, top.words) + n.tuning.pieces*share(l.pieces, top.pieces))
		first = append(first, at)
		if at.score = factor * float64(l.held); served {
			at.score = factor * (1 + float64(l.meaning)) / 2
		}
		more = append(more, at)
	}
	var pool []pooled
	for limit, list := range map[int][]pooled{max(poolWords, n.query.Limit): first, -max(poolNear, n.query.Limit): more} {
		slices.SortFunc(list, func(a, b pooled) int { return n.byScore(a.place, b.place) })
		for _, at := range list[:min(len(list), max(limit, -limit))] {
			if !slices.ContainsFunc(pool, func(p pooled) bool { return p.view == at.view && p.passage == at.passage }) {
				pool = append(pool, at)
			}
		}
	}
	x := &searcher{snapshot: n.snapshot, tuning: n.tuning, accumulator: &accumulator{}}
	x.clauses = make([]clause, len(n.asks(wanted)))
	return x.hits(pool, by)
}

// The fast search finds the same as the naive one: the same passages in the same order with the same scores, for any
// query and any catalogue.
func TestSearchMatchesNaive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	d := &directions{catalogue: newCatalogue(), generation: id(99), of: make(map[uuid.UUID][][]float32)}
	for n := range 60 {
		d.set(id(n), varied(r, n, d)...)
	}
	x, err := Open(t.Context(), Options{Source: d, Vectors: d})
	if err != nil {
		t.Fatal(err)
	}
	tuning := x.tuning()
	// The parameters are small enough for several windows, words that select nothing, and vectors that are not
	// compared exactly.
	tuning.maxReach, tuning.nearest, tuning.part, tuning.window, tuning.minScorers = 150, 30, 4, 64, 3
	for step := range 60 {
		n := r.IntN(80)
		if d.set(id(n)); r.IntN(5) > 0 {
			d.set(id(n), varied(r, n, d)...)
		}
		if err := x.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			q := randomQuery(r)
			if got, want := x.search(q, tuning), naively(x, q, tuning); !reflect.DeepEqual(got, want) {
				t.Fatalf("step %d, %+v:\n%v\nnaively\n%v", step, q, got, want)
			}
		}
	}
}

// varied returns a random text that may lack a vector, with several vectors for some of its passages and none for
// others.
func varied(r *rand.Rand, n int, d *directions) []postgres.IndexRow {
	rows := randomText(r, n)
	for i := range rows {
		rows[i].Path = []string{vocabulary[r.IntN(len(vocabulary))], vocabulary[r.IntN(len(vocabulary))]}
		if r.IntN(6) == 0 {
			until := day1(2021)
			rows[i].To = &until
		}
		if r.IntN(8) == 0 {
			rows[i].Passage.Text += " au Sénégal"
		}
		vectors := [][]float32{}
		for range r.IntN(4) {
			vectors = append(vectors, randomVector(r))
		}
		d.of[rows[i].Passage.ID] = vectors
	}
	if r.IntN(400) == 0 {
		delete(d.of, rows[0].Passage.ID)
	}
	return rows
}

func randomVector(r *rand.Rand) []float32 {
	v := make([]float32, 96)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

func randomQuery(r *rand.Rand) Query {
	q := Query{Limit: []int{0, 1, 3, 10, 80, 1000}[r.IntN(6)], Repealed: r.IntN(2) == 0}
	for range 1 + r.IntN(4) {
		q.Text += " " + vocabulary[r.IntN(len(vocabulary))]
	}
	if r.IntN(4) == 0 {
		q.Text += " au Sénégal"
		q.Countries = []country.Code{"sn"}
	}
	if r.IntN(3) == 0 {
		q.Earlier = "licensiement du travailleur CDD"
	}
	if r.IntN(3) == 0 {
		q.Day = day1(2020 + r.IntN(3))
	}
	if r.IntN(5) == 0 {
		q.Filters.DocumentID = new(id(r.IntN(60)))
	}
	if r.IntN(3) > 0 {
		q.Vector, q.Generation = randomVector(r), id(99)
	}
	return q
}
