package segment

import (
	"strings"

	"vigueur/internal/law"
)

var (
	// Headings of a gazette between its texts.
	rubric = law.Pattern(`^(?:~ ?)?(?:PARTIE (?:NON )?OFFICIELLE|LOIS?|ORDONNANCES?|D[ÉE]CRETS?(?: ET ARR[ÊE]T[ÉE]S)?|ARR[ÊE]T[ÉE]S?|CIRCULAIRES?|D[ÉE]CISIONS?|AVIS(?: ET COMMUNICATIONS)?|CONSTITUTION|(?:ACTES? (?:EN ABR[ÉE]G[ÉE]|R[ÉE]GLEMENTAIRES?)|Actes? en abrégé)|(?:[A-Z] ?~ ?)?TEXTES (?:G[ÉE]N[ÉE]RAUX|PARTICULIERS)|D[ÉE]CRETS?,? ARR[ÊE]T[ÉE]S.*|(?:PR[ÉE]SIDENCE|MINIST[ÈE]RES?|PRIMATURE|PREMIER MINISTRE|SECR[ÉE]TARIAT|COUR |CONSEIL |ASSEMBL[ÉE]E NATIONALE|S[ÉE]NAT).*|NOMINATIONS?(?: .*)?|Nominations?(?: \(.*)?|AGR[ÉE]MENTS?|Agréments?|RECTIFICATIFS?|D[ÉE]L[ÉE]GATIONS? DE SIGNATURE)(?: ?~)?(?: |[.:])*$`)
	// What ends the last text of an issue.
	colophon = law.Pattern(`^(?i:imprimerie\b.*|imprim[ée] .*|d[ée]p[oô]t l[ée]gal.*|le directeur du journal officiel.*|(?:~ ?)?partie non officielle(?: ?~)?)$|^(?i:imprimerie (?:de|du|nationale|officielle)).*`)
)

// findHeads finds where texts begin. A line that reads like a head is one only
// when what a law says of itself comes after it: visas, a formula, an article,
// or a mention in the summary.
func findHeads(lines []line, m masthead) []head {
	var out []head
	quote := quoted(lines)
	articles := false // since the last head
	for i := m.body; i < len(lines); i++ {
		l := lines[i]
		if quote[i] || !mayHead(before(lines, i), l) {
			continue
		}
		h, ok := headAt(lines, i)
		if !ok {
			_, _, article := l.article("")
			articles = articles || article
			continue
		}
		if n := len(out); n > 0 && !h.abridged && !articles && out[n-1].key() == h.key() {
			continue // a title page, then the title again
		}
		if !confirmed(h, lines, m, out) {
			continue
		}
		out, articles = append(out, h), false
		i += max(h.lines, 1) - 1
	}
	return out
}

// confirmed judges a head by what stands around it.
func confirmed(h head, lines []line, m masthead, found []head) bool {
	_, listed := m.entries[h.key()]
	if h.abridged {
		afterAbridged := len(found) > 0 && found[len(found)-1].abridged
		return m.gazette && (listed || afterAbridged || underAbridged(lines, h.at))
	}
	for _, l := range lines[h.at : h.at+h.lines] {
		if leader.MatchString(l.text) {
			return false // an entry of a table of contents
		}
	}
	next := lines[h.at+h.lines : min(len(lines), h.at+h.lines+25)]
	formula, article := false, false
	for i, l := range next {
		if mayHead(before(next, i), l) && headPattern.MatchString(l.text) && !formula {
			break
		}
		if _, _, ok := l.article(""); ok && l.opens {
			article = true
			break
		}
		formula = formula || enacting.MatchString(l.text)
	}
	return formula || article || listed && len(found) < len(m.entries)
}

// articlesIn tells whether an article begins in lines.
func articlesIn(lines []line) bool {
	for i, l := range lines {
		if _, _, ok := l.article(""); ok && mayHead(before(lines, i), l) {
			return true
		}
	}
	return false
}

// underAbridged tells whether the rubric above says that acts come in short.
func underAbridged(lines []line, at int) bool {
	for i := at - 1; i >= 0 && i >= at-6; i-- {
		if t := lines[i].text; rubric.MatchString(t) && strings.Contains(strings.ToUpper(t), "ABR") {
			return true
		}
	}
	return false
}

// withoutRubrics takes off a text's end what is the gazette's: the rubrics over
// the next text, and the printer's notices at the end of the issue.
func withoutRubrics(lines []line, gazette, last bool) (own, rest []line) {
	if !gazette {
		return lines, nil
	}
	end := len(lines)
	if last {
		for i, l := range lines {
			if i > 0 && l.opens && colophon.MatchString(l.text) {
				end = i
				break
			}
		}
	}
	for end > 1 && (rubric.MatchString(lines[end-1].text) || rubricGoesOn(lines[:end])) {
		end--
	}
	return lines[:end], lines[end:]
}

// rubricGoesOn tells whether the last line continues a rubric that was broken:
// « MINISTÈRE DE L'INTÉRIEUR » « ET DE LA DÉCENTRALISATION ».
func rubricGoesOn(lines []line) bool {
	for n := len(lines) - 1; n > 0 && n > len(lines)-4; n-- {
		l := lines[n]
		if !capitals(l.text) || personName.MatchString(l.text) && !joins.MatchString(l.text) || l.Bold != lines[n-1].Bold {
			return false
		}
		if rubric.MatchString(lines[n-1].text) {
			return true
		}
	}
	return false
}

// joins is how a line begins that goes on with a ministry's name.
var joins = law.Pattern(`^(?:ET|DE|DES|DU|D'|À|A|AUX?|CHARG[ÉE]E?S?|LA|LE|LES)(?: |\p{L})`)
