// Package anonym removes from texts what may identify their author, as far as patterns and
// word lists can: e-mail addresses, links, phone numbers, numbers of papers, and names.
// Dates, amounts and the numbers of laws and articles stay.
//
// It cannot know that « le boulanger de Thiès » is one person, so a person must read a text
// before it is passed on.
package anonym

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// The words that replace what was removed.
const (
	Mail   = "[adresse]"
	Link   = "[lien]"
	Number = "[numéro]"
	Name   = "[nom]"
)

var (
	mails = regexp.MustCompile(`[\p{L}\d._%+\-]+@[\p{L}\d.\-]+\.\p{L}{2,}`)
	links = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)
	// The number of a telephone, a paper or an account has at least seven digits.
	numbers  = regexp.MustCompile(`\+?\(?\d(?:[ \x{00a0}\x{202f}.\-/()]?[\d]){6,}`)
	accounts = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){3,8}(?: ?[\dA-Z]{1,4})?\b`) // IBAN, ISO 13616
	dates    = regexp.MustCompile(`^(?:\d{1,2}[./\-]\d{1,2}[./\-]\d{4}|\d{4}-\d{2}-\d{2})$`)
	// An amount is printed in groups of three digits, or its unit follows.
	amounts = regexp.MustCompile(`^\d{1,3}(?:[ \x{00a0}\x{202f}.]\d{3})+$`)
	units   = regexp.MustCompile(`(?i)^\s*(?:de )?(?:francs?|f\b|f ?cfa|cfa|xof|xaf|fc\b|euros?|€|dollars?|dinars?|dirhams?|ariary|ouguiyas?|%)`)
	// A title of address, or a phrase such as « je m’appelle », is followed by a name.
	called = regexp.MustCompile(`(?:\b(?:M\.|MM\.|Mr|Mme|Mlle|Me|Dr|Monsieur|Madame|Mademoiselle|Maître|Docteur|El Hadj|Hadja)|(?i:je m['’]appelle|je me nomme|mon nom est|je suis|nommée?|signé))((?:[ \x{00a0}]+(?:\p{Lu}\.|\p{Lu}[\p{L}'’\-]+|(?:de|du|ben|ould|el|al)\b))+)`)
)

// Words returns the capitalized words of a text that may be names, normalized by package
// french. A caller with a catalogue can find out which of them the law uses.
func Words(text string) (words []string) {
	seen := make(map[string]bool)
	eachCapital(text, func(t french.Token) {
		if !seen[t.Term] {
			seen[t.Term] = true
			words = append(words, t.Term)
		}
	})
	return words
}

// eachCapital calls yield with each capitalized word that does not begin a sentence.
func eachCapital(text string, yield func(t french.Token)) {
	for _, sentence := range french.Sentences(text) {
		for i, t := range french.Analyze(text[sentence.Start:sentence.End]) {
			first, _ := utf8.DecodeRuneInString(text[sentence.Start+t.Start:])
			if i > 0 && t.Kind == french.Word && unicode.IsUpper(first) && !abbreviated(text[sentence.Start+t.Start:sentence.Start+t.End]) {
				t.Start, t.End = t.Start+sentence.Start, t.End+sentence.Start
				yield(t)
			}
		}
	}
}

// abbreviated reports whether a word has at most four letters, all capitals, such as « M »,
// « CDD » and « CNSS ». Such words are rarely names.
func abbreviated(word string) bool {
	return utf8.RuneCountInString(word) <= 4 && strings.ToUpper(word) == word
}

// Text returns a text without what may identify its author. It removes the words that Words
// returns and for which ordinary returns false, because the law does not use them. It also
// removes all words that follow a title of address or a phrase such as « je m’appelle ».
func Text(text string, ordinary func(word string) bool) string {
	text = mails.ReplaceAllString(text, Mail)
	text = links.ReplaceAllString(text, Link)
	text = accounts.ReplaceAllString(text, Number)
	text = replace(text, numbers, func(found, right string) string {
		digits := strings.TrimRight(found, " \u00a0\u202f.-/")
		if dates.MatchString(digits) || amounts.MatchString(digits) || units.MatchString(right) {
			return found
		}
		return Number + found[len(digits):]
	})
	text = withoutCalled(text)
	var b strings.Builder
	pos := 0
	eachCapital(text, func(t french.Token) {
		if t.Start < pos || ordinary(t.Term) || strings.HasPrefix(text[t.Start:], "[") {
			return
		}
		b.WriteString(text[pos:t.Start])
		b.WriteString(Name)
		pos = t.End
	})
	b.WriteString(text[pos:])
	return repeated.ReplaceAllString(b.String(), Name)
}

// repeated matches several names in a row.
var repeated = regexp.MustCompile(`\[nom\](?:[ \-’'\x{00a0}]+\[nom\])+`)

// withoutCalled removes the names that follow a match of called.
func withoutCalled(text string) string {
	var b strings.Builder
	pos := 0
	for _, m := range called.FindAllStringSubmatchIndex(text, -1) {
		if !strings.ContainsFunc(text[m[2]:m[3]], unicode.IsUpper) { // « je suis de »
			continue
		}
		b.WriteString(text[pos:m[2]])
		b.WriteString(" " + Name)
		pos = m[3]
	}
	return b.String() + text[pos:]
}

func replace(text string, what *regexp.Regexp, with func(found, right string) string) string {
	var b strings.Builder
	pos := 0
	for _, m := range what.FindAllStringIndex(text, -1) {
		b.WriteString(text[pos:m[0]])
		b.WriteString(with(text[m[0]:m[1]], text[m[1]:]))
		pos = m[1]
	}
	return b.String() + text[pos:]
}
