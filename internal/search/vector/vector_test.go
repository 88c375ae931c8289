package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	sum := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestProductsSurvivePacking(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 3, 64, 65, 512, 1024} {
		var s Set
		var all [][]float32
		for range 20 {
			pair := [][]float32{random(r, n), random(r, n)}
			all = append(all, pair...)
			if got, err := s.Add(Pack(pair)); got != 2 || err != nil {
				t.Fatal(got, err)
			}
		}
		v := random(r, n)
		q := NewQuery(v)
		for i, x := range all {
			if got, want := float64(s.Dot(q, i)), dot(x, v); math.Abs(got-want) > 0.006 {
				t.Errorf("%d dimensions: %v, want %v", n, got, want)
			}
			signs := 0
			for k := range x {
				if (x[k] < 0) != (v[k] < 0) {
					signs++
				}
			}
			if d := s.Distance(q, i); max(d-signs, signs-d) > n/20+1 { // small coordinates may be rounded to zero
				t.Errorf("%d dimensions: distance %d, want %d", n, d, signs)
			}
		}
		back, err := Unpack(Pack(all[:3]))
		if err != nil || len(back) != 3 || math.Abs(dot(back[1], all[1])-1) > 0.01 {
			t.Errorf("unpacked %d, %v", len(back), err)
		}
	}
}

func TestSetRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	var s Set
	if n, err := s.Add(Pack(nil)); n != 0 || err != nil || s.Dimensions != 0 {
		t.Errorf("nothing: %d, %v", n, err)
	}
	good := Pack([][]float32{{1, 0}})
	for name, packed := range map[string][]byte{"empty": {}, "another form": {9, 2, 0}, "cut": good[:len(good)-1], "no dimensions": {form, 0, 0, 1}} {
		if _, err := s.Add(packed); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := s.Add(good); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(Pack([][]float32{{1, 0, 0}})); err == nil || s.Len() != 1 {
		t.Errorf("another dimension: %v, %d vectors", err, s.Len())
	}
}

// Distances equals Distance for each vector, and Compact changes neither them nor the dot
// products.
func TestDistancesAndCompact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, dimensions := range []int{3, 96, 150, 192, 512, 513} {
		var s Set
		for range 50 {
			if _, err := s.Add(Pack([][]float32{random(r, dimensions)})); err != nil {
				t.Fatal(err)
			}
		}
		q := NewQuery(random(r, dimensions))
		dot := s.Dot(q, 49)
		s.Compact()
		all := s.Distances([]uint16{7}, q)
		if len(all) != 51 || all[0] != 7 || s.Dot(q, 49) != dot || s.Len() != 50 {
			t.Fatalf("%d dimensions: %d distances, %d vectors", dimensions, len(all), s.Len())
		}
		for i, d := range all[1:] {
			if int(d) != s.Distance(q, i) {
				t.Errorf("%d dimensions, vector %d: %d, by itself %d", dimensions, i, d, s.Distance(q, i))
			}
		}
	}
}

func FuzzSet(f *testing.F) {
	f.Add(Pack([][]float32{{1, -1}, {0, 3}}))
	f.Add([]byte{1, 255, 255})
	f.Fuzz(func(t *testing.T, packed []byte) {
		var s Set
		n, err := s.Add(packed)
		if err != nil && (n != 0 || s.Len() != 0) {
			t.Error("an error, and vectors")
		}
		q := NewQuery(make([]float32, s.Dimensions))
		for i := range n {
			_, _ = s.Dot(q, i), s.Distance(q, i)
		}
	})
}

func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Set
	for range 1000 {
		if _, err := s.Add(Pack([][]float32{random(r, 512)})); err != nil {
			b.Fatal(err)
		}
	}
	q := NewQuery(random(r, 512))
	b.Run("Dot", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.Dot(q, i%1000)
		}
	})
	b.Run("Distance", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.Distance(q, i%1000)
		}
	})
}
