package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// counts are what was printed and what was read for it.
type counts struct {
	printed map[string]int    // pieces of one to three characters
	read    map[[2]string]int // what was read otherwise
}

func newCounts() *counts {
	return &counts{printed: map[string]int{}, read: map[[2]string]int{}}
}

// longest is how many characters a confusion has on either side; more is two
// texts that do not belong together. maxWords bounds the words between two places
// that are sure.
const (
	longest  = 3
	maxWords = 12
	// Least share of characters that agree between two places that are sure.
	agreeing = 0.6
)

// compare holds what was read against what is printed, and gives how many of the
// words read were held against printed ones.
func (c *counts) compare(printed, read []string) int {
	held := 0
	i, j := 0, 0
	for _, at := range append(anchors(printed, read), [2]int{len(printed), len(read)}) {
		// Words that go on alike from the last place are sure too.
		for i < at[0] && j < at[1] && printed[i] == read[j] {
			c.same(printed[i] + " ")
			i, j, held = i+1, j+1, held+1
		}
		if n, m := at[0]-i, at[1]-j; n <= maxWords && m <= maxWords && n+m > 0 {
			if c.pair(strings.Join(printed[i:at[0]], " "), strings.Join(read[j:at[1]], " ")) {
				held += m
			}
		}
		i, j = at[0], at[1]
	}
	return held
}

// anchors are pairs of places where three words stand that stand once in each of
// the texts, in the order of both.
func anchors(a, b []string) [][2]int {
	once := func(words []string) map[string]int {
		at := map[string]int{}
		for i := range len(words) - 2 {
			k := strings.Join(words[i:i+3], " ")
			if _, seen := at[k]; seen {
				at[k] = -1
			} else {
				at[k] = i
			}
		}
		return at
	}
	left, right := once(a), once(b)
	var pairs [][2]int
	for k, i := range left {
		if j, ok := right[k]; ok && i >= 0 && j >= 0 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return cmp.Compare(x[0], y[0]) })
	return rising(pairs)
}

// rising is the longest part of pairs whose second places rise.
func rising(pairs [][2]int) (out [][2]int) {
	var ends []int // of the best row of each length, the last pair
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p[1], func(e, y int) int { return cmp.Compare(pairs[e][1], y) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, pairs[i])
	}
	slices.Reverse(out)
	return out
}

// same counts text that was read as it is printed.
func (c *counts) same(s string) {
	r := []rune(s)
	for i := range r {
		for n := 1; n <= longest && i+n <= len(r); n++ {
			c.printed[string(r[i:i+n])]++
		}
	}
}

// pair counts what differs between two short texts, when they are readings of one.
func (c *counts) pair(printed, read string) bool {
	a, b := []rune(printed), []rune(read)
	steps, equal := path(a, b)
	if float64(equal) < agreeing*float64(max(len(a), len(b))) {
		return false
	}
	c.same(printed)
	for k := 0; k < len(steps); {
		if steps[k].same {
			k++
			continue
		}
		from := k
		for k < len(steps) && !steps[k].same {
			k++
		}
		var x, y []rune
		for _, s := range steps[from:k] {
			x, y = append(x, s.printed...), append(y, s.read...)
		}
		if len(x) == 0 { // something more was read: it is told with what stands before it
			if from == 0 {
				continue
			}
			x, y = append(x, steps[from-1].printed...), append(slices.Clone(steps[from-1].read), y...)
		}
		if len(x) <= longest && len(y) <= longest {
			c.read[[2]string{string(x), string(y)}]++
		}
	}
	return true
}

// table is the counts as lines of what is printed, what was read and its share, by
// what is printed. Marks are left out: exact texts are taken from files whose dashes
// and quotes differ from the picture's.
func (c *counts) table() []byte {
	keys := make([][2]string, 0, len(c.read))
	for k, n := range c.read {
		if c.printed[k[0]] >= n && lettersOnly(k[0]+k[1]) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var b bytes.Buffer
	for _, k := range keys {
		fmt.Fprintf(&b, "%s\t%s\t%.5f\n", k[0], k[1], float64(c.read[k])/float64(c.printed[k[0]]))
	}
	return b.Bytes()
}

// lettersOnly reports whether s has letters, figures and spaces only.
func lettersOnly(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '°' })
}
