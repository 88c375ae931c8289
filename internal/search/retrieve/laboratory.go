package retrieve

// Meant returns the words of the question whose vectors a search compares with passages. The
// laboratory learns from these vectors.
func (q Question) Meant() string { return q.read().Meant() }
