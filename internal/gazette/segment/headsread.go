package segment

import "slices"

// headsRead keeps the heads that were read: many readings of a file share most of
// them, and reading one costs more than labeling a page. A nil one keeps nothing.
type headsRead map[int][]headRead

// headRead is a head, and the labels from its first line on that it was read by.
type headRead struct {
	labels []Label
	head   head
}

// mostHeadsRead is how many readings of one line are kept.
const mostHeadsRead = 4

// of reads the head of the text that begins at line i, unless it was read before.
func (r headsRead) of(m marked, lines []line, i int) head {
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

// bodyReach is within how many lines behind its title a text that is no short act
// has a visa, a formula or an article.
const bodyReach = 10

// headOf reads the head of the text that begins at line i; seen is how many labels,
// from its own on, can have told how.
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

// numbersRead keeps what lines read as the heads of articles: every reading that is tried
// counts the articles of whole texts again. A nil one keeps nothing.
type numbersRead map[int]numberRead

// numberRead is the number that a line reads as behind another one, and where its head ends.
type numberRead struct {
	last, number string
	end          int
	ok           bool
}

// of is what line i reads as behind an article's number.
func (r numbersRead) of(lines []line, i int, last string) (number string, end int, ok bool) {
	if k, known := r[i]; known && k.last == last {
		return k.number, k.end, k.ok
	}
	number, end, ok = lines[i].article(last)
	if r != nil {
		r[i] = numberRead{last, number, end, ok}
	}
	return number, end, ok
}
