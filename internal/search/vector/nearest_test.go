package vector

import (
	"math"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	q := NewQuery([]float32{0.6, 0.8})
	packed := Pack([][]float32{{1, 0}, {0, 1}, {-0.6, -0.8}})
	if c, ok := Nearest(packed, q); !ok || math.Abs(float64(c)-0.8) > 0.01 {
		t.Errorf("the nearest of three is at %v, %v", c, ok)
	}
	if c, ok := Nearest(Pack([][]float32{{-0.6, -0.8}}), q); !ok || math.Abs(float64(c)+1) > 0.01 {
		t.Errorf("the opposite is at %v, %v", c, ok)
	}
	for name, packed := range map[string][]byte{"none": Pack(nil), "of three dimensions": Pack([][]float32{{1, 0, 0}}), "no vectors": {9}, "nothing": nil} {
		if _, ok := Nearest(packed, q); ok {
			t.Errorf("%s: near", name)
		}
	}
}
