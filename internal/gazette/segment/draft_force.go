package segment

import (
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

// entersInForce returns the day from which the text is law. Whether that day is implausible can only be judged if the
// day of promulgation was read.
func (d *draft) entersInForce(issue gazette.Issue) time.Time {
	if d.ofState() {
		return d.stated()
	}
	if d.date.IsZero() {
		return d.force.Day(d.Document.Promulgated, issue.Date)
	}
	return d.force.Date(d.Document.Promulgated, issue.Date)
}

// oddForce reports whether the text has a clause whose day is implausible.
func (d *draft) oddForce(issue gazette.Issue) bool {
	return !d.date.IsZero() && d.force.Words != "" && d.force.IsOdd(d.Document.Promulgated, issue.Date)
}

var objectOnly = law.Pattern(`^(?:loi|decret|arrete|ordonnance)(?: organique)? ((?:relatif|relative|portant|fixant|sur) .*)$`)

// shareForceDays sets the day of texts that enter into force « en même temps que » another text of the issue
// to that text's day.
func shareForceDays(drafts []*draft) {
	for _, d := range drafts {
		if d.force.With == "" {
			continue
		}
		for _, other := range drafts {
			with := objectOnly.ReplaceAllString(d.force.With, "$1") // titles also have a number between these words
			if other != d && strings.Contains(law.Fold(other.Document.Title), with) {
				d.Document.EntersInForce = other.Document.EntersInForce
				break
			}
		}
	}
}
