package french

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Span is the bytes [Start,End) of a text.
type Span struct{ Start, End int }

// Sentences splits text into sentences without the white space around them; together they
// contain all other bytes. A sentence ends at the end of a line or at a full stop, but not
// at a full stop after « art. », « al. », « M. » or « L. », inside a number or before a
// small letter. Closing marks after the end (a guillemet, a bracket, a citation « [2] »)
// belong to the sentence.
func Sentences(text string) []Span {
	var out []Span
	start := 0
	cut := func(end int) {
		from, to := trim(text, start, end)
		if from < to {
			out = append(out, Span{from, to})
		}
		start = end
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			cut(i + 1)
			i++
		case c == '.' || c == '!' || c == '?' || strings.HasPrefix(text[i:], "…"):
			end := closers(text, terminators(text, i))
			if endsSentence(text, start, i, end) {
				cut(end)
			}
			i = end
		default:
			i++
		}
	}
	cut(len(text))
	return out
}

func trim(text string, from, to int) (int, int) {
	s := strings.TrimLeftFunc(text[from:to], unicode.IsSpace)
	from = to - len(s)
	return from, from + len(strings.TrimRightFunc(s, unicode.IsSpace))
}

// terminators returns the end of the punctuation that begins at i and can end a sentence.
func terminators(text string, i int) int {
	for i < len(text) {
		switch {
		case text[i] == '.' || text[i] == '!' || text[i] == '?':
			i++
		case strings.HasPrefix(text[i:], "…"):
			i += len("…")
		default:
			return i
		}
	}
	return i
}

// closers returns the end of the closing marks and citations « [n] » after i, including
// blanks between them.
func closers(text string, i int) int {
	for j := i; j < len(text); {
		r, size := utf8.DecodeRuneInString(text[j:])
		switch {
		case strings.ContainsRune("»”\")]", r):
			j += size
			i = j
		case r == '[':
			n := marker(text[j:])
			if n == 0 {
				return i
			}
			j += n
			i = j
		case r == ' ' || r == '\u00a0' || r == '\u202f':
			j += size
		default:
			return i
		}
	}
	return i
}

// marker returns the length of the citation « [12] » or « [1, 2] » at the beginning of s, 0
// if there is none.
func marker(s string) int {
	const longest = 32
	end := strings.IndexByte(s[:min(len(s), longest)], ']')
	if end < 2 || strings.Trim(s[1:end], "0123456789, ") != "" || strings.Trim(s[1:end], ", ") == "" {
		return 0
	}
	return end + 1
}

// endsSentence reports whether the full stop at dot ends the sentence that began at start.
// More text follows at end.
func endsSentence(text string, start, dot, end int) bool {
	rest := strings.TrimLeft(text[end:], " \u00a0\u202f\t")
	if rest == "" || rest[0] == '\n' {
		return true
	}
	if len(rest) == len(text)-end && end == dot+1 {
		return false // « 1.000 », « L.12 », « S.M.I.G. »
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(r) || r == '—' || r == '–' {
		return false // « Art. 14. — La durée … »
	}
	return text[dot] != '.' || end != dot+1 || !abbreviated(text[start:dot])
}

// abbreviated reports whether the text before a full stop ends with an abbreviation or an
// initial, or is the number of an item at the beginning of a sentence.
func abbreviated(before string) bool {
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	tail := before
	if i >= 0 {
		_, size := utf8.DecodeRuneInString(before[i:])
		tail = before[i+size:]
	}
	if abbreviations[law.Fold(tail)] {
		return true
	}
	if r, size := utf8.DecodeRuneInString(tail); size == len(tail) && unicode.IsUpper(r) {
		// « L. 1224-1 », « M. Diallo », « S. M. I. G. », but not « 5.000 F. »
		head := strings.TrimRight(before[:len(before)-len(tail)], " \u00a0\u202f")
		return head == "" || head[len(head)-1] < '0' || head[len(head)-1] > '9'
	}
	return strings.TrimSpace(before[:len(before)-len(tail)]) == "" && len(tail) <= 3 && shapeOf(tail) == digits
}

var abbreviations = set("art arts al alin ch chap p pp par cf ex fig vol t tit sect mm mme mmes mlle dr pr me st ste n no nos op cit ibid ed ord reg dec av bd tel env max min")
