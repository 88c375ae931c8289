package main

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"vigueur/scripts/training/encoder/learn"
)

// parting parts the questions so that an encoder which learned from all others can
// be asked each part.
type parting struct {
	name    string
	learned func(s *learn.Sheet, part int) bool // by the encoder that the part is asked of
	asked   func(part int) []question
}

// byGroup keeps sheets of one group, which say much the same, together.
func byGroup(s *set, parts int) parting {
	of := func(group string) int {
		h := fnv.New32a()
		_, _ = h.Write([]byte(group))
		return int(h.Sum32()>>8) % parts
	}
	return parting{name: "by group",
		learned: func(sheet *learn.Sheet, part int) bool { return of(sheet.Group) != part },
		asked:   func(part int) []question { return s.those(func(q *question) bool { return of(q.split) == part }) }}
}

// byCode leaves out every sheet that rests on an article of the codes that the
// questions are about, or is of a group with such a question: to the encoder these
// codes are law that nobody has explained to it.
func byCode(s *set, parts int) parting {
	count := make(map[string]int)
	for _, q := range s.questions {
		count[q.code]++
	}
	var codes []string
	for c := range count {
		codes = append(codes, c)
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	of, load := make(map[string]int), make([]int, parts)
	for _, c := range codes { // to the part that has fewest questions so far
		least := 0
		for p := range load {
			if load[p] < load[least] {
				least = p
			}
		}
		of[c] = least
		load[least] += count[c]
	}
	in := func(code string, part int) bool { p, ok := of[code]; return ok && p == part }
	groups := make([]map[string]bool, parts)
	for p := range groups {
		groups[p] = make(map[string]bool)
	}
	for _, q := range s.questions {
		groups[of[q.code]][q.split] = true
	}
	return parting{name: "by code",
		learned: func(sheet *learn.Sheet, part int) bool {
			return !groups[part][sheet.Group] &&
				!slices.ContainsFunc(sheet.Right, func(i int) bool { return in(s.corpus.Articles[i].Code, part) })
		},
		asked: func(part int) []question { return s.those(func(q *question) bool { return in(q.code, part) }) }}
}

func (s *set) those(which func(*question) bool) (out []question) {
	for i := range s.questions {
		if which(&s.questions[i]) {
			out = append(out, s.questions[i])
		}
	}
	return out
}
