package law

import "time"

// Force says whether a text is law on a day.
type Force int

// The values of Force.
const (
	NotYet   Force = iota // it enters into force later
	Current               // it is law
	NoLonger              // it was repealed as a whole
)

// ForceOn says whether a text is law on a day. repealed is its first day out of force; nil if
// none is known, as for some texts whose status is Repealed: these are law on no day.
func (d Document) ForceOn(day time.Time, repealed *time.Time) Force {
	switch {
	case day.Before(d.EntersInForce):
		return NotYet
	case repealed == nil && d.Status == Repealed, repealed != nil && !day.Before(*repealed):
		return NoLonger
	}
	return Current
}
