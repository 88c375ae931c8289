package titles

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// NamesState matches a line that names a gazette or a state: « REPUBLIQUE DU BENIN ».
var NamesState = law.Pattern(`^(?i:le +)?(?i:journal +officiel|bulletin +officiel|gazette|moniteur|m[ée]morial|r[ée]publique|royaume|principaut[ée]|grand~duch[ée]|[ée]tat|union|de +la +r[ée]publique|du +royaume)(?: |$)`)

var (
	// « la loi n° 65-99 relative au Code du travail », in the middle of a title.
	namedLaw = law.Pattern(`(?i)\b(?:loi|ordonnance)(?: +organique)? +n ?[°*o]\.? *` + NumberPattern)
	theBasic = law.Pattern(`^(?:LA +)?(?:CONSTITUTION|Constitution)\b.{0,80}$`)
	// Acts that bind states; the catalogue has no type for them.
	treaty = law.Pattern(`^(?i:acte uniforme|trait[ée]|convention|protocole|r[èe]glement|accord|charte)(?: |$)`)
	// Adopted matches « Adopté le 17/10/1993 à Port-Louis », « Fait à Dakar, le 3 mai 1994 ».
	Adopted = law.Pattern(`^(?i:adopt[ée]e?|sign[ée]e?|conclue?|faite?)(?: |,).{0,60}$`)
	// A kind and a number anywhere on a line, as scans show them: « BURKtNA FASO Décret N'2000- 1!)0 »,
	// « Decrer n° 2 01 6/ É 16 ou. D 4 AOÛT 2016 ».
	looseKind = law.Pattern(`(?i)(?:^|[^\p{L}])(loi|d.cre.|arr.t.|ordonnance|circulaire) +n ?[°*o'."]{0,2} ?([\dIlO!)( ]{2,8} ?[-/] ?[^ ]{1,6})(.*)$`)
)

// ReadLone returns the head of a file in which no beginning of a text was found in the usual form. It reads a
// title page, the name of a code or a constitution, the operator's hints, or the file's name.
func ReadLone(lines []line.Line, start int, file string) Title {
	h := Title{At: start}
	front := Front(lines[start:])
	for i, l := range front {
		if !(l.Opens || l.Centered) || !NamesText(l) || isEnactingLaw(l) {
			continue
		}
		n := titleLines(front[i:])
		if h.Read(line.Join(front[i : i+n])) {
			h.Lines = i + n
			if h.Date.IsZero() {
				h.ReadAbove(front[:i])
			}
			return h
		}
	}
	if h.readLoose(front, file) || h.readName(front) {
		return h
	}
	h.Lines = biggest(front)
	if h.Lines > 0 {
		head := func(l line.Line) bool { return NamesState.MatchString(l.Text) } // a letterhead is no title
		h.Object = line.Join(slices.DeleteFunc(slices.Clone(front[:h.Lines]), head))
	}
	if named, number := nameOf(file); named != "" {
		h.Kind, h.Guessed = KindOf(named), true
		h.Number = signedAs(number, front)
	}
	return h
}

// signedAs returns the number of a file's name with the sign that a line prints between its parts, where at most one character of
// that number was misread.
func signedAs(number string, front []line.Line) string {
	printed := strings.ReplaceAll(number, "-", "/")
	for _, l := range front {
		for _, w := range l.Words {
			if strings.Contains(w.Text, "/") && heads.Slips(w.Text, printed) <= 1 {
				return printed
			}
		}
	}
	return number
}

// looseLines is how many lines are searched for a badly recognized title.
const looseLines = 12

// readLoose reads a title that was recognized too badly for read. It trusts the result only as far as the
// file's name confirms it: if kind and year agree with « decret-2016-375-carte.pdf », the text gets the
// number in this name.
func (h *Title) readLoose(front []line.Line, file string) bool {
	for i, l := range front {
		if i >= looseLines {
			break
		}
		m := looseKind.FindStringSubmatch(l.Text)
		if m == nil || isEnactingLaw(l) || isCited(l.Text, m[1]) {
			continue
		}
		h.Kind = KindOf(m[1])
		h.Number, h.Trust = law.TextNumber(strings.Trim(m[2], " !)(")), remarks.AsGuessed
		named, number := nameOf(file)
		year, _, _ := strings.Cut(number, "-")
		if len(year) == 4 && KindOf(named).Type == h.Kind.Type && strings.HasPrefix(law.TextNumber(m[2]), year) {
			if h.Number != number && law.OnlyDigits(lastPart(h.Number)) && law.OnlyDigits(lastPart(number)) {
				h.Trust = remarks.AsGuessed // the title shows another number
			} else {
				h.Number, h.Trust = strings.Replace(number, "-", string(signOf(m[2])), 1), remarks.AsInferred
			}
		}
		if d, start, end, ok := law.FindDate(m[3]); ok {
			h.Date, h.Dated = d, m[3][start:end]
		}
		h.Lines = i + titleLines(front[i:])
		h.Object = strings.Trim(line.Join(front[i+1:h.Lines]), " .,;:–—-_")
		return true
	}
	return false
}

// isCited reports whether the name of a text stands in a sentence: « de la loi n° … ».
func isCited(text, kind string) bool {
	left, _, _ := strings.Cut(text, kind)
	return Dangling.MatchString(strings.TrimRight(left, " "))
}

// MendNumber reads the broken number of a head with the help of the file's name, as readLoose does.
func (h *Title) MendNumber(lines []line.Line, file string) {
	var loose Title
	if loose.readLoose(lines[:min(len(lines), max(h.Lines, 1))], file) && loose.Kind.Type == h.Kind.Type {
		h.Number, h.Trust = loose.Number, loose.Trust
		if h.Date.IsZero() {
			h.Date, h.Dated = loose.Date, loose.Dated
		}
	}
}

// lastPart returns what follows the last separator in a number.
func lastPart(number string) string {
	return number[strings.LastIndexAny(number, "-/")+1:]
}

// signOf returns the sign that separates the parts of a number. It is the first one, because later ones may
// separate the initials of authors.
func signOf(number string) byte {
	if pos := strings.IndexAny(number, "-/"); pos >= 0 {
		return number[pos]
	}
	return '-'
}

// readName reads a head that is a name alone: « CODE DES DOUANES », « CONSTITUTION DE LA RÉPUBLIQUE ».
func (h *Title) readName(front []line.Line) bool {
	for i, l := range front {
		if i > 40 || !l.Centered && !l.Bold && !line.AllCaps(l.Text) && l.Size < 14 && i > 3 {
			continue
		}
		if m := treaty.FindString(l.Text); m != "" && (l.Centered || l.Bold || line.AllCaps(l.Text)) {
			h.Kind = KindOf(m)
			n := i + 1
			for n < len(front) && n < i+6 && front[n].Size == l.Size && front[n].Bold == l.Bold &&
				(Dangling.MatchString(front[n-1].Text) || !PreambleStart.MatchString(front[n].Text)) {
				n++
			}
			h.Object, h.Lines = strings.TrimSpace(strings.TrimPrefix(line.Join(front[i:n]), m)), n
			return true
		}
		code, basic := line.WholeCode.MatchString(strings.Trim(l.Text, "«» ")), theBasic.MatchString(l.Text)
		if !code && !basic || line.Ends(l.Text) {
			continue
		}
		n := i + 1
		for n < len(front) && n < i+4 && front[n].Size == l.Size && front[n].Bold == l.Bold && front[n].Centered == l.Centered && l.Size > front[min(n+1, len(front)-1)].Size {
			n++
		}
		h.Object, h.Lines = strings.Trim(line.Join(front[i:n]), "«» "), n
		h.Kind = ActKind{Type: law.Code}
		if basic {
			h.Kind.Type = law.Constitution
		}
		h.Lines += h.takeLawBelow(front[n:])
		h.takeLawAround(front)
		return true
	}
	return false
}

// takeLawAround gives a text that is known by its name alone the number and the date of the law that enacted it,
// if a line of the front names this law. It skips laws that amended the text.
func (h *Title) takeLawAround(front []line.Line) {
	for _, f := range front {
		positions := namedLaw.FindStringSubmatchIndex(f.Text)
		if len(positions) > 0 && Amending.MatchString(f.Text[:positions[0]]) {
			continue
		}
		if len(positions) > 2 && h.Number == "" {
			h.Number, h.byLaw = law.TextNumber(f.Text[positions[2]:positions[3]]), true
		}
		if h.Date.IsZero() && NamesText(f) {
			h.Date, _, _, _ = law.FindDate(withoutState(f.Text))
		}
	}
}

// enactingReach is the maximum number of lines that the law that enacted a code takes under the code's name.
const enactingReach = 3

// isEnactingLaw reports whether the line is nothing but the law, in brackets, that enacted the code named above
// it.
func isEnactingLaw(l line.Line) bool {
	return strings.HasPrefix(l.Text, "(") && enactingLaw.MatchString(l.Text)
}

// takeLawBelow reads the law that enacted a code, in brackets under the code's name, and returns its number of
// lines.
func (h *Title) takeLawBelow(lines []line.Line) int {
	if len(lines) == 0 || !strings.HasPrefix(lines[0].Text, "(") {
		return 0
	}
	for n := 1; n <= min(enactingReach, len(lines)); n++ {
		if !strings.Contains(lines[n-1].Text, ")") {
			continue
		}
		if h.takeLawIn(line.Join(lines[:n])); h.byLaw {
			return n
		}
		break
	}
	return 0
}

// citing matches the beginning of a visa, however it is printed. The names after it are those of other texts.
var citing = line.OptionalAccents(`^(?i:vu|considérant|attendu)(?:[ :]|$)`)

// Front returns the lines before the first visa, article or division, at most 120 lines on three pages.
func Front(lines []line.Line) []line.Line {
	for i, l := range lines {
		if i >= 120 || l.Page > lines[0].Page+2 {
			return lines[:i]
		}
		if citing.MatchString(heads.WithoutSpecks(l.Text)) {
			return lines[:i]
		}
		if _, _, ok := l.Article(""); ok && l.Opens {
			return lines[:i]
		}
		if _, ok := l.Heading(); ok && l.Opens {
			return lines[:i]
		}
	}
	return lines
}

// biggest returns the number of lines from the first one to the last one in the biggest type of the front,
// which is usually the title. The type of recognized lines is unknown, so for them it returns 0 if no line
// near the top is centered or in capitals.
func biggest(front []line.Line) int {
	if len(front) == 0 || front[0].Scanned && !slices.ContainsFunc(front[:min(len(front), 30)], func(l line.Line) bool { return l.Centered || line.AllCaps(l.Text) }) {
		return 0
	}
	size, pos := 0.0, 0
	for i, l := range front {
		if l.Size > size+0.5 && i < 30 {
			size, pos = l.Size, i
		}
	}
	n := pos + 1
	for n < len(front) && n < pos+6 && front[n].Size >= size-0.5 && !PreambleStart.MatchString(front[n].Text) {
		n++
	}
	return n
}
