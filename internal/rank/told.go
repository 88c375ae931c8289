package rank

import "fmt"

// evidenceNames are what people call the evidence of a search.
var evidenceNames = map[int]string{TopScore: "score", Margin: "margin", Crowd: "crowd", TopCovered: "covered", TopPlain: "covered_plain",
	TopBody: "covered_body", TopMissed: "missed_most", TopRarest: "rarest", TopTogether: "together", TopCosine: "cosine", TopFigure: "unfigured",
	TopNames: "missed_names", TopNotLocal: "not_local", TopEdge: "no_article", MostCovered: "most_covered", LogCovered: "log_covered"}

// Told gives the features that are not 0 by their names.
func (f *Features) Told() map[string]float64 {
	out := make(map[string]float64)
	for i, x := range f {
		if x != 0 {
			out[names[i]] = float64(x)
		}
	}
	return out
}

// Told gives the evidence that is not 0 by its names.
func (e *Evidence) Told() map[string]float64 {
	out := make(map[string]float64)
	for i, x := range e {
		if x == 0 {
			continue
		}
		name, known := evidenceNames[i]
		if !known {
			name = fmt.Sprintf("evidence_%d", i)
		}
		out[name] = x
	}
	return out
}
