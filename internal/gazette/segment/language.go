package segment

import (
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// Bilingual gazettes print each text twice, in French and in English, side by side. The French side is the
// text; the other one is set aside.

// Words that occur in only one of the two languages.
var (
	frenchWords  = setOf("le les des du et aux au une par pour est sont dans que qui sur il ces cette leur etre ou presente present loi")
	englishWords = setOf("the of and to shall be by with this that are which such any from or has have been may law their it is for hereby")
)

// bilingualShare is the minimum share of lines in each of the two languages that makes a file bilingual. A French file
// with a quotation or an address in English has a smaller share.
const bilingualShare = 0.15

// setScriptsAside separates the lines in which most letters are not Latin: bilingual gazettes print Arabic
// beside French, or on every other page.
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

// setEnglishAside separates the English lines of a bilingual file.
func setEnglishAside(lines []line) (french, english []line) {
	score := make([]int, len(lines)) // positive for French, negative for English
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
		n := paragraphLines(lines[i:])
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

// frenchness returns the number of French words of a line, minus that of English words.
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

// paragraphLines returns the number of lines, from the first on, that form a paragraph in one column.
func paragraphLines(lines []line) int {
	n := 1
	for n < len(lines) && !lines[n].opens && lines[n].Column == lines[0].Column && lines[n].Page == lines[0].Page {
		n++
	}
	return n
}

// neighbors returns the frenchness of the nearest lines around lines [i,j) in the same column. It decides the language
// of lines [i,j) if they have no words of either language.
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
