package vector

// Nearest returns the greatest dot product of the query with the packed vectors of a
// passage: their cosine if all have length 1. It is false if there are none of the query's
// dimension.
func Nearest(packed []byte, q Query) (float32, bool) {
	var s Set
	n, err := s.Add(packed)
	if err != nil || n == 0 || s.Dimensions != q.Dimensions() {
		return 0, false
	}
	best := s.Dot(q, 0)
	for i := 1; i < n; i++ {
		best = max(best, s.Dot(q, i))
	}
	return best, true
}
