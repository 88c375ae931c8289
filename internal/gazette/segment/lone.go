package segment

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

var (
	// « la loi n° 65-99 relative au Code du travail », in the middle of a title.
	namedLaw = law.Pattern(`(?i)\b(?:loi|ordonnance)(?: +organique)? +n ?[°º*˚o]\.? *` + textNumberPattern)
	theBasic = law.Pattern(`^(?:LA +)?(?:CONSTITUTION|Constitution)\b.{0,80}$`)
	// Acts that bind states; the catalogue has no type for them.
	treaty = law.Pattern(`^(?i:acte uniforme|trait[ée]|convention|protocole|r[èe]glement|accord|charte)(?: |$)`)
	// « Adopté le 17/10/1993 à Port-Louis », « Fait à Dakar, le 3 mai 1994 »
	adopted = law.Pattern(`^(?i:adopt[ée]e?|sign[ée]e?|conclue?|faite?)(?: |,).{0,60}$`)
	// A kind and a number anywhere on a line, as scans show them: « BURKtNA FASO Décret N'2000- 1!)0 »,
	// « Decrer n° 2 01 6/ É 16 ou. D 4 AOÛT 2016 ».
	looseKind = law.Pattern(`(?i)(?:^|[^\p{L}])(loi|d.cre.|arr.t.|ordonnance|circulaire) +n ?[°º*˚o'."]{0,2} ?([\dIlO!)( ]{2,8} ?[-/] ?[^ ]{1,6})(.*)$`)
)

// loneHead returns the head of a file in which no beginning of a text was found in the usual form. It reads a
// title page, the name of a code or a constitution, the operator's hints, or the file's name.
func loneHead(lines []line, from int, file string) head {
	h := head{at: from}
	front := frontOf(lines[from:])
	for i, l := range front {
		if !(l.opens || l.mid) || !namesText(l) || isEnactingLaw(l) {
			continue
		}
		n := titleLines(front[i:])
		if h.read(joined(front[i : i+n])) {
			h.lines = i + n
			if h.date.IsZero() {
				h.date, h.above = dateAbove(front[:i])
				h.dated = letterDay(h.above)
			}
			return h
		}
	}
	if h.readLoose(front, file) || h.readName(front) {
		return h
	}
	h.lines = biggest(front)
	if h.lines > 0 {
		head := func(l line) bool { return namesState.MatchString(l.text) } // a letterhead is no title
		h.object = joined(slices.DeleteFunc(slices.Clone(front[:h.lines]), head))
	}
	if named, number := nameOf(file); named != "" {
		h.kind, h.guessed = kindOf(named), true
		h.number = number
	}
	return h
}

// looseLines is how many lines are searched for a badly recognized title.
const looseLines = 12

// readLoose reads a title that was recognized too badly for read. It trusts the result only as far as the
// file's name confirms it: if kind and year agree with « decret-2016-375-carte.pdf », the text gets the
// number in this name.
func (h *head) readLoose(front []line, file string) bool {
	for i, l := range front {
		if i >= looseLines {
			break
		}
		m := looseKind.FindStringSubmatch(l.text)
		if m == nil || isEnactingLaw(l) {
			continue
		}
		h.kind = kindOf(properKind(m[1]))
		h.number, h.trust = law.TextNumber(strings.Trim(m[2], " !)(")), remarks.AsGuessed
		named, number := nameOf(file)
		year, _, _ := strings.Cut(number, "-")
		if len(year) == 4 && kindOf(named).as == h.kind.as && strings.HasPrefix(law.TextNumber(m[2]), year) {
			if h.number != number && law.OnlyDigits(lastPart(h.number)) && law.OnlyDigits(lastPart(number)) {
				h.trust = remarks.AsGuessed // the title shows another number
			} else {
				h.number, h.trust = strings.Replace(number, "-", string(signOf(m[2])), 1), remarks.AsInferred
			}
		}
		if d, from, to, ok := law.FindDate(m[3]); ok {
			h.date, h.dated = d, m[3][from:to]
		}
		h.lines = i + titleLines(front[i:])
		h.object = strings.Trim(joined(front[i+1:h.lines]), " .,;:–—-_")
		return true
	}
	return false
}

// confirm reads the broken number of a head with the help of the file's name, as readLoose does.
func (h *head) confirm(lines []line, file string) {
	var loose head
	if loose.readLoose(lines[:min(len(lines), max(h.lines, 1))], file) && loose.kind.as == h.kind.as {
		h.number, h.trust = loose.number, loose.trust
		if h.date.IsZero() {
			h.date, h.dated = loose.date, loose.dated
		}
	}
}

// properKind corrects the name of a kind that was recognized with a misread letter.
func properKind(printed string) string {
	word := heads.Letters(printed)
	for _, k := range []string{"decret", "arrete"} {
		if heads.Slips(word, k) <= slipsInDivision {
			return k
		}
	}
	return printed
}

// lastPart returns what follows the last separator in a number.
func lastPart(number string) string {
	return number[strings.LastIndexAny(number, "-/")+1:]
}

// signOf returns the sign that separates the parts of a number. It is the first one, because later ones may
// separate the initials of authors.
func signOf(number string) byte {
	if at := strings.IndexAny(number, "-/"); at >= 0 {
		return number[at]
	}
	return '-'
}

// readName reads a head that is a name alone: « CODE DES DOUANES », « CONSTITUTION DE LA RÉPUBLIQUE ».
func (h *head) readName(front []line) bool {
	for i, l := range front {
		if i > 40 || !l.mid && !l.Bold && !capitals(l.text) && l.Size < 14 && i > 3 {
			continue
		}
		if m := treaty.FindString(l.text); m != "" && (l.mid || l.Bold || capitals(l.text)) {
			h.kind = kindOf(m)
			n := i + 1
			for n < len(front) && n < i+6 && front[n].Size == l.Size && front[n].Bold == l.Bold &&
				(dangling.MatchString(front[n-1].text) || !preambleStart.MatchString(front[n].text)) {
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
		h.kind = kind{as: law.Code}
		if basic {
			h.kind.as = law.Constitution
		}
		h.lines += h.takeLawBelow(front[n:])
		h.takeLawAround(front)
		return true
	}
	return false
}

// takeLawAround gives a text that is known by its name alone the number and the date of the law that enacted it,
// if a line of the front names this law. It skips laws that amended the text.
func (h *head) takeLawAround(front []line) {
	for _, f := range front {
		at := namedLaw.FindStringSubmatchIndex(f.text)
		if len(at) > 0 && changes.MatchString(f.text[:at[0]]) {
			continue
		}
		if len(at) > 2 && h.number == "" {
			h.number, h.byLaw = law.TextNumber(f.text[at[2]:at[3]]), true
		}
		if h.date.IsZero() && namesText(f) {
			h.date, _, _, _ = law.FindDate(withoutState(f.text))
		}
	}
}

// enactingReach is the maximum number of lines that the law that enacted a code takes under the code's name.
const enactingReach = 3

// isEnactingLaw reports whether the line is nothing but the law, in brackets, that enacted the code named above
// it.
func isEnactingLaw(l line) bool {
	return strings.HasPrefix(l.text, "(") && enactingLaw.MatchString(l.text)
}

// takeLawBelow reads the law that enacted a code, in brackets under the code's name, and returns its number of
// lines.
func (h *head) takeLawBelow(under []line) int {
	if len(under) == 0 || !strings.HasPrefix(under[0].text, "(") {
		return 0
	}
	for n := 1; n <= min(enactingReach, len(under)); n++ {
		if !strings.Contains(under[n-1].text, ")") {
			continue
		}
		if h.takeLawIn(joined(under[:n])); h.byLaw {
			return n
		}
		break
	}
	return 0
}

// citing matches the beginning of a visa, however it is printed. The names after it are those of other texts.
var citing = optionalAccents(`^(?i:vu|considérant|attendu)(?:[ :]|$)`)

// frontOf returns the lines before the first visa, article or division, at most 120 lines on three pages.
func frontOf(lines []line) []line {
	for i, l := range lines {
		if i >= 120 || l.Page > lines[0].Page+2 {
			return lines[:i]
		}
		if citing.MatchString(heads.WithoutSpecks(l.text)) {
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

// biggest returns the number of lines from the first one to the last one in the biggest type of the front,
// which is usually the title. The type of recognized lines is unknown, so for them it returns 0 if no line
// near the top is centered or in capitals.
func biggest(front []line) int {
	if len(front) == 0 || front[0].scan && !slices.ContainsFunc(front[:min(len(front), 30)], func(l line) bool { return l.mid || capitals(l.text) }) {
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
