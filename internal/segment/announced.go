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
	page int // as printed, 0 for none
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
			kept = append(kept, e)
		}
	}
	return kept
}

// names tells whether an entry of a summary names a text: by its number, or by its
// day and the words of its title.
func (e listed) names(d *draft) bool {
	switch {
	case e.head.kind.as != d.head.kind.as:
		return false
	case e.head.number != "" && d.head.number != "":
		return law.TextNumber(e.head.number) == law.TextNumber(d.head.number)
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

// compare holds the texts of an issue against its summary. Of the texts that the
// summary names, each is the first of its name that no entry has yet.
func (m masthead) compare(drafts []*draft) {
	if len(m.listed) == 0 {
		return
	}
	of := make([]int, len(m.listed)) // the text of each entry
	entry := make([]int, len(drafts))
	for k := range entry {
		entry[k] = -1
	}
	found := 0
	for i, e := range m.listed {
		of[i] = -1
		for k, d := range drafts {
			if entry[k] < 0 && e.names(d) {
				of[i], entry[k] = k, i
				found++
				break
			}
		}
	}
	if found == 0 {
		return // it is another issue's, or cannot be read
	}
	at := 0
	for i, e := range m.listed {
		if of[i] >= 0 {
			at = of[i]
			continue
		}
		d := drafts[at]
		d.sign(Unfound, 1, "complet", e.text, d.Document.LastPage,
			fmt.Sprintf("Le sommaire annonce %d actes, %d ont été trouvés ; il manque celui qui est nommé ici.", len(m.listed), found))
	}
	for k, d := range drafts {
		if entry[k] < 0 && !d.headless {
			d.sign(NotAnnounced, float64(found)/float64(len(drafts)), "title", d.printed, d.Document.FirstPage, "Le sommaire n’annonce pas ce texte.")
		}
	}
	m.beyond(drafts, of)
}

// beyond says of a text that it goes on behind the page on which the summary says
// that the next one begins. How far printed numbers are from those of the file is
// told by the entries whose texts were found.
func (m masthead) beyond(drafts []*draft, of []int) {
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
		return
	}
	for i, e := range m.listed {
		if i+1 >= len(m.listed) || of[i] < 0 || m.listed[i+1].page == 0 || e.page == 0 {
			continue
		}
		d, next := drafts[of[i]], m.listed[i+1].page-best
		if next >= d.Document.FirstPage && d.Document.LastPage > next {
			d.sign(PagesBeyond, 1, "complet", m.listed[i+1].text, next, fmt.Sprintf("Le texte continue derrière la page %d, où le sommaire fait commencer le suivant.", next))
		}
	}
}
