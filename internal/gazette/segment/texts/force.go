package texts

import (
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

// EntersInForce returns the day from which the text is law. Whether that day is implausible can only be judged if the
// day of promulgation was read.
func (d *Draft) EntersInForce(issue gazette.Issue) time.Time {
	if d.OfState() {
		return d.stateDay()
	}
	if d.Date.IsZero() {
		return d.Force.Day(d.Document.Promulgated, issue.Date)
	}
	return d.Force.Date(d.Document.Promulgated, issue.Date)
}

// OddForce reports whether the text has a clause whose day is implausible.
func (d *Draft) OddForce(issue gazette.Issue) bool {
	return !d.Date.IsZero() && d.Force.Words != "" && d.Force.IsOdd(d.Document.Promulgated, issue.Date)
}

var objectOnly = law.Pattern(`^(?:loi|decret|arrete|ordonnance)(?: organique)? ((?:relatif|relative|portant|fixant|sur) .*)$`)

// ShareForceDays sets the day of texts that enter into force « en même temps que » another text of the issue
// to that text's day.
func ShareForceDays(drafts []*Draft) {
	for _, d := range drafts {
		if d.Force.With == "" {
			continue
		}
		for _, other := range drafts {
			with := objectOnly.ReplaceAllString(d.Force.With, "$1") // titles also have a number between these words
			if other != d && strings.Contains(law.Fold(other.Document.Title), with) {
				d.Document.EntersInForce = other.Document.EntersInForce
				break
			}
		}
	}
}
