package segment

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/doubts"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/texts"
)

// Where the texts of a reading contradict it, less probable readings are tried. Each makes one change to the current reading, and
// is taken if that is more likely right than wrong. scripts/train witness learns the weights of odds and contradictions.

// reading is one way to read a file.
type reading struct {
	label.Masked
	texts   []label.Extent
	drafts  []doubts.Weighed
	account doubts.Account
	doubts  []chain.Mask // beginnings that its texts still contradict
	given   []int        // its labels, as the chain represents them
}

// rereader tries readings of a file.
type rereader struct {
	splitter
	scored chain.Scored
	lines  []line.Line
	read   map[readKey]doubts.Weighed
	whole  map[readKey]doubts.Weighed // drafts of the texts of the chain's own reading, complete
	budget int                        // number of lines that may still be read again
	tries  int                        // number of readings that may still be tried
	looks  int                        // number of lines that the readings still to be tried may look at
}

// readKey is everything that the draft of a text depends on.
type readKey struct {
	from, own, to int
	place         among
	labels        uint64
	at, title     int
}

// Limits of the search. They bound its time. The changes that they exclude are too improbable to be made.
const (
	mostRounds = 3  // rounds of changes, because changes may make others possible
	reach      = 40 // lines on both sides of a proposal that are labeled again
	leastGain  = -20.0
	// The maximum number of lines that are read, in addition to twice the lines of the file.
	budgetLeast = 2000
	// The maximum number of readings that are tried, in addition to one per page.
	mostTries = 60
	// How often trials may look at each line of a file, on average, so that the time grows with the number of lines and
	// not with its square: a trial counts the articles of the texts beside its place.
	looksEach = 4 * mostTries
)

// reread returns the reading of a file that its texts contradict least. If it is the chain's own reading, the
// drafts of its texts are returned too, and need not be made again.
func (c Cutter) reread(scored chain.Scored, lines []line.Line, pages []layout.Page, hints gazette.Hints) (label.Masked, map[readKey]doubts.Weighed) {
	plain := label.Assign(scored, lines, nil)
	rules := c.judgment()
	if len(rules.Rereading) == 0 || len(lines) == 0 {
		return plain, nil
	}
	r := c.rereader(scored, lines, pages, hints, plain)
	reading := r.firstReading(plain)
	trials := r.trials(reading, rules)
	for round := 0; round < mostRounds && r.makeChanges(&reading, trials, rules); round++ {
		trials = r.trials(reading, rules)
	}
	if reading.noteChanges(plain, trials); slices.Equal(reading.Labels, plain.Labels) {
		return reading.Masked, r.whole
	}
	return reading.Masked, nil
}

// noteChanges sets Changed, by comparison with the first reading, and Rejected.
func (at *reading) noteChanges(plain label.Masked, trials []trial) {
	at.Changed = make([]chain.Mask, len(at.Labels))
	for i, l := range at.Labels {
		if l != plain.Labels[i] {
			at.Changed[i] = 1 << l
		}
	}
	at.Rejected = map[int]label.Rejected{}
	for _, t := range trials {
		if t.p > at.Rejected[t.from].Prob {
			at.Rejected[t.from] = label.Rejected{Kind: t.kind, Prob: t.p}
		}
	}
}

// withEdits returns the masks of what a reading has changed, overridden by what edits allow.
func withEdits(m label.Masked, given []chain.Mask) []chain.Mask {
	out := slices.Clone(m.Changed)
	if out == nil {
		return given
	}
	for i, mask := range given {
		if mask != 0 {
			out[i] = mask
		}
	}
	return out
}

func (c Cutter) rereader(scored chain.Scored, lines []line.Line, pages []layout.Page, hints gazette.Hints, plain label.Masked) *rereader {
	hints.Edits = nil // edits apply to the reading that is chosen here
	r := &rereader{scored: scored, lines: lines, read: map[readKey]doubts.Weighed{}, budget: 2*len(lines) + budgetLeast, tries: mostTries + len(pages), looks: looksEach * len(lines)}
	r.hints, r.judgment = hints, c.judgment()
	r.masthead = masthead.Read(pages, lines, plain.Labeling, hints.Today)
	r.issue = &gazette.Issue{Date: cmp.Or(r.masthead.Date, hints.Published)}
	return r
}

// firstReading reads the texts of the chain's own reading. Their drafts are kept complete, because this
// reading may be the one that is chosen.
func (r *rereader) firstReading(m label.Masked) reading {
	at := r.withDoubts(r.reading(m))
	r.whole = maps.Clone(r.read)
	return at
}

// cacheDraft caches a draft with its account. In all readings but the first it keeps only a slight draft, because a
// long text would otherwise be held once for each trial.
func (r *rereader) cacheDraft(key readKey, d *texts.Draft) doubts.Weighed {
	w := doubts.Weigh(d, r.issue.Date)
	if r.whole != nil {
		w.Draft = d.Slim()
	}
	r.read[key] = w
	return w
}

// reading reads the texts of a labeling.
func (r *rereader) reading(m label.Masked) reading {
	out := reading{Masked: m, texts: r.bodies(r.lines, m.Labeling), given: make([]int, len(m.Labels))}
	for i, l := range m.Labels {
		out.given[i] = int(l)
	}
	if out.texts[0].From > 0 {
		key := readKey{from: -1, own: out.texts[0].From, labels: labelHash(m.Labels[:out.texts[0].From])}
		key.place.only = len(out.texts) == 1
		w, known := r.read[key]
		if !known {
			if d := r.front(r.lines, m.Labeling, out.texts); d != nil {
				w = r.cacheDraft(key, d)
			} else {
				r.read[key] = w
			}
		}
		if w.Draft != nil {
			out.drafts = append(out.drafts, w)
		}
	}
	for _, t := range out.texts {
		place := among{first: len(out.drafts) == 0, only: len(out.texts) == 1}
		key := keyOf(m.Labeling, t, place)
		w, known := r.read[key]
		if !known {
			w = r.cacheDraft(key, r.splitter.read(r.lines, m.Labeling, t, place))
			r.budget -= t.Own - t.From
		}
		out.drafts = append(out.drafts, w)
	}
	out.account = doubts.SumAccounts(r.masthead, out.drafts)
	return out
}

// keyOf returns the key under which the draft of a text is cached.
func keyOf(m label.Labeling, t label.Extent, place among) readKey {
	return readKey{t.From, t.Own, t.To, place, labelHash(m.Labels[t.From:t.Own]), t.Title.At, t.Title.Lines}
}

func labelHash(labels []label.Label) uint64 {
	h := fnv.New64a()
	var b [256]byte
	for len(labels) > 0 {
		n := min(len(labels), len(b))
		for i, l := range labels[:n] {
			b[i] = byte(l)
		}
		h.Write(b[:n])
		labels = labels[n:]
	}
	return h.Sum64()
}

// tried is a proposal, and the reading with its change.
type tried struct {
	proposal
	gain float64
	reading
}

// trial is a proposal that was tried, and its features, without the changed reading.
type trial struct {
	proposal
	features map[string]float64
	p        float64 // probability that the proposal is right
}

// try applies a proposal to a reading. ok is false if the masks forbid the labels of the proposal, or if the texts that
// result contradict these labels at once.
func (r *rereader) try(at reading, c proposal) (tried, bool) {
	labels, gain, ok := r.relabel(at, c)
	if !ok {
		return tried{}, false
	}
	r.tries--
	m := at.Masked
	m.Labels = slices.Clone(at.Labels)
	for i, l := range labels {
		m.Labels[r.window(c).From+i] = label.Label(l)
	}
	m.Masks = slices.Clone(at.Masks)
	for i, mask := range c.masks {
		m.Masks[c.from+i] = mask
	}
	texts := m.Texts(r.lines)
	masks := make([]chain.Mask, len(r.lines))
	span := textsNear(texts, r.window(c))
	if span.From < span.To {
		r.looks -= texts[span.To-1].To - texts[span.From].From
	}
	m.ContradictIn(r.lines, texts, span, masks, nil, m.BeginProb)
	for i, mask := range masks {
		if mask != 0 && at.doubts[i] == 0 {
			return tried{}, false
		}
	}
	return tried{proposal: c, gain: gain, reading: r.reading(m)}, true
}

// textsNear returns the texts that overlap a window, with one more text on each side.
func textsNear(texts []label.Extent, w chain.Window) label.Span {
	start, end := len(texts), 0
	for i, t := range texts {
		if t.To >= w.From && t.From <= w.To {
			start, end = min(start, i-1), i+2
		}
	}
	start = max(start, 0)
	return label.Span{From: min(start, len(texts)), To: max(min(end, len(texts)), min(start, len(texts)))}
}

// window returns the lines around a proposal.
func (r *rereader) window(c proposal) chain.Window {
	return chain.Window{From: max(0, c.from-reach), To: min(len(r.lines), c.from+len(c.masks)+reach)}
}

// relabel labels the lines around a proposal again.
func (r *rereader) relabel(at reading, c proposal) (labels []int, gain float64, ok bool) {
	w := r.window(c)
	w.Masks = slices.Clone(at.Masks[w.From:w.To])
	for i, mask := range c.masks {
		w.Masks[c.from-w.From+i] = mask
	}
	labels, gain, ok = r.scored.Relabel(at.given, w)
	return labels, gain, ok && gain > leastGain && !slices.Equal(labels, at.given[w.From:w.To])
}

// withDoubts returns a reading with doubts set, so that trials can be compared with it.
func (r *rereader) withDoubts(at reading) reading {
	at.doubts = make([]chain.Mask, len(r.lines))
	at.Contradict(r.lines, at.doubts, nil, at.BeginProb)
	return at
}

// features returns the features of a proposal: the change in log-odds, the kind, and the change in each sign.
func (t tried) features(previous reading) map[string]float64 {
	out := map[string]float64{oddsFeature: t.gain, string(t.kind): 1}
	for k, name := range doubts.AllSigns() {
		if v := t.account[k] - previous.account[k]; v != 0 {
			out[name] = v
		}
	}
	return out
}

// oddsFeature is the change in the logarithm of the chain's probability of the reading.
const oddsFeature = "odds"

// Better returns the probability that a proposal with the given features is right.
func Better(j judgment.Judgment, features map[string]float64) float64 {
	z := 0.0
	for _, name := range RereadingNames() { // in a fixed order, on which sums of floats depend
		z += j.Rereading[name] * features[name]
	}
	return 1 / (1 + math.Exp(-z))
}

// RereadingNames returns the names of the features of a proposal.
func RereadingNames() []string {
	out := []string{oddsFeature}
	for _, k := range label.ChangeKinds() {
		out = append(out, string(k))
	}
	return append(out, doubts.AllSigns()...)
}

// trials tries the changes to a reading within the budget: first those that contradictions suggest, each
// group by decreasing odds. It returns them by decreasing probability.
func (r *rereader) trials(at reading, rules judgment.Judgment) []trial {
	type likely struct {
		proposal
		gain float64
	}
	var all []likely
	for _, c := range r.changes(at) {
		if _, gain, ok := r.relabel(at, c); ok {
			all = append(all, likely{c, gain})
		}
	}
	slices.SortStableFunc(all, func(a, b likely) int {
		if a.named != b.named && a.named {
			return -1
		} else if a.named != b.named {
			return 1
		}
		return cmp.Compare(b.gain, a.gain)
	})
	var out []trial
	for _, c := range all {
		if r.spent() || r.tries <= 0 {
			break
		}
		if t, ok := r.try(at, c.proposal); ok {
			features := t.features(at)
			out = append(out, trial{c.proposal, features, Better(rules, features)})
		}
	}
	slices.SortStableFunc(out, func(a, b trial) int { return cmp.Compare(b.p, a.p) })
	return out
}

// spent reports whether no more lines may be read or looked at.
func (r *rereader) spent() bool { return r.budget <= 0 || r.looks <= 0 }

// makeChanges makes the changes that are more likely right than wrong, the most probable first. Each change is tried
// again on the reading that the changes before it have given. It reports whether it made any.
func (r *rereader) makeChanges(at *reading, trials []trial, rules judgment.Judgment) bool {
	changed := false
	for _, t := range trials {
		if t.p <= 0.5 || r.looks <= 0 {
			break
		}
		if again, ok := r.try(*at, t.proposal); ok && Better(rules, again.features(*at)) > 0.5 {
			*at, changed = r.withDoubts(again.reading), true
		}
	}
	return changed
}
