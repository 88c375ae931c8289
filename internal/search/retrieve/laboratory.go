package retrieve

// Meant returns the words of the question whose vectors a search compares with passages. The
// laboratory learns from these vectors.
func (q Question) Meant() string { return q.read().Meant() }

// Readings returns what the reader is given of each article for the question of a search.
func (s *Searcher) Readings(looked *Examined, hits []Hit) []string {
	terms := s.termsOf(*looked.Asked)
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = terms.reading(h)
	}
	return out
}
