package main

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// reach is how far a number may be from the one before: beyond, it was misread or is another
// text's, and what lies between is not missing. segment tells of no wider gap either.
const reach = 100

// number is the number of an article, in parts that can be counted.
type number struct {
	letter  string // « L » of « L. 12-3 »
	parts   []int  // 12 and 3; none for what stands before all articles
	suffix  int    // 0 for none, 1 for « bis », 2 for « ter »
	capital string // « A » of « 34 A », which stands before or behind article 34
}

var (
	writtenNumber = law.Pattern(`^(?:([LRDA])[. *]*)?(\d{1,6})(?: ?er)?((?:(?:~|\.)\d{1,4})*)(?: ?(` + law.SuffixWords + `))?(?: ?([A-Z]))?$`)
	romanNumber   = law.Pattern(`^[IVXLC]+$`)
	partsBehind   = law.Pattern(`\d+`)
)

// suffixNames are the suffixes in their order, the ninth in one of its two spellings.
var suffixNames = slices.DeleteFunc(strings.Split(law.SuffixWords, "|"), func(s string) bool { return s == "novies" })

// read reads a number as law.ArticleNumber writes it; false for what cannot be counted.
func read(written string) (number, bool) {
	if written == "unique" {
		return number{parts: []int{1}}, true
	}
	if romanNumber.MatchString(written) {
		return number{parts: []int{law.Roman(written)}}, true
	}
	m := writtenNumber.FindStringSubmatch(written)
	if m == nil {
		return number{}, false
	}
	n := number{letter: m[1], capital: m[5]}
	first, _ := strconv.Atoi(m[2]) // at most six figures, as the others
	n.parts = append(n.parts, first)
	for _, at := range partsBehind.FindAllStringIndex(m[3], -1) {
		part, _ := strconv.Atoi(m[3][at[0]:at[1]])
		n.parts = append(n.parts, part)
	}
	if m[4] == "novies" {
		m[4] = "nonies"
	}
	n.suffix = slices.Index(suffixNames, m[4]) + 1
	return n, true
}

// String is the number as law.ArticleNumber writes it, but for the first, « 1 ».
func (n number) String() string {
	var parts []string
	for _, p := range n.parts {
		parts = append(parts, strconv.Itoa(p))
	}
	s := strings.Join(parts, "-")
	if n.letter != "" {
		s = n.letter + ". " + s
	}
	if n.suffix > 0 {
		s += " " + suffixNames[n.suffix-1]
	}
	if n.capital != "" {
		s += " " + n.capital
	}
	return s
}

// compare is negative where n stands before other, 0 where either may come first.
func (n number) compare(other number) int {
	if c := slices.Compare(n.parts, other.parts); c != 0 || n.capital != other.capital {
		return c
	}
	return n.suffix - other.suffix
}

// between are the numbers that a count leaves out between the one before and n; far tells
// that there are too many to be missing. Where a count by parts (« L. 12-3 ») ends a part
// is not known: behind another part only those before n in its own are left out.
func (n number) between(before number, byParts bool) (out []number, tooFar bool) {
	if n.letter != before.letter {
		before = number{}
	}
	same := 0
	for same < min(len(n.parts), len(before.parts)) && n.parts[same] == before.parts[same] {
		same++
	}
	low := before.suffix
	for k := same; k < len(n.parts); k++ {
		from, last := 1, k == len(n.parts)-1
		if k == same && k < len(before.parts) {
			from = before.parts[k] + 1
		}
		ends := byParts && (!last || k == same && k < len(before.parts) && len(before.parts) != len(n.parts))
		if n.parts[k]-from > reach {
			tooFar = tooFar || !byParts || last
			continue
		}
		for p := from; p < n.parts[k] && !ends; p++ {
			out = append(out, n.at(k, p))
		}
		if !last && !byParts {
			out = append(out, n.at(k, n.parts[k]))
		}
		low = -1 // the number without a suffix is left out too
	}
	for s := low + 1; s < n.suffix; s++ {
		out = append(out, number{letter: n.letter, parts: n.parts, suffix: s})
	}
	if tooFar {
		return nil, true
	}
	return out, false
}

// at is the number that has the first k parts of n, and then p.
func (n number) at(k, p int) number {
	return number{letter: n.letter, parts: append(slices.Clone(n.parts[:k]), p)}
}

// gap is a number that a count leaves out, and the articles around it by their indexes: -1
// before the first.
type gap struct {
	number        number
	after, before int
}

// oddity is why the number of an article does not follow from those before it.
type oddity string

const (
	repeated  oddity = "repeated"  // it stands before in the same count
	reversed  oddity = "reversed"  // it stands behind a greater one, and not before
	anew      oddity = "anew"      // it begins the count again at one
	far       oddity = "too far"   // from the one before, to be believed
	uncounted oddity = "uncounted" // it cannot be counted
)

// oddities lists every one.
func oddities() []oddity { return []oddity{repeated, reversed, anew, far, uncounted} }

// odd is an article by its index, and why its number does not follow.
type odd struct {
	article int
	why     oddity
}

// order is what the numbers of a text's articles tell of one another.
type order struct {
	skipped []gap // in their order, those of annexes last
	odd     []odd // uncounted ones first, and then like skipped
}

// follow counts the numbers of a text's articles, "" for what has none. Annexes count
// for themselves, and their own heads do not count.
func follow(numbers []string) order {
	var o order
	var names []string
	counts := map[string][]placed{}
	for i, written := range numbers {
		name, own := "", written
		if strings.HasPrefix(written, "Annexe") {
			if name, own, _ = strings.Cut(written, ", article "); own == "" {
				continue
			}
		}
		n, ok := read(own)
		if !ok {
			if written != "" {
				o.odd = append(o.odd, odd{i, uncounted})
			}
			continue
		}
		if counts[name] == nil {
			names = append(names, name)
		}
		counts[name] = append(counts[name], placed{n, i})
	}
	for _, name := range names {
		o.add(counts[name])
	}
	return o
}

// placed is a number and the index of its article.
type placed struct {
	number
	at int
}

// add counts numbers of one kind: a text's own, or those of one annex.
func (o *order) add(all []placed) {
	dashed := 0
	for _, p := range all {
		if len(p.parts) > 1 {
			dashed++
		}
	}
	byParts := 2*dashed > len(all)
	for len(all) > 0 {
		n := 1
		for n < len(all) && !begins(all, n, byParts) {
			n++
		}
		o.one(all[:n], byParts)
		if all = all[n:]; len(all) > 0 {
			o.odd = append(o.odd, odd{all[0].at, anew})
		}
	}
}

// begins reports whether a count begins anew at index i: a first article, unless the count
// before goes on behind it.
func begins(all []placed, i int, byParts bool) bool {
	if all[i].String() != "1" {
		return false
	}
	if i+1 == len(all) || all[i+1].compare(all[i-1].number) <= 0 {
		return true
	}
	between, tooFar := all[i+1].between(all[i-1].number, byParts)
	return tooFar || len(between) > 0
}

// one counts the numbers of one count.
func (o *order) one(all []placed, byParts bool) {
	stands := map[string]bool{}
	for _, p := range all {
		stands[p.String()] = true
	}
	seen := map[string]bool{}
	last := placed{at: -1}
	for _, p := range all {
		switch {
		case seen[p.String()]:
			o.odd = append(o.odd, odd{p.at, repeated})
		case p.letter == last.letter && p.compare(last.number) < 0:
			o.odd = append(o.odd, odd{p.at, reversed})
		default:
			between, tooFar := p.between(last.number, byParts)
			if tooFar {
				o.odd = append(o.odd, odd{p.at, far})
			}
			for _, n := range between {
				if !stands[n.String()] {
					stands[n.String()] = true // told once
					o.skipped = append(o.skipped, gap{n, last.at, p.at})
				}
			}
		}
		seen[p.String()] = true
		last = p
	}
}
