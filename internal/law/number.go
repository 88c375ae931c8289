package law

import (
	"strconv"
	"strings"

	"vigueur/internal/kit/lazyre"
)

// SuffixWords are the suffixes of the numbers of inserted articles, in order, as
// alternatives of a regular expression. The ninth has two spellings.
const SuffixWords = `bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies`

var (
	firstNumber   = pattern(`^(?:1 ?(?:er|re|ère)|l ?er|i ?er|premier|première|unique|1)$`)
	letterNumber  = pattern(`^([lrda]) ?[.]? ?[*]?[.]? ?(\d.*)$`)
	suffixNumber  = pattern(`^(.*?\d|[ivxlc]+)[ .~]*\(?(` + SuffixWords + `)\)?$`)
	articleWord   = pattern(`^ *(?:articles?|arts?\b\.?|art\.?)[.:]? *`)
	newWord       = pattern(` *\( *(?:nouveaux?|nouvelles?)[^)]*\) *$`)
	aroundDash    = pattern(` *(?:~|_) *`)
	digitsOrdinal = pattern(`^(\d+) ?(?:e|è|ème|eme)$`)
	blanks        = lazyre.New(`[\s\x{00a0}\x{2007}\x{202f}]+`)
)

// ArticleNumber writes the number of an article in a uniform way: « ARTICLE PREMIER » and
// « 1 er » become « 1er », « L1224-1 » becomes « L. 1224-1 », « 26BIS » becomes « 26 bis »,
// « 6 - 2 (nouveau) » becomes « 6-2 ». Words that are no number are only trimmed. To
// compare numbers, use ArticleKey.
func ArticleNumber(printed string) string {
	if OnlyDigits(printed) { // as most are
		if printed == "1" {
			return "1er"
		}
		return printed
	}
	n := articleWord.ReplaceAllString(visible(printed), "")
	n = newWord.ReplaceAllString(n, "")
	n = strings.Trim(blanks.ReplaceAllString(n, " "), " .:;,-–—")
	if firstNumber.MatchString(n) {
		if strings.EqualFold(n, "unique") {
			return "unique"
		}
		return "1er"
	}
	n = aroundDash.ReplaceAllString(n, "-")
	if m := digitsOrdinal.FindStringSubmatch(n); m != nil && !strings.HasSuffix(n, " E") {
		n = m[1]
	}
	suffix := ""
	if m := suffixNumber.FindStringSubmatch(n); m != nil {
		n, suffix = m[1], " "+strings.ToLower(m[2])
	}
	if m := letterNumber.FindStringSubmatch(n); m != nil {
		n = strings.ToUpper(m[1]) + ". " + m[2]
	}
	return n + suffix
}

// OnlyDigits reports whether text is decimal digits and nothing else.
func OnlyDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// visible returns text without invisible characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, text)
}

// TextNumber writes the official number of a text in a uniform way, without blanks, with
// plain hyphens and in capitals: « 2000-190/pres/pm » becomes « 2000-190/PRES/PM ».
func TextNumber(printed string) string {
	n := strings.Map(func(r rune) rune {
		if Dash(r) || r == '_' {
			return '-'
		}
		return r
	}, blanks.ReplaceAllString(visible(printed), ""))
	return strings.ToUpper(strings.Trim(n, ".,;:-/°º"))
}

// OtherFigures writes the number of an article in Roman figures, or one in Roman figures in digits: a text that has no article 2
// may have it as article II. It returns "" for other numbers.
func OtherFigures(number string) string {
	if n := Roman(number); n > 0 {
		return strconv.Itoa(n)
	}
	if n, err := strconv.Atoi(number); err == nil && n > 0 && n < 400 {
		return WriteRoman(n)
	}
	return ""
}
