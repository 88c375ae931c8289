package transformer

// Index returns the pieces, ready for texts, for the laboratory, which chooses pieces before there is a model.
func Index(p Pieces) *Pieces {
	p.index()
	return &p
}
