package segment

import (
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// listed is an entry of an issue's summary.
type listed struct {
	text string
	head head
	// number is head.number without the blanks that printers insert.
	number string
	page   int // as printed, 0 for none
}

// listing returns the entries of a summary that name their texts. It skips entries that only describe their texts
// (« Nomination d'un directeur »).
func listing(lines []line, marks marked) []listed {
	var out []listed
	open := false
	for i, l := range lines {
		if marks.labels[i] != Summary {
			open = false
			continue
		}
		if _, _, named := natureOf(l.text); named && heads.StartsBig(l.text) {
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

// announcesText reports whether the entry names the text d: by its number or, if the entry or the text has no number,
// by words of the title. In the second case their dates must not differ.
func (e listed) announcesText(d *draft) bool {
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

// leastShared is the minimum share of an entry's words that the title of its text must contain.
const leastShared = 0.6

// sharedWords returns the share of the words of a that occur in b.
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

// longWords returns the folded words of a title that have more than three letters; shorter ones are mostly
// articles and prepositions.
func longWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}

// remark is a witness that the summary gives about a text.
type remark struct {
	text  int // index of the text
	kind  WitnessKind
	value float64
	field string
	words string
	page  int
	why   remarks.Remark
}

// matching assigns texts to the entries of a summary. Each entry gets the first text that it names and that
// no earlier entry has.
type matching struct {
	textOf []int  // for each entry the index of its text, -1 for none
	named  []bool // for each text whether an entry names it
	found  int    // number of entries that have a text
}

func (m masthead) match(drafts []*draft) matching {
	out := matching{textOf: make([]int, len(m.listed)), named: make([]bool, len(drafts))}
	for i, e := range m.listed {
		out.textOf[i] = -1
		for k, d := range drafts {
			if !out.named[k] && e.announcesText(d) {
				out.textOf[i], out.named[k] = k, true
				out.found++
				break
			}
		}
	}
	return out
}

// compare adds a witness to each text on which the issue and its summary disagree.
func (m masthead) compare(drafts []*draft) {
	for _, r := range m.remarks(drafts, m.match(drafts)) {
		drafts[r.text].addWitness(r.kind, r.value, r.field, r.words, r.page, r.why)
	}
}

// remarks returns what a summary says about the texts of its issue. It ignores a summary that names none of these
// texts: such a summary belongs to another issue, or was misread.
func (m masthead) remarks(drafts []*draft, match matching) []remark {
	if match.found == 0 {
		return nil
	}
	var out []remark
	at := 0
	for i, e := range m.listed {
		if match.textOf[i] >= 0 {
			at = match.textOf[i]
			continue
		}
		out = append(out, remark{at, Unfound, 1, "complet", e.text, drafts[at].Document.LastPage,
			remarks.Remark{Kind: remarks.SummaryNamesOther, Announced: len(m.listed), Found: match.found}})
	}
	for k, d := range drafts {
		if !match.named[k] && !d.headless {
			out = append(out, remark{k, NotAnnounced, float64(match.found) / float64(len(drafts)), "title", d.printed, d.Document.FirstPage, remarks.Of(remarks.SummaryLacks)})
		}
	}
	return out
}
