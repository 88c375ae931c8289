package amend

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// labelKind is a way to enumerate the parts of an article or of an act.
type labelKind int

const (
	noLabel      labelKind = iota
	roman                  // « I. - »
	capital                // « A. - »
	degree                 // « 1° »
	figure                 // « 1. »
	letter                 // « a) »
	smallRoman             // « i) », « ii) »
	dash                   // « - »
	doubleLetter           // « aa) »
)

// suffixes matches the suffixes of labels and of article numbers, in their order.
const suffixes = `(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies|terdecies|quaterdecies|quindecies|quinquedecies|sexdecies|septdecies|octodecies|novodecies|vicies|unvicies)`

var labelForms = []struct {
	kind labelKind
	form *lazyre.Regexp
}{
	{degree, law.Pattern(`^(?:\d{1,3} ?[°º] (?:à|et) )?(\d{1,3}) ?[°º](?: ?(` + suffixes + `)\b)?(?: ?([A-Z]{1,2})\b[ ])? *[.)]?(?: *~+ )? *`)},
	{roman, law.Pattern(`^([IVX]{1,6})(?: (` + suffixes + `)\b)?(?: ([A-Z]{1,2})\b)?(?: ?\([^)]{1,15}\))? *(?:\. *[~―]*|[~―]+|° *[~―]*) *`)},
	{capital, law.Pattern(`^([A-Z])(?: (` + suffixes + `)\b)?(?: ?\([^)]{1,15}\))? *(?:\. *[~―]+|[~―]+|\)|\. ) *`)},
	{figure, law.Pattern(`^§ ?(\d{1,3})(?: ?(` + suffixes + `)\b)?() *[.)]?(?: *[~―])? *`)},
	{figure, law.Pattern(`^\((\d{1,3})(?: ?(` + suffixes + `))?\)() *`)},
	{figure, law.Pattern(`^(\d{1,3})(?: (` + suffixes + `)\b)?(?: ([A-Z])\b)? *(?:\. *[~―]*|\)|[~―] ) *`)},
	{doubleLetter, law.Pattern(`^([a-z])([a-z]) ?\) *`)},
	{letter, law.Pattern(`^(?:[a-z] (?:à|et) )?([a-z])(?: (` + suffixes + `)\b)? *(?:\)|\. ) *`)},
	{smallRoman, law.Pattern(`^([ivx]{2,6})() *(?:\)|\. ) *`)},
	{dash, law.Pattern(`^()()[~―•] *`)},
}

// labelOf reads the label at the beginning of a line: its kind, the label as instructions
// name it (« I bis », « 2° », « a »), and its length in bytes. A letter that is also a Roman
// numeral is read as following, the label before it.
func labelOf(line string, following func(labelKind) string) (kind labelKind, label string, n int) {
	for _, f := range labelForms {
		m := f.form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n = len(m[0])
		if n < len(line) && line[n] >= '0' && line[n] <= '9' && f.kind != degree && f.kind != dash {
			continue // « L. 331-5 », « 1.5 »
		}
		label = m[1]
		switch f.kind {
		case degree:
			label += "°"
			if next := firstRune(line[n:]); m[3] != "" && unicode.IsLower(next) { // « 5° A l'intérieur »
				n = strings.LastIndex(m[0], m[3])
				m[3] = ""
			}
		case doubleLetter:
			if m[1] != m[2] { // « ab) », which a bill inserts between « a) » and « b) »
				return letter, m[1] + m[2], n
			}
			return f.kind, m[1] + m[2], n
		}
		for _, part := range m[2:] {
			if part != "" {
				label += " " + part
			}
		}
		return asRead(f.kind, label, following), label, n
	}
	return noLabel, "", 0
}

// asRead decides between the numeral and the letter for a label such as « I » and « i »: it
// is the letter if the letter before it is the last label of that kind.
func asRead(kind labelKind, label string, following func(labelKind) string) labelKind {
	base, _, _ := strings.Cut(label, " ")
	if len(base) != 1 || following == nil {
		return kind
	}
	previous := string(base[0] - 1)
	switch {
	case kind == roman:
		if last, _, _ := strings.Cut(following(capital), " "); last == previous || last == base {
			return capital
		}
	case kind == letter && strings.Trim(base, "ivx") == "":
		if last, _, _ := strings.Cut(following(letter), " "); last == previous || last == base {
			return letter
		}
		if base == "i" || following(smallRoman) != "" {
			return smallRoman
		}
	}
	return kind
}

// kindOfLabel returns the kinds that a label in an instruction may have: « I » is a numeral
// or a letter.
func kindsOfLabel(label string) []labelKind {
	base, _, _ := strings.Cut(label, " ")
	switch {
	case base == "":
		return nil
	case strings.HasSuffix(base, "°"):
		return []labelKind{degree}
	case base[0] >= '0' && base[0] <= '9':
		return []labelKind{figure}
	case strings.Trim(base, "IVX") == "":
		return []labelKind{roman, capital}
	case base[0] >= 'A' && base[0] <= 'Z':
		return []labelKind{capital}
	case strings.Trim(base, "ivx") == "":
		return []labelKind{smallRoman, letter}
	case len(base) == 2:
		return []labelKind{doubleLetter}
	}
	return []labelKind{letter}
}

// suffixOrder lists the suffixes in their order.
var suffixOrder = []string{"bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "nonies", "decies", "undecies", "duodecies"}

// rank returns a label's place in its enumeration: the number, and the place of its suffix.
// ok is false for a label that is not counted.
func rank(label string) (n, suffix int, ok bool) {
	base, rest, _ := strings.Cut(label, " ")
	if rest == "novies" {
		rest = "nonies"
	}
	if rest != "" {
		if suffix = slices.Index(suffixOrder, rest) + 1; suffix == 0 {
			return 0, 0, false
		}
	}
	base = strings.TrimSuffix(base, "°")
	if n, err := strconv.Atoi(base); err == nil {
		return n, suffix, true
	}
	if strings.Trim(base, "IVXivx") == "" && base != "" {
		return numeral(strings.ToUpper(base)), suffix, true
	}
	if len(base) == 1 {
		return int(base[0]|0x20-'a') + 1, suffix, true
	}
	return 0, 0, false
}

// numeral reads a Roman numeral of the letters I, V and X.
func numeral(s string) (n int) {
	value := map[byte]int{'I': 1, 'V': 5, 'X': 10}
	for i := range len(s) {
		v := value[s[i]]
		if i+1 < len(s) && v < value[s[i+1]] {
			v = -v
		}
		n += v
	}
	return n
}
