package segment

import (
	"path/filepath"
	"strings"

	"vigueur/internal/law"
)

var (
	// « la loi n° 65-99 relative au Code du travail », in the middle of a title.
	namedLaw = law.Pattern(`(?i)\b(?:loi|ordonnance)(?: +organique)? +n ?[°º*˚o]\.? *` + textNumberPattern)
	theBasic = law.Pattern(`^(?:LA +)?(?:CONSTITUTION|Constitution)\b.{0,80}$`)
	// What binds states; the catalogue has no kind of its own for it.
	treaty   = law.Pattern(`^(?i:acte uniforme|trait[ée]|convention|protocole|r[èe]glement|accord|charte)\b`)
	fileName = law.Pattern(`(?i)^(loi|decret|arrete|circulaire|code|constitution|ordonnance)s?(?:~|_| )+(\d{1,4}(?:~|_)\d{1,4})?`)
)

// loneHead makes the head of a file in which no text's beginning was found in
// the usual form: from a title page, a code's or a constitution's name, the
// operator's hints or the file's name.
func loneHead(lines []line, from int, hints Hints) head {
	h := head{at: from}
	front := frontOf(lines[from:])
	for i, l := range front {
		if !(l.opens || l.mid) || !headPattern.MatchString(l.text) {
			continue
		}
		n := titleLines(front[i:])
		if h.read(joined(front[i : i+n])) {
			h.abridged = false
			h.lines = i + n
			if h.date.IsZero() {
				h.date = dateAbove(front[:i])
			}
			return h
		}
	}
	if h.readName(front) {
		return h
	}
	h.lines = biggest(front)
	if h.lines > 0 {
		h.object = joined(front[:h.lines])
	}
	if m := fileName.FindStringSubmatch(law.Fold(filepath.Base(hints.Filename))); m != nil {
		h.kind = kindOf(m[1])
		h.kind.sure = false
		h.number = law.TextNumber(m[2])
	}
	return h
}

// readName reads a head that is a name alone: « CODE DES DOUANES »,
// « CONSTITUTION DE LA RÉPUBLIQUE ».
func (h *head) readName(front []line) bool {
	for i, l := range front {
		if i > 40 || !l.mid && !l.Bold && !capitals(l.text) && l.Size < 14 && i > 3 {
			continue
		}
		if m := treaty.FindString(l.text); m != "" && (l.mid || l.Bold) {
			h.kind = kind{label: properLabel(law.Fold(m)), as: law.Loi}
			n := i + 1
			for n < len(front) && n < i+6 && front[n].Size == l.Size && front[n].Bold == l.Bold && !preambleStart.MatchString(front[n].text) {
				n++
			}
			h.object, h.lines = strings.TrimSpace(strings.TrimPrefix(joined(front[i:n]), m)), n
			return true
		}
		code, basic := wholeCode.MatchString(strings.Trim(l.text, "«» ")), theBasic.MatchString(l.text)
		if !code && !basic || ended(l.text) {
			continue
		}
		n := i + 1
		for n < len(front) && n < i+4 && front[n].Size == l.Size && front[n].Bold == l.Bold && front[n].mid == l.mid && l.Size > front[min(n+1, len(front)-1)].Size {
			n++
		}
		h.object, h.lines = strings.Trim(joined(front[i:n]), "«» "), n
		h.kind = kind{as: law.Code, sure: true}
		if basic {
			h.kind.as = law.Constitution
		}
		for _, f := range front {
			if m := namedLaw.FindStringSubmatch(f.text); m != nil && h.number == "" {
				h.number = law.TextNumber(m[1])
			}
			if d, _, _, ok := law.FindDate(f.text); ok && h.date.IsZero() && headPattern.MatchString(f.text) {
				h.date = d
			}
		}
		return true
	}
	return false
}

// frontOf is what comes before the first article or division, at most two pages.
func frontOf(lines []line) []line {
	for i, l := range lines {
		if i >= 120 || l.Page > lines[0].Page+2 {
			return lines[:i]
		}
		if _, _, ok := l.article(""); ok && l.opens {
			return lines[:i]
		}
		if _, ok := l.heading(); ok && l.opens {
			return lines[:i]
		}
	}
	return lines
}

// biggest tells how many lines, from the first on, are set in the biggest type of
// the front: the title as its printer saw it.
func biggest(front []line) int {
	if len(front) == 0 {
		return 0
	}
	size, at := 0.0, 0
	for i, l := range front {
		if l.Size > size+0.5 && i < 30 {
			size, at = l.Size, i
		}
	}
	n := at + 1
	for n < len(front) && n < at+6 && front[n].Size >= size-0.5 && !preambleStart.MatchString(front[n].text) {
		n++
	}
	return n
}
