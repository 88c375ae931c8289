package doubts

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/texts"
)

// Complete applies the hints and the issue's date, determines the dates, and records the doubts.
func Complete(d *texts.Draft, hints gazette.Hints, issue gazette.Issue, single bool) {
	if single {
		d.ApplyHints(hints)
	}
	doc := &d.Document
	given := func(set bool) bool { return single && set }
	noteTitle(d, hints)
	noteType(d, given(hints.Type != ""))
	noteNumber(d, hints, given(hints.OfficialNumber != ""))
	noteDate(d, issue, hints.Today, given(hints.Promulgated != nil))
	doc.AsOf = d.AsOf(issue)
	noteEnds(d)
	if !d.Headless { // if headless, the first articles are known to be missing
		d.Absent = missingNumbers(d.Articles)
	}
	noteCount(d)
	doc.EntersInForce = d.EntersInForce(issue)
	if given(hints.EntersInForce != nil) {
		doc.EntersInForce = *hints.EntersInForce
	}
	noteForce(d, issue, given(hints.EntersInForce != nil))
	noteSigners(d, given(hints.Domain != ""))
	for i := range d.Relations {
		if d.Relations[i].Effective.IsZero() {
			d.Relations[i].Effective = d.ChangesFrom()
		}
	}
}
