package question

import (
	"bytes"
	"compress/gzip"
	_ "embed" // frequencies of letters in several languages
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/read"
)

// Language is the language of a question.
type Language string

// The languages that are distinguished: those in which people write in the countries whose law the catalogue
// contains. Unknown is any other language, or a text too short to say.
const (
	French  Language = "fr"
	English Language = "en"
	Wolof   Language = "wo"
	Arabic  Language = "ar"
	Unknown Language = ""
)

// Latin lists the languages that are distinguished by their letters, French first.
var Latin = [...]Language{French, English, Wolof}

//go:embed languages.tsv
var languagesText string

// Letters distinguishes languages by the frequencies of letter trigrams, in which any run of other characters
// counts as one blank. scripts/train language learned the frequencies from one text in all these languages,
// the Universal Declaration of Human Rights.
type Letters struct {
	// Counts holds how often each trigram occurs in each language.
	Counts map[string][len(Latin)]float64
	// Apart is the log-likelihood ratio from which on a text is in another language than French. It is chosen
	// so that this is wrong for one of a thousand French questions.
	Threshold float64
}

var letters = sync.OnceValue(func() Letters {
	l := Letters{Counts: make(map[string][len(Latin)]float64)}
	for line := range strings.Lines(languagesText) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case fields[0] == "apart":
			l.Threshold = mustNumber(fields[1])
		default:
			var counts [len(Latin)]float64
			for i := range counts {
				counts[i] = mustNumber(fields[1+i])
			}
			l.Counts[fields[0]] = counts
		}
	}
	return l
})

func mustNumber(field string) float64 {
	n, err := strconv.ParseFloat(field, 64)
	if err != nil {
		panic(err) // the table is embedded
	}
	return n
}

// Triples returns the letter trigrams of a text in lower case. Each run of other characters becomes one
// blank.
func Triples(text string) (out []string) {
	var run []rune
	blank := true
	run = append(run, ' ')
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			run, blank = append(run, r), false
		case !blank:
			run, blank = append(run, ' '), true
		}
	}
	if !blank {
		run = append(run, ' ')
	}
	for i := 0; i+3 <= len(run); i++ {
		out = append(out, string(run[i:i+3]))
	}
	return out
}

// Likelier returns the language other than French with the highest likelihood, and its log-likelihood ratio
// to French.
func (l Letters) Likelier(text string) (other Language, factor float64) {
	const unseen = 0.5 // added to each count, because other texts have trigrams that this one lacks
	var sums, totals [len(Latin)]float64
	for _, counts := range l.Counts {
		for i, n := range counts {
			totals[i] += n + unseen
		}
	}
	for _, t := range Triples(text) {
		counts := l.Counts[t]
		for i := range sums {
			sums[i] += math.Log((counts[i] + unseen) / totals[i])
		}
	}
	factor = math.Inf(-1)
	for i := 1; i < len(Latin); i++ {
		if d := sums[i] - sums[0]; d > factor {
			other, factor = Latin[i], d
		}
	}
	return other, factor
}

// languageOf returns the language of a question: that of its script if the script belongs to one language,
// else the one that its letters show. Questions are usually French, so another language must be clearly
// likelier. References to texts are left out, because they are French in any language.
func languageOf(text string) Language {
	latin, arabic, other := 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Arabic, r):
			arabic++
		case unicode.IsLetter(r):
			other++
		}
	}
	switch {
	case latin+arabic+other == 0, other > latin+arabic:
		return Unknown
	case arabic > latin:
		return Arabic
	}
	for _, r := range read.Printed(text) {
		text = text[:r.Start] + strings.Repeat(" ", r.End-r.Start) + text[r.End:]
	}
	var words []string
	for w := range strings.FieldsFuncSeq(text, notWord) {
		if len(country.In(w)) == 0 { // « burkina » is written so in any language
			words = append(words, w)
		}
	}
	if len(words) < fewestWords {
		return French
	}
	text = strings.Join(words, " ")
	if found, factor := letters().Likelier(text); factor > letters().Threshold && !(found == English && accented.MatchString(text)) {
		return found
	}
	return French
}

// fewestWords is the minimum number of words that show a language: two are found in French too (« dot », « cadre »).
const fewestWords = 3

// accented matches a word in lower case with an accent, which no English word has but a name (« Côte d’Ivoire »).
var accented = lazyre.New(`(?:^|[^\pL])\p{Ll}*[àâçèéêëîïôùûœ]`)

//go:embed elided.txt.gz
var elidedText []byte

//go:embed shorthand.tsv
var shorthandText string

// Elided recognizes words that are typed without the apostrophe of an elision (« lusure », « dessai »),
// unlike words that only look so (« lune »). All words are folded. scripts/train spelling learned the lists.
type Elided struct {
	Words map[string]bool // words that an elided word may precede: « usure »
	Whole map[string]bool // words that begin like an elided word and one of Words, but are neither: « lune »
}

// Elision returns the length of the elided word with which a folded word begins, 0 if there is none.
func (e Elided) Elision(word string) int {
	if e.Whole[word] {
		return 0
	}
	for _, n := range []int{1, 2} {
		if len(word) > n && e.Words[word[n:]] && Elides(word[:n], word[n:]) {
			return n
		}
	}
	return 0
}

// Elides reports whether an elision may precede a word. « C' » only comes before forms of « être » and
// « en ».
func Elides(elision, word string) bool {
	switch elision {
	case "d", "j", "l", "m", "n", "s", "t", "qu":
		return true
	case "c":
		return word[0] == 'e'
	}
	return false
}

var elided = sync.OnceValue(func() Elided {
	zipped, err := gzip.NewReader(bytes.NewReader(elidedText))
	if err != nil {
		panic(err) // the file is embedded
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		panic(err)
	}
	words, whole, _ := strings.Cut(string(text), "\n\n")
	return Elided{Words: wordSet(words), Whole: wordSet(whole)}
})

// shorthand maps abbreviations of text messages, folded, to the words.
var shorthand = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(shorthandText) {
		if short, long, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			out[short] = long
		}
	}
	return out
})

// correctSpelling writes out the abbreviations of text messages: « cb de jours pour changer davis » becomes « combien
// de jours pour changer d'avis ». It only considers words in lower case, and the first one, because others
// are names and acronyms. A word that touches a digit or a sign that joins words is part of something else
// (« alinéa 2ts », « prud'ds », « ts.fr »), and a word after a number is a unit (« 10 mm »).
func correctSpelling(text string) string {
	var out strings.Builder
	first := true   // no word has been read yet
	figure := false // the last thing read is a number
	for pos := 0; pos < len(text); {
		n := strings.IndexFunc(text[pos:], notWord)
		if n < 0 {
			n = len(text) - pos
		}
		if n == 0 {
			r, size := utf8.DecodeRuneInString(text[pos:])
			if !unicode.IsSpace(r) {
				figure = unicode.IsNumber(r)
			}
			out.WriteString(text[pos : pos+size])
			pos += size
			continue
		}
		if word := text[pos : pos+n]; joinedTo(text[:pos]) || joinedWith(text[pos+n:]) || !lowerCase(word, first) {
			out.WriteString(word)
		} else {
			out.WriteString(writtenOut(word, figure))
		}
		first, figure, pos = false, false, pos+n
	}
	return out.String()
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// writtenOut expands an abbreviated word. It leaves a word after a number unchanged: there it is a unit.
func writtenOut(word string, figure bool) string {
	folded := law.Fold(word)
	if long, ok := shorthand()[folded]; ok && !figure {
		return long
	}
	if n := elided().Elision(folded); n > 0 && n < len(word) && strings.EqualFold(word[:n], folded[:n]) {
		return word[:n] + "'" + word[n:]
	}
	if subjectless(folded) {
		return "je " + word[1:]
	}
	return word
}

// subjectless reports whether a folded word begins with the j of a spoken « je »: « jsuis », « jpeux ». No
// French word begins with j and a consonant.
func subjectless(folded string) bool {
	const vowels = "aeiouy"
	return len(folded) > 3 && folded[0] == 'j' && !strings.ContainsRune(vowels, rune(folded[1])) && strings.ContainsAny(folded[2:], vowels)
}

// lowerCase reports whether a word is in lower case. The first letter of the first word may be a capital.
func lowerCase(word string, first bool) bool {
	if first {
		_, size := utf8.DecodeRuneInString(word)
		word = word[size:]
	}
	return strings.IndexFunc(word, unicode.IsUpper) < 0
}

// joinedTo reports whether a word is joined to the text right before it.
func joinedTo(left string) bool {
	r, _ := utf8.DecodeLastRuneInString(left)
	return left != "" && joinsWords(r)
}

// joinedWith reports whether a word is joined to the text right after it. A full stop ends a sentence, unless
// a letter follows at once.
func joinedWith(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if r == '.' {
		next, _ := utf8.DecodeRuneInString(rest[size:])
		return len(rest) > size && unicode.IsLetter(next)
	}
	return rest != "" && joinsWords(r)
}

func joinsWords(r rune) bool {
	return law.Apostrophe(r) || law.Dash(r) || unicode.IsNumber(r) || strings.ContainsRune("_@/&.", r)
}
