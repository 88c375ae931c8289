package segment

import "slices"

// headsRead caches heads by line. Many readings of a file share most heads, and reading one costs more than
// labeling a page. A nil map caches nothing.
type headsRead map[int][]headRead

// headRead is a head, and the labels from its first line on that determined it.
type headRead struct {
	labels []Label
	head   head
}

// mostHeadsRead is the maximum number of readings of one line that are cached.
const mostHeadsRead = 4

// headAt returns the head of the text that begins at line i, from the cache if it is there.
func (r headsRead) headAt(m marked, lines []line, i int) head {
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
func (m marked) headOf(lines []line, i int) (h head, seen int) {
	h = head{at: i}
	if m.labels[i] == Abridged {
		h.abridged = h.read(joined(lines[i:min(i+abridgedReach, len(lines))]))
		h.entitled = !h.sentence && !h.by && objectAt(" "+h.object) == 0
		h.object = ""
		return h, 1
	}
	h.lines = m.titleLines(lines, i)
	seen = h.lines + bodyReach + 2
	h.readLines(lines[i : i+h.lines])
	if h.sentence && !m.hasBody(textLines{from: i, own: min(i+h.lines+bodyReach, len(lines))}) {
		h.abridged, h.lines = true, 0
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
func (r numbersRead) numberAt(lines []line, i int, last string) (number string, end int, ok bool) {
	if k, known := r[i]; known && k.last == last {
		return k.number, k.end, k.ok
	}
	number, end, ok = lines[i].article(last)
	if r != nil {
		r[i] = numberRead{last, number, end, ok}
	}
	return number, end, ok
}
