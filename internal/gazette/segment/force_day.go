package segment

import (
	"time"
)

// lifetime is the maximum number of years by which a law plausibly defers its entry into force.
const lifetime = 100

// day returns the day that the clause gives, counted from promulgation or publication, and zero if that day
// is unknown. A text without a clause is in force from its publication.
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
	if f.elsewhere != nil { // where it is law last, it is law everywhere
		_, last := f.places(promulgated, published)
		return last
	}
	return f.counted(from)
}

// places returns the first and the last of the days from which the text is law at places that the clause names.
func (f force) places(promulgated time.Time, published *time.Time) (first, last time.Time) {
	here := f
	here.elsewhere = nil
	first, last = here.day(promulgated, published), f.elsewhere.day(promulgated, published)
	if last.Before(first) {
		first, last = last, first
	}
	return first, last
}

// odd reports whether the day that the clause gives is implausible. An individual measure may take effect before the
// act (« est titularisé à compter du … »); this is no entry into force, and not implausible.
func (f force) odd(promulgated time.Time, published *time.Time) bool {
	day := f.day(promulgated, published)
	return !f.individual && !promulgated.IsZero() && (day.Before(promulgated) || day.After(promulgated.AddDate(lifetime, 0, 0)))
}

// date returns the day of entry into force. Instead of an implausible day it returns the day of publication or
// promulgation. An individual measure that takes effect earlier is law from its promulgation.
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
