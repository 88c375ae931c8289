package segment

import (
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// Gazettes of some countries print each text twice, in French and in English,
// side by side. The French side is the text; the other one is set aside.

// Words that only one of the two languages has.
var (
	frenchWords  = words("le les des du et aux au une par pour est sont dans que qui sur il ces cette leur etre ou presente present loi")
	englishWords = words("the of and to shall be by with this that are which such any from or has have been may law their it is for hereby")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// bilingualShare is the least share of lines in either language that makes a file
// bilingual: a quotation or an address in English does not.
const bilingualShare = 0.15

// setScriptsAside takes out the lines of which most letters are none of the Latin
// script: gazettes of two languages print Arabic beside French, or on every other page.
func setScriptsAside(lines []line) (latin, other []line) {
	latin = make([]line, 0, len(lines))
	for _, l := range lines {
		n := 0
		for _, r := range l.text {
			switch {
			case unicode.Is(unicode.Latin, r):
				n++
			case unicode.IsLetter(r):
				n--
			}
		}
		if n < 0 {
			other = append(other, l)
		} else {
			latin = append(latin, l)
		}
	}
	return latin, other
}

// setEnglishAside takes the English lines out of a bilingual file.
func setEnglishAside(lines []line) (french, english []line) {
	score := make([]int, len(lines)) // above 0: French
	fr, en := 0, 0
	for i, l := range lines {
		if score[i] = frenchness(l.text); score[i] > 0 {
			fr++
		} else if score[i] < 0 {
			en++
		}
	}
	least := bilingualShare * float64(len(lines))
	if float64(fr) < least || float64(en) < least || en < 4 {
		return lines, nil
	}
	for i := 0; i < len(lines); {
		n := block(lines[i:])
		sum := 0
		for _, s := range score[i : i+n] {
			sum += s
		}
		if sum == 0 {
			sum = neighbors(score, i, i+n, lines)
		}
		if sum < 0 {
			english = append(english, lines[i:i+n]...)
		} else {
			french = append(french, lines[i:i+n]...)
		}
		i += n
	}
	return french, english
}

// frenchness counts the French words of a line, less the English ones.
func frenchness(text string) int {
	n := 0
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if frenchWords[w] {
			n++
		}
		if englishWords[w] {
			n--
		}
	}
	return n
}

// block tells how many lines from the first on are one paragraph in one column.
func block(lines []line) int {
	n := 1
	for n < len(lines) && !lines[n].opens && lines[n].Column == lines[0].Column && lines[n].Page == lines[0].Page {
		n++
	}
	return n
}

// neighbors returns lines [i,j) without a language of their own that of their nearest
// neighbors in the column.
func neighbors(score []int, i, j int, lines []line) int {
	same := func(k int) bool { return lines[k].Column == lines[i].Column && lines[k].Page == lines[i].Page }
	sum := 0
	for k, n := i-1, 0; k >= 0 && n < 3 && same(k); k, n = k-1, n+1 {
		sum += score[k]
	}
	for k, n := j, 0; k < len(lines) && n < 3 && same(k); k, n = k+1, n+1 {
		sum += score[k]
	}
	return sum
}
