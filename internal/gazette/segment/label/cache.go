package label

import (
	"slices"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
)

// titleCache caches heads by line: reading one costs more than labeling a page. A nil map caches nothing.
type titleCache map[int][]cachedTitle

// cachedTitle is a head, and the labels from its first line on that determined it.
type cachedTitle struct {
	labels []Label
	title  titles.Title
}

// mostHeadsRead is the maximum number of readings of one line that are cached.
const mostHeadsRead = 4

func (r titleCache) titleAt(m Labeling, lines []line.Line, i int) titles.Title {
	for _, k := range r[i] {
		if i+len(k.labels) <= len(m.Labels) && slices.Equal(k.labels, m.Labels[i:i+len(k.labels)]) {
			return k.title
		}
	}
	h, seen := m.titleOf(lines, i)
	if r != nil && len(r[i]) < mostHeadsRead {
		r[i] = append(r[i], cachedTitle{slices.Clone(m.Labels[i:min(i+seen, len(m.Labels))]), h})
	}
	return h
}

// bodyReach is the number of lines after its title within which a text has a visa, a formula or an article, unless it
// is an act without a title.
const bodyReach = 10

// titleOf reads the head of the text that begins at line i. seen is the number of labels, from line i on, that
// may have determined it.
func (m Labeling) titleOf(lines []line.Line, i int) (h titles.Title, seen int) {
	h = titles.Title{At: i}
	if m.Labels[i] == Abridged && !m.titled(lines, i) {
		h.Abridged = h.Read(line.Join(lines[i:min(i+abridgedReach, len(lines))]))
		h.Entitled = !h.Sentence && !h.By && titles.ObjectAt(" "+h.Object) == 0
		h.Object = ""
		return h, bodyReach
	}
	h.Lines = m.titleLines(lines, i)
	seen = h.Lines + bodyReach + 2
	h.ReadLines(lines[i : i+h.Lines])
	if h.Sentence && !m.hasBody(Extent{From: i, Own: min(i+h.Lines+bodyReach, len(lines))}) {
		h.Abridged, h.Lines = true, 0
	}
	return h, seen
}

// titled reports whether what the chain takes for an act without a title has one: it begins with a nature, and visas, articles or
// reasons follow at once.
func (m Labeling) titled(lines []line.Line, i int) bool {
	if _, _, ok := titles.ReadNature(lines[i].Text); !ok {
		return false
	}
	for k := i + 1; k < min(i+bodyReach, len(lines)) && !m.Labels[k].BeginsText() && !m.Labels[k].Loose(); k++ {
		if m.Labels[k] == Visa || m.Labels[k] == Formula || ReasonsHeading.MatchString(lines[k].Text) {
			return true
		}
	}
	return false
}

// numberCache caches, by line, the head of an article that it reads as. A nil map caches nothing.
type numberCache map[int]cachedNumber

type cachedNumber struct {
	last, number string
	end          int
	ok           bool
}

// numberAt reads line i as the head of the article that follows article last.
func (r numberCache) numberAt(lines []line.Line, i int, last string) (number string, end int, ok bool) {
	if k, known := r[i]; known && k.last == last {
		return k.number, k.end, k.ok
	}
	number, end, ok = lines[i].Article(last)
	if r != nil {
		r[i] = cachedNumber{last, number, end, ok}
	}
	return number, end, ok
}
