package judge

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// Of what is said with a probability of 0.9 half comes true, and of what is said with 0.1 a
// tenth: the error is that of the first half.
func TestCalibrationByHand(t *testing.T) {
	t.Parallel()
	var said []Said
	for i := range 100 {
		said = append(said, Said{0.9, i%2 == 0}, Said{0.1, i%10 == 0})
	}
	c := Calibrated(said)
	if math.Abs(c.Error-0.2) > 1e-9 || math.Abs(c.Brier-(0.5*0.5*0.82+0.5*0.09)) > 1e-9 {
		t.Errorf("%+v", c)
	}
	if c.Chance <= 0 || c.Chance > 0.05 {
		t.Errorf("by chance %v, of 200", c.Chance)
	}
	if len(c.Bins) != 5 || c.Bins[4].N != 100 || math.Abs(c.Bins[4].True-0.5) > 1e-9 || c.Bins[2] != (Bin{}) {
		t.Errorf("%+v", c.Bins)
	}
	if !reflect.DeepEqual(Calibrated(said), c) {
		t.Error("a second time it is another")
	}
	if text := c.String(); !strings.Contains(text, "error 0.200") || !strings.Contains(text, "0.90 said, 0.50 true of 100") {
		t.Error(text)
	}
}

// What is certain and wrong costs much, and not without end; of nothing all is 0.
func TestCalibrationAtTheEdges(t *testing.T) {
	t.Parallel()
	c := Calibrated([]Said{{1, false}, {0, true}})
	if c.Error != 1 || c.Brier != 1 || c.Chance != 0 || math.IsInf(c.Loss, 0) || c.Loss < 5 {
		t.Errorf("%+v", c)
	}
	if none := Calibrated(nil); none.Error != 0 || none.Loss != 0 || math.IsNaN(none.Brier) {
		t.Errorf("%+v", none)
	}
}
