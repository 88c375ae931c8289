package question

import (
	"bytes"
	"compress/gzip"
	_ "embed" // words that people type without apostrophes
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

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
	for at := 0; at < len(text); {
		n := strings.IndexFunc(text[at:], notWord)
		if n < 0 {
			n = len(text) - at
		}
		if n == 0 {
			r, size := utf8.DecodeRuneInString(text[at:])
			if !unicode.IsSpace(r) {
				figure = unicode.IsNumber(r)
			}
			out.WriteString(text[at : at+size])
			at += size
			continue
		}
		if word := text[at : at+n]; joinedTo(text[:at]) || joinedWith(text[at+n:]) || !lowerCase(word, first) {
			out.WriteString(word)
		} else {
			out.WriteString(writtenOut(word, figure))
		}
		first, figure, at = false, false, at+n
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
func joinedTo(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && joinsWords(r)
}

// joinedWith reports whether a word is joined to the text right after it. A full stop ends a sentence, unless
// a letter follows at once.
func joinedWith(behind string) bool {
	r, size := utf8.DecodeRuneInString(behind)
	if r == '.' {
		next, _ := utf8.DecodeRuneInString(behind[size:])
		return len(behind) > size && unicode.IsLetter(next)
	}
	return behind != "" && joinsWords(r)
}

func joinsWords(r rune) bool {
	return law.Apostrophe(r) || law.Dash(r) || unicode.IsNumber(r) || strings.ContainsRune("_@/&.", r)
}
