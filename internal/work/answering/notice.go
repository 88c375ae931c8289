package answering

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/search/retrieve"
)

// repealNotice inserts a warning before each paragraph that cites an article which is no
// longer in force, and names what replaced it: the answer to a question about a past day,
// or about repealed texts, must not be taken for the law of today. A paragraph contains the
// whole of a quotation, which may have several lines. It is delayed until the sources that
// it cites are known, unless none of the sources is outdated.
type repealNotice struct {
	hits  []retrieve.Hit
	today time.Time
	held  string // the current paragraph, still incomplete
	given []string
}

// outdated reports whether a hit is no longer in force.
func (n *repealNotice) outdated(h retrieve.Hit) bool { return h.To != nil && !n.today.Before(*h.To) }

// write adds text and returns the paragraphs that are complete.
func (n *repealNotice) write(text string) string {
	if n.held == "" && !slices.ContainsFunc(n.hits, n.outdated) {
		return text
	}
	complete, rest := paragraphs(n.held + text)
	n.held = rest
	return n.withNotices(complete)
}

// flush returns the incomplete paragraph at the end of the text.
func (n *repealNotice) flush() string {
	rest := n.held
	n.held = ""
	return n.withNotices([]string{rest})
}

// paragraphs splits text after the lines that end a paragraph. A line ends one if no
// quotation is open after it, or if it ends with a citation, which follows a quotation. rest
// is the incomplete paragraph at the end.
func paragraphs(text string) (complete []string, rest string) {
	begin, end := 0, 0
	for line := range strings.Lines(text) {
		end += len(line)
		block := text[begin:end]
		open := strings.Count(block, "«") > strings.Count(block, "»")
		if strings.HasSuffix(line, "\n") && (!open || strings.HasSuffix(strings.TrimSpace(line), "]")) {
			complete, begin = append(complete, block), end
		}
	}
	return complete, text[begin:]
}

// withNotices joins the paragraphs, each after the notices that it needs.
func (n *repealNotice) withNotices(paragraphs []string) string {
	var b strings.Builder
	for _, paragraph := range paragraphs {
		for _, m := range marks.FindAllStringSubmatch(paragraph, -1) {
			for number := range strings.SplitSeq(m[1], ",") {
				if pos, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && pos >= 1 && pos <= len(n.hits) {
					b.WriteString(n.of(n.hits[pos-1]))
				}
			}
		}
		b.WriteString(paragraph)
	}
	return b.String()
}

// of returns the notice for a hit, "" if it needs none or was given before. It ends with a
// colon, so that Check takes the notice for an introduction, which needs no citation.
func (n *repealNotice) of(h retrieve.Hit) string {
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
	if line += " :\n"; slices.Contains(n.given, line) {
		return ""
	}
	n.given = append(n.given, line)
	return line
}
