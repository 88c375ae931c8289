package prepare

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Gazettes of several languages print each text in each of them, in columns or sheet after sheet. The French text is the
// text; the others are set aside.

// Words that occur in only one of the two languages.
var (
	FrenchWords  = line.WordSet("le les des du et aux au une par pour est sont dans que qui sur il ces cette leur etre ou presente present loi")
	EnglishWords = line.WordSet("the of and to shall be by with this that are which such any from or has have been may law their it is for hereby")
)

// setScriptsAside separates the lines in which most letters are not Latin: bilingual gazettes print Arabic
// beside French, or on every other page.
func setScriptsAside(lines []line.Line) (latin, other []line.Line) {
	latin = make([]line.Line, 0, len(lines))
	for _, l := range lines {
		n := 0
		for _, r := range l.Text {
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

// speech counts the words of a line or a paragraph by their language.
type speech struct{ french, english, words int }

// score is positive for French and negative for another language. In French, one word in twelve or more is one of
// FrenchWords.
func (s speech) score() int { return 12*(s.french-s.english) - s.words }

func (s speech) add(o speech) speech {
	return speech{s.french + o.french, s.english + o.english, s.words + o.words}
}

// speechOf counts the words of a text. It skips names, which belong to no language.
func speechOf(text string) (s speech) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		first, n := utf8.DecodeRuneInString(w)
		if n < len(w) && unicode.IsLower(first) {
			s.words++
		}
		w = law.Fold(w)
		if FrenchWords[w] {
			s.french++
		}
		if EnglishWords[w] {
			s.english++
		}
	}
	return s
}

const (
	// otherShare is the minimum share of lines in French, and of lines in other languages, in a file of several
	// languages: half of what each of three languages has. A French file with a quotation or an address in another language
	// has a smaller share.
	otherShare = 1. / 6
	// fewWords is the number of words that show the language of a paragraph. A shorter one has the language of the
	// paragraphs around it.
	fewWords = 12
	// nearLines is the number of lines before and after a short paragraph that decide its language.
	nearLines = 8
)

// setLanguagesAside separates the lines in other languages from the French ones of a file of several languages.
func setLanguagesAside(lines []line.Line) (french, other []line.Line) {
	spoken := make([]speech, len(lines))
	for i, l := range lines {
		spoken[i] = speechOf(l.Text)
	}
	own, foreign := 0, 0
	for i, n := 0, 0; i < len(lines); i += n {
		n = paragraphLines(lines[i:])
		switch s := sumOf(spoken[i : i+n]); {
		case s.score() > 0:
			own += n
		case s.words >= fewWords || s.english > s.french:
			foreign += n
		}
	}
	least := otherShare * float64(len(lines))
	if float64(own) < least || float64(foreign) < least || foreign < 4 {
		return lines, nil
	}
	for i, n := 0, 0; i < len(lines); i += n {
		n = paragraphLines(lines[i:])
		s := sumOf(spoken[i : i+n])
		if s.words < fewWords {
			s = s.add(spokenAround(spoken, i, i+n, lines))
		}
		if s.score() < 0 {
			other = append(other, lines[i:i+n]...)
		} else {
			french = append(french, lines[i:i+n]...)
		}
	}
	return french, other
}

// ManyLanguages reports whether a file prints its texts in several languages.
func (f File) ManyLanguages() bool {
	return float64(len(f.Foreign)) >= otherShare*float64(len(f.Lines)+len(f.Foreign)) && len(f.Foreign) > 0
}

// MixedPage is a page with words of two languages on one line, because its columns were not separated.
type MixedPage struct {
	Page  int
	Words string // the first of these lines
}

// mixedLines is the minimum number of lines with words of two languages on a mixed page. Fewer lines may be quotations.
const mixedLines = 3

// MixedPages returns the pages on which lines in other languages have French words too.
func MixedPages(other []line.Line) []MixedPage {
	var out []MixedPage
	n := map[int]int{}
	for _, l := range other {
		if s := speechOf(l.Text); s.french < 2 {
			continue
		}
		if n[l.Page]++; n[l.Page] == 1 {
			out = append(out, MixedPage{l.Page, l.Text})
		}
	}
	return slices.DeleteFunc(out, func(p MixedPage) bool { return n[p.Page] < mixedLines })
}

// sumOf adds up the counts of lines.
func sumOf(all []speech) (sum speech) {
	for _, s := range all {
		sum = sum.add(s)
	}
	return sum
}

// paragraphLines returns the number of lines, from the first on, that form a paragraph in one column.
func paragraphLines(lines []line.Line) int {
	n := 1
	for n < len(lines) && !lines[n].Opens && lines[n].Column == lines[0].Column && lines[n].Page == lines[0].Page {
		n++
	}
	return n
}

// spokenAround adds up the counts of the nearest lines before and after lines [i,j) in the same column.
func spokenAround(spoken []speech, i, j int, lines []line.Line) (sum speech) {
	same := func(k int) bool { return lines[k].Column == lines[i].Column && lines[k].Page == lines[i].Page }
	for k, n := i-1, 0; k >= 0 && n < nearLines && same(k); k, n = k-1, n+1 {
		sum = sum.add(spoken[k])
	}
	for k, n := j, 0; k < len(lines) && n < nearLines && same(k); k, n = k+1, n+1 {
		sum = sum.add(spoken[k])
	}
	return sum
}
