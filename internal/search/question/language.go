package question

import (
	"cmp"
	"compress/gzip"
	_ "embed" // frequencies of letters in several languages
	"io"
	"math"
	"regexp"
	"slices"
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
		if long, ok := shorthand()[law.Fold(w)]; ok {
			w = long
		} else if !strings.ContainsAny(law.Fold(w), vowels) || len(country.In(w)) > 0 { // « cdd » and « burkina » are written so in any language
			continue
		}
		words = append(words, w)
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

//go:embed words.txt.gz
var wordsText string

//go:embed sounds.tsv
var soundsText string

//go:embed shorthand.tsv
var shorthandText string

// Spelling recognizes words that are typed without the apostrophe of an elision (« lusure », « dessai »), unlike
// words that only look so (« lune »), and words that are written as they sound (« kel », « avortemant »).
// scripts/train spelling learned the lists.
type Spelling struct {
	Words map[string]bool   // folded words that stay as they are, where the others might change them, and all that may be elided before
	Heard map[string]string // the likeliest word for what a word sounds like; behind « = », for a folded word
}

// Elision returns the length of the elided word with which a folded word begins, 0 if there is none.
func (s Spelling) Elision(word string) int {
	for _, n := range []int{1, 2} {
		if len(word) > n && strings.IndexByte(openings, word[n]) >= 0 && s.Words[word[n:]] && Elides(word[:n], word[n:]) {
			return n
		}
	}
	return 0
}

// openings are the first letters of words that an elided word may precede; vowels without them are those of any word.
const (
	openings = vowels + "h"
	vowels   = "aeiouy"
)

// Elides reports whether an elision may precede a word. « C' » only comes before forms of « être » and
// « en ».
func Elides(elision, word string) bool {
	switch elision {
	case "d", "j", "l", "m", "n", "s", "t", "qu":
		return true
	case "c":
		return word[0] == 'e'
	case "k": // « kil », « kon »
		return slices.Contains([]string{"il", "ils", "on", "un", "une"}, word)
	}
	return false
}

var spelling = sync.OnceValue(func() Spelling {
	zipped, err := gzip.NewReader(strings.NewReader(wordsText))
	if err != nil {
		panic(err) // the file is embedded
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		panic(err)
	}
	words, heard, _ := strings.Cut(string(text), "\n\n")
	return Spelling{Words: wordSet(words), Heard: pairs(heard)}
})

// sounds are the expressions of sounds.tsv with what replaces them.
var sounds = sync.OnceValue(func() (out []sound) {
	for line := range strings.Lines(soundsText) {
		if written, sign, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, sound{regexp.MustCompile(written), sign})
		}
	}
	return out
})

// sound is a spelling and the sign of its sound.
type sound struct {
	written *regexp.Regexp
	sign    string
}

// accents are letters whose accents tell their sound.
var accents = strings.NewReplacer("é", "6", "è", "6", "ê", "6", "ë", "6", "ç", "s")

// Sound returns what a word sounds like, as signs.
func Sound(word string) string {
	word = law.Fold(accents.Replace(strings.ToLower(word)))
	for _, s := range sounds() {
		word = s.written.ReplaceAllString(word, s.sign)
	}
	return string(slices.Compact([]byte(word)))
}

// shorthand maps abbreviations of text messages, folded, to the words.
var shorthand = sync.OnceValue(func() map[string]string { return pairs(shorthandText) })

// pairs reads lines of two fields; # begins a comment.
func pairs(lines string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(lines) {
		if left, right, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			out[left] = right
		}
	}
	return out
}

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
		word, rest := text[pos:pos+n], text[pos+n:]
		if joinedTo(text[:pos]) || joinedWith(rest) || !lowerCase(word, first) {
			out.WriteString(word)
		} else {
			left := strings.TrimRight(text[:pos], " ")
			begins := left == "" || strings.ContainsAny(left[len(left)-1:], ";:.?!\n")
			letter := n == 1 && !(begins && strings.HasPrefix(rest, " ")) // « l'alinéa g »; but « g le droit »
			out.WriteString(writtenOut(word, figure || letter, strings.HasPrefix(rest, ".")))
		}
		first, figure, pos = false, false, pos+n
	}
	spelled := out.String()
	return mendHomophones(spelled, spelled != text)
}

// Words that sound like others that are likelier where they stand: « il peu », « 3 moi ».
var (
	little     = lazyre.New(`(?i)(?:^|\PL)\pL+\s+peu(\PL+\pL+|\PL*$)`)
	someMonths = lazyre.New(`(?i)((?:\d|\s(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|vingt|quelques|plusieurs|combien de))\s+moi)(\PL|$)`)
	// subjects are never followed by « peu », and objects hardly follow it; muchLittle are words that may be, and that may follow it.
	subjects   = wordSet("on il ils elle elles ca qui je tu")
	objects    = wordSet("t til telle ton me m te se s lui nous vous etre avoir faire")
	muchLittle = wordSet("un trop tres si assez depuis sous aussi bien fort tant de d d'ici a plus apres importe pres souvent")
)

// mendHomophones writes « peut » or « peux » for « peu » and « mois » for « moi » where only these can be meant. heard says
// that other words of the text were typed as they sound.
func mendHomophones(text string, heard bool) string {
	write := func(m string) string {
		words := strings.FieldsFunc(law.Fold(m), notWord)
		if !subjects[words[0]] && (len(words) < 3 || muchLittle[words[0]] || muchLittle[words[2]] || !heard && !objects[words[2]]) {
			return m
		}
		end, letter := little.FindStringSubmatchIndex(m)[2], "t"
		if words[0] == "je" || words[0] == "tu" {
			letter = "x"
		}
		return m[:end] + letter + m[end:]
	}
	text = little.ReplaceAllStringFunc(little.ReplaceAllStringFunc(text, write), write) // two matches may share a word
	return someMonths.ReplaceAllString(text, "${1}s$2")
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// writtenOut expands an abbreviated word unless it is a unit or a point of a list, and spells another one, unless a full stop
// may have cut it (« fév. »).
func writtenOut(word string, unit, cut bool) string {
	if long, ok := shorthand()[law.Fold(word)]; ok && !unit {
		return long
	}
	if cut {
		return word
	}
	return spelling().Write(word)
}

// Write returns a word as it is spelled, with the elided word before it.
func (s Spelling) Write(word string) string {
	folded := law.Fold(word)
	if s.Words[folded] || len(word) > longestWord || !strings.ContainsAny(folded, vowels) {
		return word
	}
	switch n := s.Elision(folded); {
	case s.Heard["="+folded] != "": // « droi » is no « d'roi »
		return s.Heard["="+folded]
	case n > 0 && n < len(word) && strings.EqualFold(word[:n], folded[:n]):
		return strings.Replace(word[:n], "k", "qu", 1) + "'" + word[n:]
	case subjectless(folded):
		return "je " + s.Write(word[1:])
	}
	return cmp.Or(s.Heard[Sound(word)], word)
}

// longestWord is the length of a word in bytes above which it is none of the list.
const longestWord = 40

// subjectless reports whether a folded word begins with the j of a spoken « je »: « jsuis », « jpeux ». No
// French word begins with j and a consonant.
func subjectless(folded string) bool {
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
