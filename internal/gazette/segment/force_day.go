package segment

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/law"
)

// lifetime is more years than anybody defers a law: who makes it would not live to
// see it in force.
const lifetime = 100

// day is the day that the words give, given those of promulgation and publication;
// zero where they count from a day that is not known. A text that says nothing is in
// force from its publication.
func (f force) day(promulgated time.Time, published *time.Time) time.Time {
	if !f.on.IsZero() {
		return f.on
	}
	from := promulgated
	if published != nil && f.after != promulgation && f.after != ratification {
		from = *published
	}
	if from.IsZero() {
		return from
	}
	return from.AddDate(f.years, f.months, f.days)
}

// odd reports whether the day that the words give can hardly be meant. What one measure
// does to a person may begin before it (« est titularisé à compter du … »): that is no
// entry into force, and no doubt.
func (f force) odd(promulgated time.Time, published *time.Time) bool {
	day := f.day(promulgated, published)
	return !f.individual && !promulgated.IsZero() && (day.Before(promulgated) || day.After(promulgated.AddDate(lifetime, 0, 0)))
}

// date is the day of entry into force. Where the words give an odd one, it is that
// of publication or promulgation; what one measure says of an earlier day is when it
// takes effect, and it is law from its promulgation.
func (f force) date(promulgated time.Time, published *time.Time) time.Time {
	switch {
	case f.individual:
		if day := f.day(promulgated, published); day.After(promulgated) {
			return day
		}
	case !f.odd(promulgated, published):
		return f.day(promulgated, published)
	case published != nil && published.After(promulgated):
		return *published
	}
	return promulgated
}

// entersInForce is the day from which the text is law. It is held against the
// promulgation only where that was read.
func (d *draft) entersInForce(issue Issue) time.Time {
	if d.ofState() {
		return d.stated()
	}
	if d.date.IsZero() {
		return d.force.day(d.Document.Promulgated, issue.Date)
	}
	return d.force.date(d.Document.Promulgated, issue.Date)
}

// oddForce reports whether the text has a clause whose day can hardly be meant.
func (d *draft) oddForce(issue Issue) bool {
	return !d.date.IsZero() && d.force.words != "" && d.force.odd(d.Document.Promulgated, issue.Date)
}

// oddForceReason says why the day is doubted.
func (d *draft) oddForceReason(issue Issue) string {
	return fmt.Sprintf("Le jour d’entrée en vigueur que disent ces mots (%s) n’est pas vraisemblable pour un texte du %s : celui de la publication ou de la promulgation est mis à sa place.",
		d.force.day(d.Document.Promulgated, issue.Date).Format("02/01/2006"), d.Document.Promulgated.Format("02/01/2006"))
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
