package postings

import (
	"math"
	"time"
)

// Day returns the number of days from 1970-01-01 to t.
func Day(t time.Time) int32 { return int32(math.Floor(float64(t.Unix()) / 86400)) }

// Days is the range of days that a search asks about, as Day numbers them.
type Days struct{ Earliest, Latest int32 }

// InForce reports whether the passage is law on one of the days.
func (p *Passage) InForce(w Days) bool { return p.from <= w.Latest && w.Earliest < p.to }

// InForce reports whether each passage of the document is law on one of the days.
func (d *Document) InForce(w Days) bool { return d.latest <= w.Latest && w.Earliest < d.earliest }
