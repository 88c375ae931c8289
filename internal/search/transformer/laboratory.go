package transformer

// Index prepares a vocabulary for Of. The laboratory uses it to choose pieces before it has a model.
func Index(p Pieces) *Pieces {
	p.index()
	return &p
}
