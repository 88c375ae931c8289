package judged

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"vigueur/scripts/training/encoder/learn"
)

// Parting parts the questions so that an encoder which learned from all others can
// be asked each part.
type Parting struct {
	Name    string
	Learned func(s *learn.Sheet, part int) bool // by the encoder that the part is asked of
	Part    func(q *Question) int
	Parts   int
}

// ByGroup keeps sheets of one group, which say much the same, together.
func ByGroup(s *Set, parts int) Parting {
	of := func(group string) int {
		h := fnv.New32a()
		_, _ = h.Write([]byte(group))
		return int(h.Sum32()>>8) % parts
	}
	return Parting{Name: "by group",
		Parts: parts, Learned: func(sheet *learn.Sheet, part int) bool { return of(sheet.Group) != part },
		Part: func(q *Question) int { return of(q.Split) }}
}

// ByCode leaves out every sheet that rests on an article of the codes that the
// questions are about, or is of a group with such a question: to the encoder these
// codes are law that nobody has explained to it.
func ByCode(s *Set, parts int) Parting {
	count := make(map[string]int)
	for _, q := range s.Questions {
		count[q.Code]++
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
	for _, q := range s.Questions {
		groups[of[q.Code]][q.Split] = true
	}
	return Parting{Name: "by code",
		Parts: parts, Learned: func(sheet *learn.Sheet, part int) bool {
			return !groups[part][sheet.Group] &&
				!slices.ContainsFunc(sheet.Right, func(i int) bool { return in(s.Corpus.Articles[i].Code, part) })
		},
		Part: func(q *Question) int { return of[q.Code] }}
}

// Those are the questions of a part.
func (p Parting) Those(questions []Question, part int) (out []Question) {
	for i := range questions {
		if p.Part(&questions[i]) == part {
			out = append(out, questions[i])
		}
	}
	return out
}
