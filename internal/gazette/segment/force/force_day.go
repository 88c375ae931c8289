package force

import (
	"time"
)

// lifetime is the maximum number of years by which a law plausibly defers its entry into force.
const lifetime = 100

// Day returns the day that the clause gives, counted from promulgation or publication, and zero if that day
// is unknown. A text without a clause is in force from its publication.
func (f Force) Day(promulgated time.Time, published *time.Time) time.Time {
	if !f.On.IsZero() {
		return f.On
	}
	from := promulgated
	if published != nil && f.After != Promulgation && f.After != Ratification {
		from = *published
	}
	if from.IsZero() {
		return from
	}
	if f.Elsewhere != nil { // where it is law last, it is law everywhere
		_, last := f.Places(promulgated, published)
		return last
	}
	return f.countFrom(from)
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
