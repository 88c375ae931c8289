package doubts

import (
	"math"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/texts"
)

// tellingShare is the minimum contribution of a signal, relative to the contribution of the strongest signal, with
// which it becomes a doubt too.
const tellingShare = 0.5

// Judge makes doubts from the text's signals, if they show a fault with enough probability. The strongest signal
// that has a remark becomes a doubt, and so do the signals with a remark that are nearly as strong.
func Judge(d *texts.Draft) {
	j := d.Judgment
	wrong := j.Wrong(d.Signals)
	if wrong < j.Threshold {
		return
	}
	most := 0.0
	for _, w := range d.Signals {
		if w.Doubt.Why.Kind != remarks.None {
			most = max(most, j.Weights[w.Kind]*w.Value)
		}
	}
	if most <= 0 {
		if len(d.Doubts) == 0 { // similar texts were misread, but no signal has a remark
			d.Doubts = append(d.Doubts, remarks.Doubt{Field: "texte", Why: remarks.Of(remarks.ReadingUnsure), Confidence: round(1 - wrong), Page: d.Document.FirstPage})
		}
		return
	}
	for _, w := range d.Signals {
		if w.Doubt.Why.Kind != remarks.None && j.Weights[w.Kind]*w.Value >= tellingShare*most {
			doubt := w.Doubt
			doubt.Confidence = round(1 - wrong)
			d.Doubts = append(d.Doubts, doubt)
		}
	}
}

func round(p float64) float64 { return math.Round(p*100) / 100 }
