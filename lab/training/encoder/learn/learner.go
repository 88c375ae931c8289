package learn

import (
	"math/rand/v2"
	"slices"

	"vigueur/internal/search/encode"
)

// Options are how much is learned. Zero values are what Defaults has.
type Options struct {
	Dimensions int
	Batch      int     // pairs that are told apart at a time
	LawSteps   int     // on the codes
	LaySteps   int     // on the sheets
	LawRate    float64 // of the first step; the last has none
	LayRate    float64
	Heat       float64 // by which likenesses are divided: less heeds the nearest more
}

// Defaults are the options that served best; lab/experiments.md tells what was tried.
func Defaults() Options {
	return Options{Dimensions: 192, Batch: 512, LawSteps: 800, LaySteps: 800, LawRate: 0.004, LayRate: 0.004, Heat: 0.05}
}

// Learner has learned something.
type Learner struct {
	*Corpus
	Options
	model *model
	// Tell is told how far a stage is, now and then; it may be nil.
	Tell func(stage string, step, of int, loss float64)
}

// New begins with what words stand together in the texts.
func New(c *Corpus, o Options) *Learner {
	rows := begin(c.words, c.bags(), o.Dimensions)
	return &Learner{Corpus: c, Options: o, model: newModel(rows, c.words.idf, o.Dimensions)}
}

// Clone returns a learner that goes its own way from here.
func (l *Learner) Clone() *Learner {
	c := *l
	c.model = l.model.clone()
	return &c
}

// Law learns from the codes.
func (l *Learner) Law() {
	d := &drawer{Corpus: l.Corpus, random: rand.New(rand.NewPCG(1, 21))}
	l.steps("law", l.LawSteps, l.LawRate, d.law)
}

// Lay learns from the sheets that keep takes.
func (l *Learner) Lay(keep func(*Sheet) bool) {
	d := &drawer{Corpus: l.Corpus, random: rand.New(rand.NewPCG(1, 31))}
	var kept []int
	for i := range l.Sheets {
		if !keep(&l.Sheets[i]) {
			continue
		}
		kept = append(kept, i)
		if len(l.Sheets[i].Right) > 0 {
			d.judged = append(d.judged, i)
		}
	}
	l.meet(kept)
	l.steps("lay", l.LaySteps, l.LayRate, func(n int) []pair {
		lay := int(layShare * float64(n))
		return append(d.lay(lay), d.law(n-lay)...)
	})
}

// meet gives words that no article has, and that so have no direction yet, that
// of the sheets they are in: of their other words and of the headings of the articles
// that they rest on.
func (l *Learner) meet(sheets []int) {
	known := l.inArticles()
	sums := make(map[int32][]float32)
	for _, k := range sheets {
		s := &l.Sheets[k]
		var heard, news []int32
		for _, w := range slices.Concat(append(s.sentences[:len(s.sentences):len(s.sentences)], s.title)...) {
			if known[w] {
				heard = append(heard, w)
			} else {
				news = append(news, w)
			}
		}
		for _, right := range s.Right {
			heard = append(heard, l.Articles[right].path...)
		}
		v, _ := l.model.encode([][]int32{heard})
		for _, w := range news {
			if sums[w] == nil {
				sums[w] = make([]float32, l.model.d)
			}
			addTo(sums[w], v, 1)
		}
	}
	for w, v := range sums { // each by itself: the order does not matter
		unit(v)
		copy(l.model.row(w), v)
	}
}

// inArticles tells of each word whether an article has it.
func (l *Learner) inArticles() []bool {
	known := make([]bool, len(l.words.words))
	mark := func(words []int32) {
		for _, w := range words {
			known[w] = true
		}
	}
	for i := range l.Articles {
		mark(l.Articles[i].path)
		for _, s := range l.Articles[i].sentences {
			mark(s)
		}
	}
	return known
}

// steps takes n steps on batches that draw gives, each smaller than the last.
func (l *Learner) steps(stage string, n int, rate float64, draw func(n int) []pair) {
	l.model.rest()
	s := newDescent(l.model, l.Heat)
	const often = 20
	for i := range n {
		loss := s.learn(draw(l.Batch), rate*(1-float64(i)/float64(n)))
		if l.Tell != nil && (i%often == often-1 || i == n-1) {
			l.Tell(stage, i+1, n, loss)
		}
	}
}

// Table is what was learned, as it is served.
func (l *Learner) Table(p encode.Provenance) *encode.Table {
	return encode.Quantize(p, l.words.words, l.model.folded())
}
