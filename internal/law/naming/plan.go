package naming

import (
	"cmp"
	"slices"
)

// visit is the number of index entries that a store reads in the time in which it
// fetches one row and compares its keys. The value affects how long a lookup takes, never
// what it finds.
const visit = 500

// Shares is how common keys are, from the statistics of a store. The zero value treats all keys
// as equally rare.
type Shares struct {
	Of   map[string]float64 // share of the texts that have a key, from 0 to 1; only for common keys
	Rest float64            // upper bound of the share of each other key
}

// share returns an upper bound of the share of texts that have one of the keys.
func (s Shares) share(keys ...string) (sum float64) {
	for _, k := range keys {
		if of, common := s.Of[k]; common {
			sum += of
		} else {
			sum += s.Rest
		}
	}
	return min(sum, 1)
}

// Plan is how the texts with given keys are found. The index finds the texts that have all keys
// of Looked and one of AnyLooked; each of these texts must then also have all keys of Compared
// and one of AnyCompared. Together these are exactly the given keys, so every plan finds the
// same texts.
type Plan struct {
	Looked, Compared       []string
	AnyLooked, AnyCompared []string
}

// Plan plans how to find the texts that have all keys of all and, unless it is empty, one of
// anyOf. It looks up the rarest keys in the index. It compares a key if reading the key's list
// in the index takes longer than fetching the texts that the list would exclude: the list
// of a key that most texts have is as long as the catalogue. The estimate treats keys as
// independent of each other.
func (s Shares) Plan(all, anyOf []string) (p Plan) {
	keys := slices.Clone(all)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(s.share(a), s.share(b)) })
	left := 1.0 // share of the texts that have all keys looked up so far
	for i, k := range keys {
		of := s.share(k)
		if i > 0 && !worthReading(left, of) {
			p.Compared = keys[i:]
			break
		}
		p.Looked, left = append(p.Looked, k), left*of
	}
	if len(keys) == 0 || worthReading(left, s.share(anyOf...)) {
		p.AnyLooked = anyOf
	} else {
		p.AnyCompared = anyOf
	}
	return p
}

// worthReading reports whether it takes less time to read the index list of a key than to
// fetch the texts that the list excludes. left is the share of texts that the other keys
// leave, share is the share of texts with the key.
func worthReading(left, share float64) bool { return share <= left*(1-share)*visit }
