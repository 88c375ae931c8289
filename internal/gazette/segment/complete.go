package segment

import (
	"vigueur/internal/gazette"
)

// complete applies the hints and the issue's date, determines the dates, and records the doubts.
func (d *draft) complete(hints gazette.Hints, issue gazette.Issue, single bool) {
	if single {
		d.applyHints(hints)
	}
	doc := &d.Document
	given := func(set bool) bool { return single && set }
	d.noteTitle(hints)
	d.noteType(given(hints.Type != ""))
	d.noteNumber(hints, given(hints.OfficialNumber != ""))
	d.noteDate(issue, hints.Today, given(hints.Promulgated != nil))
	doc.AsOf = d.asOf(issue)
	d.noteEnds()
	if !d.headless { // if headless, the first articles are known to be missing
		d.Absent = absent(d.Articles)
	}
	d.noteCount()
	doc.EntersInForce = d.entersInForce(issue)
	if given(hints.EntersInForce != nil) {
		doc.EntersInForce = *hints.EntersInForce
	}
	d.noteForce(issue, given(hints.EntersInForce != nil))
	d.noteSigners(given(hints.Domain != ""))
	for i := range d.Relations {
		if d.Relations[i].Effective.IsZero() {
			d.Relations[i].Effective = d.changesFrom()
		}
	}
}
