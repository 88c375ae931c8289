package segment

import (
	_ "embed"
	"encoding/json"
	"math"
	"sync"

	"vigueur/internal/law"
)

// What is learned from how texts were cut, by scripts/train witness.
//
//go:embed witness.json
var learned []byte

// Judgment is what was learned of signs that a text is cut or read wrongly: by
// logistic regression, over texts that were cut without having been learned from.
type Judgment struct {
	// Provenance says what it was learned from.
	Provenance string
	// Numbering is the logarithm of how much more often articles follow one another so
	// than not: « next », « anew », « again », « left out », « back », « unlike ».
	Numbering map[string]float64
	// Trust is how much the chain's own log odds count beside Numbering.
	Trust float64
	// Rereading is how much each feature of a change speaks for making it, a weight a name
	// of RereadingNames; none: the chain's reading stays.
	Rereading map[string]float64
	// Weights of witnesses, a weight a kind; Bias without any.
	Weights map[WitnessKind]float64
	Bias    float64
	// Threshold is the probability of a fault from which on a text is doubted.
	Threshold float64
	// Obscured is how heads are found that can hardly be read; nil for what comes with the
	// program. It is learned apart.
	Obscured *Obscured `json:"-"`
}

// obscured is how heads are found that can hardly be read.
func (j Judgment) obscured() Obscured {
	if j.Obscured != nil {
		return *j.Obscured
	}
	return standardObscured()
}

var standardJudgment = sync.OnceValue(func() Judgment {
	var j Judgment
	if err := json.Unmarshal(learned, &j); err != nil {
		panic(err) // it is embedded: every test reads it
	}
	return j
})

// Wrong is the probability that a text with the given witnesses is wrong.
func (j Judgment) Wrong(witnesses []Witness) float64 {
	z := j.Bias
	for _, w := range witnesses {
		z += j.Weights[w.Kind] * w.Value
	}
	return 1 / (1 + math.Exp(-z))
}

// tellingShare is the share of the strongest witness from which on another one is
// told beside it.
const tellingShare = 0.5

// judge makes doubts of a text's witnesses where they are together too many: of those
// that say something, the strongest and what is nearly as strong.
func (d *draft) judge() {
	j := d.judgment
	wrong := j.Wrong(d.Witnesses)
	if wrong < j.Threshold {
		return
	}
	most := 0.0
	for _, w := range d.Witnesses {
		if w.Doubt.Reason != "" {
			most = max(most, j.Weights[w.Kind]*w.Value)
		}
	}
	if most <= 0 {
		if len(d.Doubts) == 0 { // a scan like others that were read wrongly, and nothing to point at
			d.Doubts = append(d.Doubts, law.Doubt{Field: "texte", Reason: "La lecture de ce texte est peu sûre.", Confidence: round(1 - wrong), Page: d.Document.FirstPage})
		}
		return
	}
	for _, w := range d.Witnesses {
		if w.Doubt.Reason != "" && j.Weights[w.Kind]*w.Value >= tellingShare*most {
			doubt := w.Doubt
			doubt.Confidence = round(1 - wrong)
			d.Doubts = append(d.Doubts, doubt)
		}
	}
}

func round(p float64) float64 { return math.Round(p*100) / 100 }
