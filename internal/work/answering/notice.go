package answering

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
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

// of returns the notice for a hit, "" if it needs none or was given before.
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

// numbering renumbers the sources of an answer while it is written: 1, 2, 3 in the order in
// which the text first cites them, whatever numbers they had in the prompt. A citation of
// a source that does not exist is removed. A citation may arrive in pieces: its beginning,
// and the blanks before it, are delayed until it is complete.
type numbering struct {
	sources int   // number of sources in the prompt
	order   []int // order[i] is the prompt's number of the source that the answer numbers i+1
	held    string
}

// longestMark is the maximum length in bytes of a citation such as « [12, 3, 4] ».
const longestMark = 32

// write adds a piece of text and returns the text that is complete.
func (n *numbering) write(delta string) string {
	text := n.held + delta
	cut := len(text)
	if open := strings.LastIndexByte(text, '['); open >= 0 && len(text)-open < longestMark && unfinished(text[open:]) {
		cut = open
	}
	cut = len(strings.TrimRight(text[:cut], blank))
	n.held = text[cut:]
	return n.rewrite(text[:cut])
}

// flush returns the delayed text at the end.
func (n *numbering) flush() string {
	text := n.held
	n.held = ""
	return n.rewrite(text)
}

// blank lists the blanks that may separate a word from the mark after it.
const blank = " \u00a0\u202f"

// unfinished reports whether text, which begins with « [ », can be the beginning of a mark.
func unfinished(text string) bool {
	return strings.Trim(text[1:], "0123456789, \u00a0") == ""
}

// rewrite renumbers the marks of a text; « [2, 5] » becomes « [1] [2] ».
func (n *numbering) rewrite(text string) string {
	var b strings.Builder
	pos := 0
	for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
		own := n.own(text[m[2]:m[3]])
		b.WriteString(strings.TrimRight(text[pos:m[0]], blanksBefore(own)))
		b.WriteString(own)
		pos = m[1]
	}
	b.WriteString(text[pos:])
	return b.String()
}

// blanksBefore returns the blanks that are removed before a mark: all if the mark itself is
// removed (""), else none.
func blanksBefore(mark string) string {
	if mark == "" {
		return blank
	}
	return ""
}

// own converts a list of the prompt's numbers to marks of the answer; "" if no source has
// one of these numbers.
func (n *numbering) own(numbers string) string {
	var out []string
	for s := range strings.SplitSeq(numbers, ",") {
		given, err := strconv.Atoi(strings.TrimSpace(s))
		if err == nil && given >= 1 && given <= n.sources {
			out = append(out, "["+strconv.Itoa(n.number(given))+"]")
		}
	}
	return strings.Join(out, " ")
}

// number returns the answer's number of the source that the prompt numbers given. A source
// that was not cited before gets the next number.
func (n *numbering) number(given int) int {
	for i, g := range n.order {
		if g == given {
			return i + 1
		}
	}
	n.order = append(n.order, given)
	return len(n.order)
}

// arrange puts the sources that the answer cites first, in the order of their numbers, and
// the other sources after them in their previous order.
func (n *numbering) arrange(hits []retrieve.Hit) []retrieve.Hit {
	out := make([]retrieve.Hit, 0, len(hits))
	cited := make([]bool, len(hits))
	for _, given := range n.order {
		out = append(out, hits[given-1])
		cited[given-1] = true
	}
	for i, h := range hits {
		if !cited[i] {
			out = append(out, h)
		}
	}
	return out
}

// noHelpLine begins an answer to somebody who tells of violence or wants to die.
const noHelpLine = "Si vous ou quelqu’un d’autre êtes en danger, appelez la police ou les secours : ce service cite des textes, il n’écoute pas et ne secourt pas."

// helpLead returns what comes before an answer to somebody who tells of violence or wants to die: that this is no help line,
// and what the operator wrote for the country, or for the only one that something is written for. It returns "" for any other
// question.
func (j *job) helpLead() string {
	asked := j.looked.Asked
	if asked == nil || !asked.Hurt {
		return ""
	}
	lead, codes := noHelpLine, asked.AskedCountries()
	if len(codes) == 0 && len(j.Help) == 1 {
		codes = slices.Collect(maps.Keys(j.Help))
	}
	for _, c := range slices.Compact(slices.Sorted(slices.Values(codes))) {
		if text := j.Help[c]; text != "" {
			lead += " " + text
		}
	}
	return lead + "\n\n"
}

// ReadHelp reads what an operator wrote for people in distress, by country: « sn: Appelez le 116. | ci: … ».
func ReadHelp(text string) (map[country.Code]string, error) {
	help := make(map[country.Code]string)
	for entry := range strings.SplitSeq(text, "|") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, words, _ := strings.Cut(entry, ":")
		code, ok := country.Parse(name)
		if words = strings.TrimSpace(words); !ok || words == "" {
			return nil, errs.Newf(errs.Invalid, "VIGUEUR_HELP_TEXTS : « %s » n’est pas « pays: texte »", strings.TrimSpace(entry))
		}
		help[code] = words
	}
	return help, nil
}
