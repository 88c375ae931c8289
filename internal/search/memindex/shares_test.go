package memindex

import (
	"fmt"
	"reflect"
	"testing"

	"vigueur/internal/search/postings"
)

// lookalikeIndex returns an index of one segment in which many words resemble « travail ».
func lookalikeIndex(t *testing.T) *Index {
	t.Helper()
	c := newCatalogue()
	for n := range 40 {
		c.set(id(n), text(n, "Le travail du travailleur.", "Les travailleurs travaillent.", fmt.Sprintf("Le télétravail, mot%d.", n), "La grève.")...)
	}
	return open(t, c)
}

// A word that is searched again is not added up again, and has the same scores.
func TestSharesAreCached(t *testing.T) {
	t.Parallel()
	x := lookalikeIndex(t)
	kept := func() *shares {
		l := x.now.Load().views[0].shareCache
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.words[variantKey{"travail", defaultTuning().maxVariants}]
	}
	q := Query{Text: "travail", Limit: 100}
	first := x.Search(q)
	s := kept()
	if s == nil || s.bytes() == 0 || len(s.others) < 3 {
		t.Fatalf("kept %+v", s)
	}
	second := x.Search(q)
	if kept() != s {
		t.Error("added up again")
	}
	if len(first) < 100 || !reflect.DeepEqual(second, first) {
		t.Errorf("found %d, then %d", len(first), len(second))
	}
}

// Shares belong to the words that currently resemble a word. When the words of a catalogue change, they are added up
// again.
func TestSharesOfOtherWordsAreNotUsed(t *testing.T) {
	t.Parallel()
	var l shareCache
	by := scale{windowSize, 1.4}
	ask := func(others ...variant) (known, wanted *shares) {
		return l.lookup(&clause{variantKey: variantKey{"travail", 15}, others: others}, by)
	}
	a, b := variant{"travailleur", 0.5}, variant{"travailleuse", 0.4}
	known, wanted := ask(a, b)
	if known != nil || wanted == nil {
		t.Fatal("not wanted")
	}
	l.store(wanted, 1000)
	if known, _ := ask(a, b); known != wanted {
		t.Error("not found")
	}
	for name, others := range map[string][]variant{"one is gone": {a}, "less alike": {{"travailleur", 0.4}, b}} {
		if known, wanted := ask(others...); known != nil || wanted == nil {
			t.Errorf("%s: %v, %v", name, known, wanted)
		}
	}
	if known, _ := l.lookup(&clause{variantKey: variantKey{"travail", 15}, others: []variant{a, b}}, scale{64, 1.4}); known != nil {
		t.Error("of other windows: used")
	}
}

// A segment's cache stays within its size, and keeps what was used last.
func TestCacheDropsTheOldest(t *testing.T) {
	t.Parallel()
	var l shareCache
	by := scale{windowSize, 1.4}
	const passages = 100
	put := func(name string, bytes int) {
		c := &clause{variantKey: variantKey{name: name}}
		_, wanted := l.lookup(c, by)
		wanted.parts = []part{{shares: make([]postings.Share, bytes/2)}}
		l.store(wanted, passages)
	}
	has := func(name string) bool { return l.words[variantKey{name: name}] != nil }
	put("a", keptRoom*passages/2)
	put("b", keptRoom*passages/2)
	if known, _ := l.lookup(&clause{variantKey: variantKey{name: "a"}}, by); known == nil {
		t.Fatal("a is not kept")
	}
	put("c", 8)
	if !has("a") || has("b") || !has("c") || l.used != keptRoom*passages/2+8 {
		t.Errorf("a %v, b %v, c %v, %d bytes", has("a"), has("b"), has("c"), l.used)
	}
	put("huge", 2*keptRoom*passages)
	if len(l.words) != 0 || l.used != 0 {
		t.Errorf("after what has no room: %d words, %d bytes", len(l.words), l.used)
	}
}
