// Package force reads when a text enters into force. The articles of a text go in. The day or the
// period of the clause on entry into force comes out, and how much of the clause was understood.
package force

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/sentence"
	"vigueur/internal/law"
)

// Force is what a text says about its own entry into force.
type Force struct {
	On     time.Time // a fixed day
	years  int       // or a period after an event: years, months and days
	Months int
	days   int
	start  boundary // then the beginning of a month or the like
	After  Event
	With   string // or the day of another text's entry into force: the folded title of that text
	Words  string // the sentence that says so
	Page   int    // of the article that has it

	Elsewhere  *Force // the day in other places, which the clause names: « dans les autres régions »
	Unread     bool   // the clause says more about the day than was understood
	individual bool   // the clause is about one measure: the day from which it takes effect
}

// Event is what a period counts from.
type Event int

// The events that periods count from.
const (
	unsaid Event = iota
	Publication
	Promulgation
	Ratification // on a day that no text states
)

// selfWords are the names by which texts call themselves.
const selfWords = `(?:loi(?:~cadre)?|ordonnance(?:~loi)?|dahir|d[ée]cret(?:~loi)?|arr[êe]t[ée]|d[ée]cision|d[ée]lib[ée]ration|circulaire|instruction|note|code|constitution|acte|trait[ée]|convention|protocole|accord|charte|r[èe]glement|directive|texte)` +
	`(?: +(?:organique|constitutionnelle|d'orientation|de +finances(?: +rectificative)?|uniforme|pr[ée]sidentiel|gouvernemental|ex[ée]cutif|interminist[ée]riel(?:le)?|minist[ée]riel(?:le)?|conjoint|municipal|pr[ée]fectoral|circulaire))?`

var (
	// Verb matches the verb of a clause on entry into force.
	Verb   = law.Pattern(`(?i)\b(?:entre(?:nt|ra|ront)? +(?:\p{L}+ +)?en +vigueur|prend(?:ra|ront)? +effet|prennent +effet|deviendr(?:a|ont) +applicables?|(?:est|sont|sera|seront) +(?:applicables?|exécutoires?)|entre(?:nt|ra|ront)? +en +application|s'appliqu(?:e|ent|era|eront)|produi(?:t|sent|ra|ront) +(?:ses|leurs|son) +effets?)\b`)
	plural = law.Pattern(`^\p{L}+nt\b`)
	// « applicable » needs a day: it may also mean applicable to something (« aux contrats en cours »).
	applies  = law.Pattern(`(?i)(?:applicables?|exécutoires?|application|appliqu\p{L}+|effets)$`)
	fromThen = law.Pattern(`(?i)^,? *(?:immédiatement\b|dès\b|le +(?:\d|(?:premier|dernier|lendemain|jour)\b|[\p{L}~]+ +jour\b)|à +(?:compter|partir|la +(?:date|fin)|l'expiration|l'issue)\b|au +(?:\d|(?:premier|lendemain|terme)\b)|en +même +temps\b|passé +un\b|` +
		`[\p{L}~\d]+ +(?:\(\d+\) +)?(?:jours?|semaines?|mois|trimestres?|semestres?|ans?|années?)\b)`)
	// The text as a subject: « la présente loi », « les dispositions du présent décret ».
	itself  = law.Pattern(`(?i)(?:(?:^|[,;:–—] *|\b(?:toutefois|cependant|néanmoins) +)(?:(?:toutes +)?les +dispositions +(?:de +la|du)|la|le)|(?-i:\b(?:Les +dispositions +(?:de +la|du)|La|Le))) +présente? +` + selfWords + `(?: +n ?[°*o]\.? *[^ ,;]+)?`)
	pronoun = law.Pattern(`(?i)^(?:toutefois,? +)?(?:il|elle|(ils|elles))\b`)
	// What may come between the name of the text and the verb: nothing, an insertion between commas, a clause about the
	// text, or another verb of the same subject.
	leadsOn   = law.Pattern(`(?i)^(?: *,? *(?:qui +)?(?:\p{L}+ment +)?|,[^;]*, *|,? +qui +[^;]*|[^;]*(?:,| et)(?: +qui)? +)$`)
	annexed   = law.Pattern(`(?i)^annexe\b`)
	finalPart = law.Pattern(`(?i)\b(?:finales?|transitoires?|entrée +en +vigueur)\b`)
	ratified  = law.Pattern(`(?i)\b(?:ratifications?|adhésions?|dépôt +d\p{L}* .{0,20}instruments?)\b`)
	sameTime  = law.Pattern(`(?i)en même temps que +(?:le |la |l'|les )?(.{4,120}?)(?:\.|;|,|$)`)
	// fromDay matches « à compter du » and a day.
	fromDay = law.Pattern(`(?i)(?:à compter|à partir|avec effet) +(?:du|au) +(` + line.DateText + `)`)
)

// forceStems are the folded stems of what Verb matches.
var forceStems = []string{"vigueur", "effet", "applicable", "executoire", "application", "applique"}

// Of looks for the clause on entry into force, from the last article back. An individual act without a
// title takes effect on the day that it names.
func Of(articles []law.Article, abridged bool) Force {
	if abridged {
		f := forceInShort(articles)
		f.individual = true
		return f
	}
	own := ownPart(articles)
	for i := len(articles) - 1; i >= 0; i-- {
		if !own(articles[i]) || !sentence.Mentions(articles[i].Text, forceStems) {
			continue
		}
		aboutText := false
		for _, s := range sentence.Split(law.OutsideQuotations(articles[i].Text)) {
			if f, ok := ReadClause(s, aboutText); ok {
				f.Words, f.Page = s, articles[i].Page
				return f
			}
			aboutText = itself.MatchString(s) || aboutText && pronoun.MatchString(s)
		}
	}
	return Force{}
}

// forceInShort reads an act without a title. It is about one measure, which takes effect on the day that any
// sentence names.
func forceInShort(articles []law.Article) Force {
	for _, a := range articles {
		first, _, _ := strings.Cut(a.Text, "\n")
		if m := fromDay.FindStringSubmatch(first); m != nil {
			d, _, _, _ := law.FindDate(m[1])
			return Force{On: d, Words: m[0], Page: a.Page}
		}
		for _, s := range sentence.Split(a.Text) {
			positions := Verb.FindStringIndex(s)
			if positions == nil {
				continue
			}
			if f := forceAfter(s[positions[1]:]); !f.On.IsZero() {
				f.Words, f.Page = s, a.Page
				return f
			}
		}
	}
	return Force{After: Promulgation}
}

// ownPart returns a function that reports whether a text may state its entry into force in an article: in any
// article if the text has no divisions, else in those of the first and the last division and in those called
// final or transitional provisions. Visas and annexes are not the text's own words and never count.
func ownPart(articles []law.Article) func(law.Article) bool {
	var first, last []string
	numbered := false
	for _, a := range articles {
		if a.Number == "" || annex(a) {
			continue
		}
		if last = a.Path; !numbered {
			first, numbered = a.Path, true
		}
	}
	return func(a law.Article) bool {
		if a.Number == "" && a.Heading == gazette.PreambleHeading || annex(a) {
			return false
		}
		return slices.Equal(a.Path, first) || slices.Equal(a.Path, last) || finalPart.MatchString(a.Heading) || slices.ContainsFunc(a.Path, finalPart.MatchString)
	}
}

// annex reports whether an article is an annex or part of one.
func annex(a law.Article) bool {
	return annexed.MatchString(a.Number) || len(a.Path) > 0 && annexed.MatchString(a.Path[0])
}

// ReadClause reads one sentence whose subject is the text itself. aboutText means that the sentence before was
// about the text, so that « il » refers to it.
func ReadClause(s string, aboutText bool) (Force, bool) {
	positions := Verb.FindStringIndex(s)
	if positions == nil {
		return Force{}, false
	}
	verb, rest := s[positions[0]:positions[1]], s[positions[1]:]
	if !ofItself(s[:positions[0]], plural.MatchString(verb), aboutText) || applies.MatchString(verb) && !fromThen.MatchString(rest) {
		return Force{}, false
	}
	f := forceAfter(rest)
	if f.Unread && f.After == unsaid && f.On.IsZero() {
		f.After = Publication
	}
	return f, f.After != unsaid || f.With != "" || !f.On.IsZero()
}

// ofItself reports whether the words before a verb make the text its subject. many means that the verb is
// plural.
func ofItself(left string, many, aboutText bool) bool {
	if m := pronoun.FindStringSubmatchIndex(left); m != nil && aboutText {
		return m[2] >= 0 == many && leadsOn.MatchString(left[m[1]:])
	}
	for _, m := range itself.FindAllStringSubmatchIndex(left, -1) {
		next, _ := utf8.DecodeRuneInString(left[m[1]:]) // \b treats accented letters as no part of a word
		dispositions := strings.Contains(law.Fold(left[m[0]:m[1]]), "dispositions")
		if dispositions == many && !unicode.IsLetter(next) && leadsOn.MatchString(left[m[1]:]) {
			return true
		}
	}
	return false
}

// lifetime is the maximum number of years by which a law plausibly defers its entry into force.
const lifetime = 100

// Day returns the day that the clause gives, counted from promulgation or publication, and zero if that day
// is unknown. A text without a clause is in force from its publication.
func (f Force) Day(promulgated time.Time, published *time.Time) time.Time {
	if !f.On.IsZero() {
		return f.On
	}
	start := promulgated
	if published != nil && f.After != Promulgation && f.After != Ratification {
		start = *published
	}
	if start.IsZero() {
		return start
	}
	if f.Elsewhere != nil { // where it is law last, it is law everywhere
		_, last := f.Places(promulgated, published)
		return last
	}
	return f.countFrom(start)
}

// Places returns the first and the last of the days from which the text is law at places that the clause names.
func (f Force) Places(promulgated time.Time, published *time.Time) (first, last time.Time) {
	here := f
	here.Elsewhere = nil
	first, last = here.Day(promulgated, published), f.Elsewhere.Day(promulgated, published)
	if last.Before(first) {
		first, last = last, first
	}
	return first, last
}

// IsOdd reports whether the day that the clause gives is implausible. An individual measure may take effect before the
// act (« est titularisé à compter du … »); this is no entry into force, and not implausible.
func (f Force) IsOdd(promulgated time.Time, published *time.Time) bool {
	day := f.Day(promulgated, published)
	return !f.individual && !promulgated.IsZero() && (day.Before(promulgated) || day.After(promulgated.AddDate(lifetime, 0, 0)))
}

// Date returns the day of entry into force. Instead of an implausible day it returns the day of publication or
// promulgation. An individual measure that takes effect earlier is law from its promulgation.
func (f Force) Date(promulgated time.Time, published *time.Time) time.Time {
	switch {
	case f.individual:
		if day := f.Day(promulgated, published); day.After(promulgated) {
			return day
		}
	case !f.IsOdd(promulgated, published):
		return f.Day(promulgated, published)
	case published != nil && published.After(promulgated):
		return *published
	}
	return promulgated
}
