package transformer

import "testing"

// BenchmarkProjection compares a question with the passages of the articles that a search reads.
func BenchmarkProjection(b *testing.B) {
	p, err := BuiltinProjection()
	if err != nil {
		b.Fatal(err)
	}
	const read = 100
	vectors := make([][]float32, read)
	for i := range vectors {
		vectors[i] = p.rows[i%p.Out]
	}
	for b.Loop() {
		p.Cosines(p.rows[0], vectors)
	}
}
