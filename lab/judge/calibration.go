package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Said is a probability that was said, and whether what it was said of came true.
type Said struct {
	P    float64
	True bool
}

// Calibration is how far probabilities lie from how often what they were said of came true.
type Calibration struct {
	Error  float64 `json:"error"`     // of fifths of the probabilities, on average over what was said
	Chance float64 `json:"by_chance"` // the error that the same probabilities would show on average if all were right
	Brier  float64 `json:"brier"`     // mean square of the distance to what came true (Brier 1950)
	Loss   float64 `json:"log_loss"`  // mean of -ln of the probability of what came true
	Bins   []Bin   `json:"bins"`
}

// Bin is what was said with a probability of one fifth of all there are.
type Bin struct {
	N    int     `json:"n"`
	Said float64 `json:"said"` // mean probability
	True float64 `json:"true"` // share that came true
}

const (
	bins = 5
	// draws is how often outcomes are drawn for Chance.
	draws = 1000
	// certain bounds the loss of what was said for certain and did not come true.
	certain = 1e-4
)

// Calibrated measures what was said; the same gives the same.
func Calibrated(said []Said) (c Calibration) {
	c.Bins = binned(said)
	c.Error = c.error(len(said))
	if len(said) == 0 {
		return c
	}
	n := float64(len(said))
	for _, s := range said {
		p := min(1-certain, max(certain, s.P))
		if !s.True {
			p = 1 - p
			c.Brier += s.P * s.P / n
		} else {
			c.Brier += (1 - s.P) * (1 - s.P) / n
		}
		c.Loss -= math.Log(p) / n
	}
	drawn, by := make([]Said, len(said)), rand.New(rand.NewPCG(1, 1))
	for range draws {
		for i, s := range said {
			drawn[i] = Said{s.P, by.Float64() < s.P}
		}
		d := Calibration{Bins: binned(drawn)}
		c.Chance += d.error(len(drawn)) / draws
	}
	return c
}

// binned puts what was said into bins.
func binned(said []Said) []Bin {
	out := make([]Bin, bins)
	for _, s := range said {
		b := &out[max(0, min(bins-1, int(s.P*bins)))]
		b.N++
		b.Said += s.P
		if s.True {
			b.True++
		}
	}
	for i := range out {
		if n := float64(out[i].N); n > 0 {
			out[i].Said, out[i].True = out[i].Said/n, out[i].True/n
		}
	}
	return out
}

func (c *Calibration) error(n int) (sum float64) {
	for _, b := range c.Bins {
		sum += math.Abs(b.Said-b.True) * float64(b.N) / float64(max(1, n))
	}
	return sum
}

// String is a line: the error beside that by chance, Brier's score, the loss, and each bin
// as how often what was said with which probability came true.
func (c Calibration) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "calibration error %.3f (%.3f by chance), Brier %.3f, log loss %.3f;", c.Error, c.Chance, c.Brier, c.Loss)
	for _, x := range c.Bins {
		fmt.Fprintf(&b, " %.2f said, %.2f true of %d;", x.Said, x.True, x.N)
	}
	return strings.TrimSuffix(b.String(), ";")
}
