package memindex

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math"
	"runtime"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/search/postings"
	"vigueur/internal/store/postgres"
)

// Sparse is a vector with few non-zero coordinates: one for each term, in ascending order.
type Sparse struct {
	Terms  []uint32
	Values []float32
}

// coordinate returns the coordinate of a term in every sparse vector. Two terms may have the same coordinate; about
// ten of 200,000 terms do.
func coordinate(term string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term)) // never fails
	return h.Sum32()&math.MaxInt32 + 1
}

func sparse(values map[uint32]float64) Sparse {
	s := Sparse{Terms: slices.Sorted(maps.Keys(values)), Values: make([]float32, 0, len(values))}
	for _, t := range s.Terms {
		s.Values = append(s.Values, float32(values[t]))
	}
	return s
}

// Weighed is a passage for a store of vectors: a sparse vector whose product with the vector of a query approximates
// the score by words, and the counts from which Among computes the exact score.
type Weighed struct {
	PassageID uuid.UUID
	Words     Sparse
	Counts    string         // in a printable encoding
	Countries []country.Code // whose law it is, as far as known
}

// Weigh returns the passages of rows, which must be ordered by text, for a catalogue whose passages have the given
// average length. The average only influences which passages are found, so it need not be up to date.
func Weigh(rows []postgres.IndexRow, average float64) []Weighed {
	b := postings.NewBuilder()
	for _, r := range rows {
		b.Add(r)
	}
	seg, t := b.Segment(), defaultTuning()
	held := make([]map[uint32]postings.Count, len(seg.Passages))
	for i := range held {
		held[i] = make(map[uint32]postings.Count)
	}
	for id := range seg.TermCount() {
		at := coordinate(seg.Term(id).Name)
		for p, c := range seg.Postings(id) {
			old := held[p][at]
			held[p][at] = postings.Count{Body: old.Body + c.Body, Heads: old.Heads + c.Heads}
		}
	}
	out := make([]Weighed, len(seg.Passages))
	for i := range seg.Passages {
		values := make(map[uint32]float64, len(held[i]))
		for at, c := range held[i] {
			tf := c.Total()
			values[at] = tf * (t.k1 + 1) / (tf + t.k1*(1-t.b+t.b*float64(seg.Lengths[i])/average))
		}
		out[i] = Weighed{PassageID: *seg.IDOf(uint32(i)), Words: sparse(values), Counts: packCounts(held[i]),
			Countries: seg.ClassOf(seg.Passages[i].Doc).Countries}
	}
	return out
}

// packCounts encodes counts as text, with differences of coordinates.
func packCounts(held map[uint32]postings.Count) string {
	raw := make([]byte, 0, 6*len(held))
	last := uint32(0)
	for _, at := range slices.Sorted(maps.Keys(held)) {
		raw = binary.AppendUvarint(raw, uint64(at-last))
		raw = binary.AppendUvarint(raw, held[at].Pack())
		last = at
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// eachCount decodes what packCounts encoded. It returns false for anything else.
func eachCount(packed string, yield func(at uint32, c postings.Count)) bool {
	raw, err := base64.RawStdEncoding.DecodeString(packed)
	if err != nil {
		return false
	}
	at := uint64(0)
	for len(raw) > 0 {
		gap, n := binary.Uvarint(raw)
		if n <= 0 || gap == 0 || gap > math.MaxInt32 {
			return false
		}
		packed, m := binary.Uvarint(raw[n:])
		if m <= 0 || packed > math.MaxUint32 {
			return false
		}
		raw = raw[n+m:]
		if at += gap; at > math.MaxInt32+1 {
			return false
		}
		yield(uint32(at), postings.Unpack(packed))
	}
	return true
}

// SparseQuery returns the vector of a question. Its product with a passage's vector approximates the passage's score
// by words and by similar words.
func (x *Index) SparseQuery(q Query) Sparse {
	s, t := x.now.Load(), defaultTuning()
	values := make(map[uint32]float64)
	for _, w := range queryTerms(q, x.options.Lexicon, t) {
		if n := s.holders(w.name); n > 0 {
			values[coordinate(w.name)] += (1 - t.pieces) * s.idf(float64(n)) * w.weight
		}
		s.addVariants(values, w, t)
	}
	return sparse(values)
}

func (s *snapshot) addVariants(values map[uint32]float64, w queryTerm, t tuning) {
	kindred := s.variants(w, t)
	holders := 0.0
	for _, k := range kindred {
		holders += math.Pow(k.like, t.power) * float64(s.holders(k.name))
	}
	idf := s.idf(math.Min(holders, float64(s.passages)))
	for _, k := range kindred {
		values[coordinate(k.name)] += t.pieces * idf * w.weight * math.Pow(k.like, t.power)
	}
}

// Candidate is a passage that another store found.
type Candidate struct {
	PassageID  uuid.UUID
	DocumentID uuid.UUID
	Counts     string  // Weighed.Counts
	Cosine     float32 // cosine of the query and the passage's nearest vector; -1 if the passage has no vector
}

// Among searches the candidates with the filters, scores and order that Search uses for all passages. It ignores
// candidates that the index does not know. If meant is set, their cosines count. Each channel is normalized by its
// best score among the candidates, so the candidates must include the best passage of each channel.
func (x *Index) Among(q Query, candidates []Candidate, meant bool) []Hit {
	s, t := x.now.Load().snapshot, x.tuning()
	wanted := queryTerms(q, x.options.Lexicon, t)
	seg, cosines := s.segmentOf(candidates, s.termNames(wanted, t))
	part := &snapshot{whole: s, views: []view{newView(postings.View{Segment: seg})}, passages: s.passages, length: s.length, longest: seg.Longest, version: s.version}
	near := searcher{query: q}
	if meant {
		near.givenCosines = cosines
	}
	hits := part.searchNear(wanted, t, near)
	runtime.KeepAlive(s) // files of a segment are mapped until it is collected
	return hits
}

// useGivenCosines sets the cosines of the candidates. All that are admitted are selected.
func (x *searcher) useGivenCosines() {
	if len(x.perView) == 0 {
		return
	}
	g, of := &x.perView[0], x.views[0].Segment.Passages
	for p, c := range x.givenCosines {
		if at := &of[p]; x.admitted[0][at.Doc] && at.InForce(x.on) {
			g.meaning[p] = c
			setBit(g.found, uint32(p))
		}
	}
}

// termNames returns the terms that a search considers, by their coordinates.
func (s *snapshot) termNames(wanted []queryTerm, t tuning) map[uint32][]string {
	seen, out := make(map[string]bool), make(map[uint32][]string)
	addName := func(name string) {
		if !seen[name] {
			seen[name] = true
			at := coordinate(name)
			out[at] = append(out[at], name)
		}
	}
	for _, w := range wanted {
		if s.holders(w.name) > 0 {
			addName(w.name)
		}
		for _, k := range s.variants(w, t) {
			addName(k.name)
		}
	}
	return out
}

// segmentOf makes a segment of the candidates that the snapshot knows, with the given terms. It returns their cosines
// in the order of the segment's passages.
func (s *snapshot) segmentOf(candidates []Candidate, names map[uint32][]string) (of *postings.Segment, cosines []float32) {
	candidates = slices.Clone(candidates)
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(slices.Compare(a.DocumentID[:], b.DocumentID[:]), slices.Compare(a.PassageID[:], b.PassageID[:]))
	})
	candidates = slices.CompactFunc(candidates, func(a, b Candidate) bool { return a.PassageID == b.PassageID })
	b := postings.NewBuilder()
	for _, c := range candidates {
		v, nth, ok := s.locate(c)
		if !ok {
			continue
		}
		at := b.Carry(v.View, nth)
		cosines = append(cosines, c.Cosine)
		eachCount(c.Counts, func(coordinate uint32, n postings.Count) {
			for _, name := range names[coordinate] {
				b.AddTerm(name, at, n)
			}
		})
	}
	return b.Carried(), cosines
}

// locate returns the view and the index of a candidate.
func (s *snapshot) locate(c Candidate) (v view, passage uint32, ok bool) {
	for _, v := range s.views {
		d, ok := v.DocOf(c.DocumentID)
		if !ok || v.Deleted[d] {
			continue
		}
		for p, to := v.Extent(d); p < to; p++ {
			if *v.Segment.IDOf(p) == c.PassageID {
				return v, p, true
			}
		}
	}
	return view{}, 0, false
}
