package segment

import "slices"

// account is what speaks against a reading of a file, or for it, summed over its texts:
// the value of each kind of witness, and what follows.
type account [signCount]float64

// Places in an account, behind those of WitnessKinds.
const (
	undatedSign  = iota + witnessCount // texts without a day
	namelessSign                       // texts that do not say what they are
	tooLateSign                        // texts of a day behind the issue's
	foundSign                          // entries of the summary whose text was found
	signCount
)

const witnessCount = 21

// extraSigns are the names of what stands behind the witnesses in an account, as
// Judgment.Rereading has them.
var extraSigns = [signCount - witnessCount]string{"undated", "nameless", "too late", "found"}

// allSigns are the names of what an account has, in its order.
func allSigns() []string {
	out := make([]string, 0, signCount)
	for _, k := range WitnessKinds() {
		out = append(out, string(k))
	}
	return append(out, extraSigns[:]...)
}

var witnessIndex = func() map[WitnessKind]int {
	out := map[WitnessKind]int{}
	for i, k := range WitnessKinds() {
		out[k] = i
	}
	return out
}()

// weighed is a text of a reading, which is not changed any more, and its own account.
type weighed struct {
	*draft
	account account
}

// weigh sums up what a text's own words and the issue's day say against it.
func (s *splitter) weigh(d *draft) weighed {
	w := weighed{draft: d}
	seen := *d
	seen.Witnesses = slices.Clone(d.Witnesses)
	if !seen.headless {
		seen.Absent = absent(seen.Articles)
	}
	seen.noteCount()
	switch {
	case seen.Document.Type == "":
		w.account[namelessSign] = 1
	case seen.bare() && !seen.bill:
		seen.noArticle()
	}
	if seen.date.IsZero() && !seen.headless {
		w.account[undatedSign] = 1
	}
	if s.issue.Date != nil && seen.date.After(*s.issue.Date) {
		w.account[tooLateSign] = 1
	}
	for _, x := range seen.Witnesses {
		w.account[witnessIndex[x.Kind]] = x.Value
	}
	return w
}

// accountOf sums up the accounts of a reading's texts, and what the summary says of them.
func (m masthead) accountOf(texts []weighed) account {
	var out account
	drafts := make([]*draft, len(texts))
	for i, t := range texts {
		drafts[i] = t.draft
		for k, v := range t.account {
			out[k] += v
		}
	}
	match := m.match(drafts)
	out[foundSign] = float64(match.found)
	for _, r := range m.remarks(drafts, match) {
		out[witnessIndex[r.kind]] += r.value
	}
	return out
}
