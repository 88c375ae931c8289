package flat

import (
	"math"
	"time"
)

// day is the number of days from 1970 to t.
func day(t time.Time) int32 { return int32(math.Floor(float64(t.Unix()) / 86400)) }

// when is a day, or any: from the earliest to the latest.
type when struct{ earliest, latest int32 }

// lawOn tells whether the passage is law then.
func (p *passage) lawOn(w when) bool { return p.from <= w.latest && w.earliest < p.to }

// allLawOn tells whether all passages are law then.
func (d *document) allLawOn(w when) bool { return d.latest <= w.latest && w.earliest < d.earliest }
