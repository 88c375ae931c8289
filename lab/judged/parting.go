package judged

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"vigueur/lab/training/encoder/learn"
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
	of := spreadOut(s, parts, func(q *Question) string { return q.Code })
	in := func(code string, part int) bool { p, ok := of[code]; return ok && p == part }
	groups := groupsOf(s, parts, func(q *Question) int { return of[q.Code] })
	return Parting{Name: "by code",
		Parts: parts, Learned: func(sheet *learn.Sheet, part int) bool {
			return !groups[part][sheet.Group] &&
				!slices.ContainsFunc(sheet.Right, func(i int) bool { return in(s.Corpus.Articles[i].Code, part) })
		},
		Part: func(q *Question) int { return of[q.Code] }}
}

// ByField leaves out every sheet that is filed under the fields of life of the part's
// questions (« Logement », « Étranger »), is of a group with such a question, or rests on
// an article that answers one: what is asked there nobody has explained to the encoder.
func ByField(s *Set, parts int) Parting {
	of := spreadOut(s, parts, func(q *Question) string { return q.Field })
	part := func(q *Question) int { return of[q.Field] }
	groups, right := groupsOf(s, parts, part), make([]map[string]bool, parts)
	for p := range right {
		right[p] = make(map[string]bool)
	}
	for i := range s.Questions {
		for id := range s.Questions[i].Right {
			right[part(&s.Questions[i])][id] = true
		}
	}
	return Parting{Name: "by field",
		Parts: parts, Learned: func(sheet *learn.Sheet, part int) bool {
			p, known := of[sheet.Field]
			return !(known && p == part) && !groups[part][sheet.Group] &&
				!slices.ContainsFunc(sheet.Right, func(i int) bool { return right[part][s.Corpus.Articles[i].ID] })
		},
		Part: part}
}

// spreadOut parts what the questions are of, so that each part has about as many
// questions: what most are of goes first, to the part that has fewest.
func spreadOut(s *Set, parts int, name func(q *Question) string) map[string]int {
	count := make(map[string]int)
	for i := range s.Questions {
		count[name(&s.Questions[i])]++
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	of, load := make(map[string]int), make([]int, parts)
	for _, n := range names {
		least := slices.Index(load, slices.Min(load))
		of[n] = least
		load[least] += count[n]
	}
	return of
}

// groupsOf are the groups of sheets that the questions of each part are of.
func groupsOf(s *Set, parts int, part func(q *Question) int) []map[string]bool {
	groups := make([]map[string]bool, parts)
	for p := range groups {
		groups[p] = make(map[string]bool)
	}
	for i := range s.Questions {
		groups[part(&s.Questions[i])][s.Questions[i].Split] = true
	}
	return groups
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
