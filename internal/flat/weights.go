package flat

// Weights are what a measure may vary of how the channels of a search are mixed;
// all else is fixed.
type Weights struct {
	Pieces  float64 `json:"pieces"`  // share of the pieces of words beside the words, 0 to 1
	Meaning float64 `json:"meaning"` // share of the meaning beside both, 0 to 1
	Section float64 `json:"section"` // share of its section's best passage in the score of each, 0 to 1
	Opening float64 `json:"opening"` // what the first article under headings gains
}

// Chosen are the weights that Search goes by.
func Chosen() Weights {
	t := measured()
	return Weights{t.pieces, t.meaning, t.section, t.opening}
}

// SearchBy is Search by other weights.
func (x *Index) SearchBy(q Query, w Weights) []Hit {
	t := measured()
	t.pieces, t.meaning, t.section, t.opening = w.Pieces, w.Meaning, w.Section, w.Opening
	return x.search(q, t)
}
