package answer

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/retrieve"
)

// notice says before a paragraph that rests on law which is in force no longer
// that it does, and what took its place: whoever asks about a day that has
// passed, or for repealed texts, is not to take the answer for the law of today.
// A paragraph is held back until it is known which sources it cites; where none
// of the sources is outdated, nothing is held back.
type notice struct {
	hits  []retrieve.Hit
	today time.Time
	held  strings.Builder // the paragraph at hand, as far as it is written
	told  []string
}

// outdated tells whether a hit was law and is no longer.
func (n *notice) outdated(h retrieve.Hit) bool { return h.To != nil && !n.today.Before(*h.To) }

// take gives what may be passed on when text is written.
func (n *notice) take(text string) string {
	if n.held.Len() == 0 && !slices.ContainsFunc(n.hits, n.outdated) {
		return text
	}
	n.held.WriteString(text)
	written := n.held.String()
	end := strings.LastIndexByte(written, '\n') + 1
	n.held.Reset()
	n.held.WriteString(written[end:])
	return n.announced(written[:end])
}

// rest gives what is still held back.
func (n *notice) rest() string {
	written := n.held.String()
	n.held.Reset()
	return n.announced(written)
}

// announced puts the notices that its paragraphs need before each of them.
func (n *notice) announced(text string) string {
	var b strings.Builder
	for paragraph := range strings.Lines(text) {
		for _, m := range marks.FindAllStringSubmatch(paragraph, -1) {
			for number := range strings.SplitSeq(m[1], ",") {
				if at, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && at >= 1 && at <= len(n.hits) {
					b.WriteString(n.of(n.hits[at-1]))
				}
			}
		}
		b.WriteString(paragraph)
	}
	return b.String()
}

// of is the notice of a hit, "" where none is due or it has been given. It ends
// with a colon: it leads to what follows and cites nothing itself.
func (n *notice) of(h retrieve.Hit) string {
	if !n.outdated(h) {
		return ""
	}
	line := "Attention, ce qui suit n’est plus en vigueur depuis le " + law.WriteDate(*h.To)
	for _, r := range slices.Backward(h.Relations) {
		if r.Date == h.To.Format(time.DateOnly) {
			line += map[string]string{"abroge_par": ", abrogé par : ", "modifie_par": ", remplacé par : "}[r.Type] + r.Title
			break
		}
	}
	if line += " :\n"; slices.Contains(n.told, line) {
		return ""
	}
	n.told = append(n.told, line)
	return line
}
