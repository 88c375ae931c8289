package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Some headings are set with a space between letters (« A R T I C L E 5 », « d é c r è t e »), and are read
// as words of one letter each. A run of at least spreadLetters is one word: French has few words of one
// letter, and no sentence has four of them in a row.
const spreadLetters = 4

// At the beginning of a line spreadCapitals capitals suffice: « L O I N° 12 ».
const spreadCapitals = 3

// The widest space between two letters of a word. A wider space separates words.
const (
	spreadWhite = 1.0 // in heights of the letters
	spreadEven  = 1.6 // in medians of the spaces of the run of letters
)

// closeUp joins the runs of single letters of a line into words, in place.
func closeUp(words []Word) []Word {
	out := words[:0]
	for i := 0; i < len(words); {
		n := spreadRun(words[i:])
		if n < spreadLetters && !(i == 0 && n == spreadCapitals && capitalsOnly(words[:n])) {
			n = max(n, 1)
			out = append(out, words[i:i+n]...)
			i += n
			continue
		}
		for run := words[i : i+n]; len(run) > 0; {
			k := spreadWord(run)
			out = append(out, joinLetters(run[:k]))
			run = run[k:]
		}
		i += n
		for k := spreadNumber(words[i-1:]); k > 0; k = spreadNumber(words[i-1:]) {
			out = append(out, joinLetters(words[i:i+k]))
			i += k
		}
	}
	return out
}

// spreadRun returns how many words at the beginning of words are single letters near each other.
func spreadRun(words []Word) int {
	n := 0
	for n < len(words) && aLetter(words[n]) {
		if n > 0 {
			if gap := spaceBetween(words[n-1], words[n]); gap < 0 || gap > spreadWhite*(words[n].Rect[3]-words[n].Rect[1]) {
				break
			}
		}
		n++
	}
	return n
}

// spreadNumber returns the number of words after words[0] that form a number printed letter by letter: « 1 E R . »
// after « A R T I C L E ». words[0] ends a word printed in the same way. It returns 0 if there is no such number.
func spreadNumber(words []Word) int {
	n := 0
	for n+1 < len(words) {
		w := words[n+1]
		r, size := utf8.DecodeRuneInString(w.Text)
		if size != len(w.Text) || w.Turn != Upright {
			break
		}
		if gap := spaceBetween(words[n], w); gap < 0 || gap > spreadWhite*(w.Rect[3]-w.Rect[1]) {
			break
		}
		if digit := unicode.IsDigit(r); n == 0 && !digit || n > 0 && !digit && !strings.ContainsRune("ERer.", r) {
			break
		}
		if n++; r == '.' {
			break
		}
	}
	return n
}

// capitalsOnly reports whether all letters are capitals.
func capitalsOnly(letters []Word) bool {
	return !slices.ContainsFunc(letters, func(w Word) bool {
		r, _ := utf8.DecodeRuneInString(w.Text)
		return !unicode.IsUpper(r)
	})
}

// spreadWord returns the number of letters in the first word of a run.
func spreadWord(run []Word) int {
	spaces := make([]float64, 0, len(run))
	for i := 1; i < len(run); i++ {
		spaces = append(spaces, spaceBetween(run[i-1], run[i]))
	}
	if len(spaces) == 0 {
		return 1
	}
	sorted := slices.Sorted(slices.Values(spaces))
	usual := sorted[len(sorted)/2]
	for i, space := range spaces {
		if space > spreadEven*usual {
			return i + 1
		}
	}
	return len(run)
}

// aLetter reports whether a word is a single upright letter.
func aLetter(w Word) bool {
	r, n := utf8.DecodeRuneInString(w.Text)
	return n > 0 && n == len(w.Text) && unicode.IsLetter(r) && w.Turn == Upright
}

func spaceBetween(a, b Word) float64 { return b.Rect[0] - a.Rect[2] }

// joinLetters returns the word that letters spell.
func joinLetters(letters []Word) Word {
	w := letters[0]
	text := make([]byte, 0, 2*len(letters))
	for _, l := range letters {
		text = append(text, l.Text...)
		w.Rect = union(w.Rect, l.Rect)
	}
	w.Text = string(text)
	return w
}
