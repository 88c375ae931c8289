package segment

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// listed is an entry of an issue's summary.
type listed struct {
	text string
	head head
	// The head's number without the printer's blanks.
	number string
	page   int // as printed, 0 for none
}

// listing reads the entries of a summary that name their texts. What a summary says
// in other words (« Nomination d'un directeur ») is passed over.
func listing(lines []line, marks marked) []listed {
	var out []listed
	open := false
	for i, l := range lines {
		if marks.labels[i] != Summary {
			open = false
			continue
		}
		if _, _, named := natureOf(l.text); named && startsBig(l.text) {
			out, open = append(out, listed{}), true
		}
		if !open {
			continue
		}
		e := &out[len(out)-1]
		e.text = strings.TrimSpace(e.text + " " + l.text)
		if leader.MatchString(l.text) || l.wide && pageNumber.MatchString(l.text) {
			open = false
		}
	}
	kept := out[:0]
	for _, e := range out {
		title := entryEnd.ReplaceAllString(e.text, "")
		if title != e.text || lostLeader.MatchString(e.text) {
			e.page, _ = strconv.Atoi(pageNumber.FindString(strings.TrimSpace(e.text)))
		}
		if e.head.read(title) && (e.head.number != "" || !e.head.date.IsZero()) && !e.head.plural {
			e.number = law.TextNumber(e.head.number)
			kept = append(kept, e)
		}
	}
	return kept
}

// names reports whether an entry of a summary names a text: by its number, or by its
// day and the words of its title.
func (e listed) names(d *draft) bool {
	switch {
	case e.head.kind.as != d.head.kind.as:
		return false
	case e.head.number != "" && d.head.number != "":
		return e.number == d.number
	case !e.head.date.IsZero() && !d.head.date.IsZero() && !e.head.date.Equal(d.head.date):
		return false
	}
	return d.head.abridged || sharedWords(e.head.object, d.head.object) >= leastShared
}

// leastShared is the share of an entry's words that its text's title has.
const leastShared = 0.6

// sharedWords is the share of the words of a that b has.
func sharedWords(a, b string) float64 {
	has := map[string]bool{}
	for _, w := range longWords(b) {
		has[w] = true
	}
	words := longWords(a)
	n := 0
	for _, w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(len(words), 1))
}

// longWords are the folded words of a title that tell of it.
func longWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}

// remark is what the summary says of a text.
type remark struct {
	of    int // index of the text
	kind  WitnessKind
	value float64
	field string
	words string
	page  int
	told  string
}

// matching is which text each entry of a summary names. Of the texts that an entry
// names it is the first one that no entry before it has.
type matching struct {
	of    []int  // of each entry its text, -1 for none
	named []bool // of each text whether an entry names it
	found int    // entries that have one
}

func (m masthead) match(drafts []*draft) matching {
	out := matching{of: make([]int, len(m.listed)), named: make([]bool, len(drafts))}
	for i, e := range m.listed {
		out.of[i] = -1
		for k, d := range drafts {
			if !out.named[k] && e.names(d) {
				out.of[i], out.named[k] = k, true
				out.found++
				break
			}
		}
	}
	return out
}

// compare holds the texts of an issue against its summary.
func (m masthead) compare(drafts []*draft) {
	for _, r := range m.remarks(drafts, m.match(drafts)) {
		drafts[r.of].sign(r.kind, r.value, r.field, r.words, r.page, r.told)
	}
}

// remarks is what a summary says of the texts of an issue. One of which no entry names
// a text is another issue's, or cannot be read.
func (m masthead) remarks(drafts []*draft, match matching) []remark {
	if match.found == 0 {
		return nil
	}
	var out []remark
	at := 0
	for i, e := range m.listed {
		if match.of[i] >= 0 {
			at = match.of[i]
			continue
		}
		out = append(out, remark{at, Unfound, 1, "complet", e.text, drafts[at].Document.LastPage,
			fmt.Sprintf("Le sommaire annonce %d actes, %d ont été trouvés ; il manque celui qui est nommé ici.", len(m.listed), match.found)})
	}
	for k, d := range drafts {
		if !match.named[k] && !d.headless {
			out = append(out, remark{k, NotAnnounced, float64(match.found) / float64(len(drafts)), "title", d.printed, d.Document.FirstPage, "Le sommaire n’annonce pas ce texte."})
		}
	}
	return append(out, m.beyond(drafts, match.of)...)
}

// beyond says of a text that it goes on behind the page on which the summary says
// that the next one begins. How far printed numbers are from those of the file is
// told by the entries whose texts were found.
func (m masthead) beyond(drafts []*draft, of []int) []remark {
	shifts := map[int]int{}
	best := 0
	for i, e := range m.listed {
		if of[i] >= 0 && e.page > 0 {
			s := e.page - drafts[of[i]].Document.FirstPage
			if shifts[s]++; shifts[s] > shifts[best] {
				best = s
			}
		}
	}
	if shifts[best] < 2 {
		return nil
	}
	var out []remark
	for i, e := range m.listed {
		if i+1 >= len(m.listed) || of[i] < 0 || m.listed[i+1].page == 0 || e.page == 0 {
			continue
		}
		d, next := drafts[of[i]], m.listed[i+1].page-best
		if next >= d.Document.FirstPage && d.Document.LastPage > next {
			out = append(out, remark{of[i], PagesBeyond, 1, "complet", m.listed[i+1].text, next,
				fmt.Sprintf("Le texte continue derrière la page %d, où le sommaire fait commencer le suivant.", next)})
		}
	}
	return out
}
