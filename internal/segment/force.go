package segment

import (
	"strconv"
	"strings"
	"time"

	"vigueur/internal/french"
	"vigueur/internal/law"
)

// force is what a text says of its own entry into force.
type force struct {
	on     time.Time // a day of its own
	years  int       // or so long after …
	months int
	days   int
	after  event
	with   string // or together with another text: its folded title
	words  string // the sentence that says so
	page   int    // of the article that has it
}

// event is what a period counts from.
type event int

const (
	unsaid event = iota
	publication
	promulgation
	ratification // on a day that no text tells
)

const periodWords = `(un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|dix~huit|vingt|vingt~quatre|trente|quarante~cinq|soixante|quatre~vingt~dix|\d{1,3})(?: *\(\d+\))? +(jours?|mois|ans?|années?)`

var (
	forceVerb  = law.Pattern(`(?i)\b(?:entre(?:nt|ra|ront)? +(?:\p{L}+ +)?en +vigueur|prend(?:ra|ront)? +effet|prennent +effet|deviendr(?:a|ont) +applicables?|(?:est|sont|sera|seront) +applicables?)\b`)
	aboutParts = law.Pattern(`(?i)\b(?:l'article|les articles|des articles|de l'article|l'alinéa|chapitre|du titre|annexe)\b`)
	forcePart  = law.Pattern(`(?i)` + periodWords + ` +(?:francs? +|pleins? +|révolus? +)?(?:après|à compter|à partir|suivant|qui suivent)(?: +de|.{0,20})`)
	forceEvent = law.Pattern(`(?i)\b(publication|parution|insertion|promulgation|signature|notification)\b`)
	ratified   = law.Pattern(`(?i)\b(?:ratifications?|adhésions?|dépôt +d\p{L}* .{0,20}instruments?)\b`)
	nextDay    = law.Pattern(`(?i)\b(?:le lendemain|le jour suivant|au lendemain)\b`)
	sameTime   = law.Pattern(`(?i)en même temps que +(?:le |la |l'|les )?(.{4,120}?)(?:\.|;|,|$)`)
	fromDay    = law.Pattern(`(?i)(?:à compter|à partir|avec effet) +(?:du|au) +(` + dateText + `)`)
)

// forceStems are those of what forceVerb looks for, folded.
var forceStems = []string{"vigueur", "effet", "applicable"}

// forceOf looks for the clause of entry into force, from the last article back.
// An individual act that came in short takes effect on the day it names.
func forceOf(articles []law.Article, abridged bool) force {
	if abridged {
		for _, a := range articles {
			first, _, _ := strings.Cut(a.Text, "\n")
			if m := fromDay.FindStringSubmatch(first); m != nil {
				d, _, _, _ := law.FindDate(m[1])
				return force{on: d, words: m[0], page: a.Page}
			}
			for _, s := range sentences(a.Text) {
				if f, ok := forceClause(s); ok && !f.on.IsZero() {
					f.words, f.page = s, a.Page
					return f
				}
			}
		}
		return force{after: promulgation}
	}
	for i := len(articles) - 1; i >= 0; i-- {
		if articles[i].Number == "" && articles[i].Heading == preambleHeading {
			continue
		}
		if !mentions(articles[i].Text, forceStems) {
			continue
		}
		for _, s := range sentences(unquoted(articles[i].Text)) {
			if f, ok := forceClause(s); ok {
				f.words, f.page = s, articles[i].Page
				return f
			}
		}
	}
	return force{}
}

// forceClause reads one sentence.
func forceClause(s string) (force, bool) {
	at := forceVerb.FindStringIndex(s)
	if at == nil {
		return force{}, false
	}
	subject, rest := s[:at[0]], s[at[1]:]
	folded := law.Fold(subject)
	if aboutParts.MatchString(subject) || !strings.Contains(folded, "present") && !strings.HasPrefix(folded, "il") && !strings.HasPrefix(folded, "elle") {
		return force{}, false
	}
	if m := sameTime.FindStringSubmatch(rest); m != nil {
		return force{with: law.Fold(m[1])}, true
	}
	if ratified.MatchString(rest) {
		return force{after: ratification}, true
	}
	var f force
	if m := forcePart.FindStringSubmatch(rest); m != nil {
		f.add(m[1], m[2])
		f.after = publication
	} else if d, _, _, ok := law.FindDate(rest); ok {
		return force{on: d}, true
	}
	if nextDay.MatchString(rest) {
		f.days++
		f.after = publication
	}
	if m := forceEvent.FindStringSubmatch(rest); m != nil {
		f.after = publication
		if k := law.Fold(m[1]); k == "promulgation" || k == "signature" {
			f.after = promulgation
		}
	}
	return f, f.after != unsaid
}

func (f *force) add(figure, unit string) {
	n := 0
	if facts := french.Facts(law.Fold(figure + " " + unit)); len(facts) > 0 {
		n, _ = strconv.Atoi(facts[0].Bare) // of periodWords each is a number
	}
	switch law.Fold(unit)[0] {
	case 'j':
		f.days += n
	case 'm':
		f.months += n
	default:
		f.years += n
	}
}

// date is the day of entry into force, given those of promulgation and
// publication. A text that says nothing is in force from its publication.
func (f force) date(promulgated time.Time, published *time.Time) time.Time {
	if !f.on.IsZero() {
		return f.on
	}
	from := promulgated
	if published != nil && f.after != promulgation && f.after != ratification {
		from = *published
	}
	return from.AddDate(f.years, f.months, f.days)
}

var objectOnly = law.Pattern(`^(?:loi|decret|arrete|ordonnance)(?: organique)? ((?:relatif|relative|portant|fixant|sur) .*)$`)

// settleTogether gives texts that enter into force « en même temps que » another
// one of the issue that one's day.
func settleTogether(drafts []*draft) {
	for _, d := range drafts {
		if d.force.with == "" {
			continue
		}
		for _, other := range drafts {
			with := objectOnly.ReplaceAllString(d.force.with, "$1") // the title has a number between
			if other != d && strings.Contains(law.Fold(other.Document.Title), with) {
				d.Document.EntersInForce = other.Document.EntersInForce
				break
			}
		}
	}
}
