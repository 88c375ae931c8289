// Package anonym removes from texts what may identify their author, as far as patterns and
// word lists can: e-mail addresses, links, phone numbers, numbers of papers, and names.
// Dates, amounts and the numbers of laws and articles stay.
//
// It cannot know that « le boulanger de Thiès » is one person: whoever passes a text on must
// read it first.
package anonym

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// What stands in the place of what was taken out.
const (
	Mail   = "[adresse]"
	Link   = "[lien]"
	Number = "[numéro]"
	Name   = "[nom]"
)

var (
	mails = regexp.MustCompile(`[\p{L}\d._%+\-]+@[\p{L}\d.\-]+\.\p{L}{2,}`)
	links = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)
	// A number of a telephone, a paper or an account: seven digits at least.
	numbers  = regexp.MustCompile(`\+?\(?\d(?:[ \x{00a0}\x{202f}.\-/()]?[\d]){6,}`)
	accounts = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){3,8}(?: ?[\dA-Z]{1,4})?\b`) // IBAN, ISO 13616
	dates    = regexp.MustCompile(`^(?:\d{1,2}[./\-]\d{1,2}[./\-]\d{4}|\d{4}-\d{2}-\d{2})$`)
	// An amount is printed in groups of three, or stands before its unit.
	amounts = regexp.MustCompile(`^\d{1,3}(?:[ \x{00a0}\x{202f}.]\d{3})+$`)
	units   = regexp.MustCompile(`(?i)^\s*(?:de )?(?:francs?|f\b|f ?cfa|cfa|xof|xaf|fc\b|euros?|€|dollars?|dinars?|dirhams?|ariary|ouguiyas?|%)`)
	// Who says who one is writes a name behind it.
	called = regexp.MustCompile(`(?:\b(?:M\.|MM\.|Mr|Mme|Mlle|Me|Dr|Monsieur|Madame|Mademoiselle|Maître|Docteur|El Hadj|Hadja)|(?i:je m['’]appelle|je me nomme|mon nom est|je suis|nommée?|signé))((?:[ \x{00a0}]+(?:\p{Lu}\.|\p{Lu}[\p{L}'’\-]+|(?:de|du|ben|ould|el|al)\b))+)`)
)

// Words returns the words of a text with a capital that may be names, as package french
// makes them: whoever has a catalogue tells which of them are words of the law.
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

// eachCapital gives the words with a capital that do not begin a sentence.
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

// abbreviated reports whether a word is written in capitals and as short as « M », « CDD »
// and « CNSS », which are rarely names.
func abbreviated(word string) bool {
	return utf8.RuneCountInString(word) <= 4 && strings.ToUpper(word) == word
}

// Text returns a text without what may tell who wrote it. ordinary tells of the words
// that Words gives whether the law uses them: a name that no law knows is taken out,
// and whatever stands where people write a name.
func Text(text string, ordinary func(word string) bool) string {
	text = mails.ReplaceAllString(text, Mail)
	text = links.ReplaceAllString(text, Link)
	text = accounts.ReplaceAllString(text, Number)
	text = replace(text, numbers, func(found, after string) string {
		digits := strings.TrimRight(found, " \u00a0\u202f.-/")
		if dates.MatchString(digits) || amounts.MatchString(digits) || units.MatchString(after) {
			return found
		}
		return Number + found[len(digits):]
	})
	text = withoutCalled(text)
	var b strings.Builder
	at := 0
	eachCapital(text, func(t french.Token) {
		if t.Start < at || ordinary(t.Term) || strings.HasPrefix(text[t.Start:], "[") {
			return
		}
		b.WriteString(text[at:t.Start])
		b.WriteString(Name)
		at = t.End
	})
	b.WriteString(text[at:])
	return repeated.ReplaceAllString(b.String(), Name)
}

// repeated are names that follow one another.
var repeated = regexp.MustCompile(`\[nom\](?:[ \-’'\x{00a0}]+\[nom\])+`)

// withoutCalled takes names out that follow what people are called by.
func withoutCalled(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range called.FindAllStringSubmatchIndex(text, -1) {
		if !strings.ContainsFunc(text[m[2]:m[3]], unicode.IsUpper) { // « je suis de »
			continue
		}
		b.WriteString(text[at:m[2]])
		b.WriteString(" " + Name)
		at = m[3]
	}
	return b.String() + text[at:]
}

func replace(text string, what *regexp.Regexp, with func(found, after string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range what.FindAllStringIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		b.WriteString(with(text[m[0]:m[1]], text[m[1]:]))
		at = m[1]
	}
	return b.String() + text[at:]
}
