package segment

import (
	"slices"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
)

// headsRead caches heads by line. Many readings of a file share most heads, and reading one costs more than
// labeling a page. A nil map caches nothing.
type headsRead map[int][]headRead

// headRead is a head, and the labels from its first line on that determined it.
type headRead struct {
	labels []Label
	head   titles.Title
}

// mostHeadsRead is the maximum number of readings of one line that are cached.
const mostHeadsRead = 4

// headAt returns the head of the text that begins at line i, from the cache if it is there.
func (r headsRead) headAt(m marked, lines []line.Line, i int) titles.Title {
	for _, k := range r[i] {
		if i+len(k.labels) <= len(m.labels) && slices.Equal(k.labels, m.labels[i:i+len(k.labels)]) {
			return k.head
		}
	}
	h, seen := m.headOf(lines, i)
	if r != nil && len(r[i]) < mostHeadsRead {
		r[i] = append(r[i], headRead{slices.Clone(m.labels[i:min(i+seen, len(m.labels))]), h})
	}
	return h
}

// bodyReach is the number of lines after its title within which a text has a visa, a formula or an article, unless it
// is an act without a title.
const bodyReach = 10

// headOf reads the head of the text that begins at line i. seen is the number of labels, from line i on, that
// may have determined it.
func (m marked) headOf(lines []line.Line, i int) (h titles.Title, seen int) {
	h = titles.Title{At: i}
	if m.labels[i] == Abridged {
		h.Abridged = h.Read(line.Join(lines[i:min(i+abridgedReach, len(lines))]))
		h.Entitled = !h.Sentence && !h.By && titles.ObjectAt(" "+h.Object) == 0
		h.Object = ""
		return h, 1
	}
	h.Lines = m.titleLines(lines, i)
	seen = h.Lines + bodyReach + 2
	h.ReadLines(lines[i : i+h.Lines])
	if h.Sentence && !m.hasBody(textLines{from: i, own: min(i+h.Lines+bodyReach, len(lines))}) {
		h.Abridged, h.Lines = true, 0
	}
	return h, seen
}

// numbersRead caches, by line, the result of reading the line as the head of an article, because every reading of a
// file that is tried counts the articles of whole texts again. A nil map caches nothing.
type numbersRead map[int]numberRead

// numberRead is the result of reading a line as the head of the article that follows article last: the number, and the
// byte at which the head ends.
type numberRead struct {
	last, number string
	end          int
	ok           bool
}

// numberAt reads line i as the head of the article that follows article last. It takes the result from the cache if it
// is there.
func (r numbersRead) numberAt(lines []line.Line, i int, last string) (number string, end int, ok bool) {
	if k, known := r[i]; known && k.last == last {
		return k.number, k.end, k.ok
	}
	number, end, ok = lines[i].Article(last)
	if r != nil {
		r[i] = numberRead{last, number, end, ok}
	}
	return number, end, ok
}
