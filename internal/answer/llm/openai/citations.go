package openai

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	markLimit    = 48  // maximum length of a citation in bytes
	longestRange = 100 // maximum number of passages in a range such as « [2-5] »
)

var (
	// wholeMark matches a citation in the forms that models write: « [3] », « [1, 4] », «
	// [^2] », « [Passage 3] », « 【3†source】 ».
	wholeMark = regexp.MustCompile(`^[\[【]\s*\^?(?:(?i:sources?|passages?|extraits?|documents?|docs?|n°)\s*)?(\d+(?:\s*(?:[,;–-]|et)\s*\d+)*)\s*(?:†[^\]】]*)?[\]】]$`)
	// begunMark matches a text that may be the beginning of a citation.
	begunMark = regexp.MustCompile(`^[\[【]\s*\^?\p{L}*°?\s*[\d,;–\s-]*(?:et?)?[\d,;–\s-]*(?:†[^\]】]*)?$`)
	number    = regexp.MustCompile(`\d+|[–-]`)
)

// marker normalizes citations to « [3] » in a text that arrives in pieces, and removes
// citations of unknown passages. An incomplete citation is held back, with the white space
// before it.
type marker struct {
	known map[int]bool
	held  string
}

func (m *marker) write(piece string) string {
	m.held += piece
	var out strings.Builder
	for m.held != "" {
		open := strings.IndexAny(m.held, "[【")
		if open < 0 {
			m.release(&out, len(strings.TrimRight(m.held, " \n\t\u00a0\u202f")))
			break
		}
		end, wait := mark(m.held[open:])
		if wait {
			m.release(&out, len(strings.TrimRight(m.held[:open], " \n\t\u00a0\u202f")))
			break
		}
		if end == 0 { // a bracket that is part of the text
			_, size := utf8.DecodeRuneInString(m.held[open:])
			if next := strings.IndexAny(m.held[open+size:], "[【"); next >= 0 && begunMark.MatchString(m.held[open:open+size+next]) {
				// Removing the inner citation of « [1[99]2] » must not make a new one.
				m.held = m.held[:open] + m.held[open+size:]
				continue
			}
			m.release(&out, open+size)
			continue
		}
		text, marks := m.held[:open], m.marks(m.held[open:open+end])
		if marks == "" {
			text = strings.TrimRight(text, " \u00a0\u202f")
		}
		out.WriteString(text + marks)
		m.held = m.held[open+end:]
	}
	return out.String()
}

// end returns the text that was held back, without trailing white space and without a
// citation that was never closed.
func (m *marker) end() string {
	rest := m.held
	m.held = ""
	if open := strings.IndexAny(rest, "[【"); open >= 0 && begunMark.MatchString(rest[open:]) {
		rest = rest[:open]
	}
	return strings.TrimRight(rest, " \n\t\u00a0\u202f")
}

func (m *marker) release(out *strings.Builder, n int) {
	out.WriteString(m.held[:n])
	m.held = m.held[n:]
}

// mark returns the end of the citation at the beginning of text, 0 if there is none; wait
// reports that more text is needed to decide.
func mark(text string) (end int, wait bool) {
	shut := strings.IndexAny(text[:min(len(text), markLimit)], "]】")
	if shut < 0 {
		return 0, len(text) < markLimit && begunMark.MatchString(text)
	}
	_, size := utf8.DecodeRuneInString(text[shut:])
	if !wholeMark.MatchString(text[:shut+size]) {
		return 0, false
	}
	return shut + size, false
}

// marks returns the known numbers of a citation, ranges expanded, each in brackets.
func (m *marker) marks(text string) string {
	var out []string
	last, through := 0, false
	for _, part := range number.FindAllString(wholeMark.FindStringSubmatch(text)[1], -1) {
		n, err := strconv.Atoi(part)
		if err != nil { // a dash, or an overflow
			through = last > 0
			continue
		}
		from := n
		if through && n-last < longestRange {
			from = last + 1
		}
		for i := from; i <= n; i++ {
			if m.known[i] {
				out = append(out, fmt.Sprintf("[%d]", i))
			}
		}
		last, through = n, false
	}
	return strings.Join(out, " ")
}
