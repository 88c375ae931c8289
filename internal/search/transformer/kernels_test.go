package transformer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func numbers(r *rand.Rand, n int, width float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64() * width)
	}
	return out
}

// TestKernels compares the kernels of this processor with their definitions in Go.
func TestKernels(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n++ {
		x := numbers(r, n, 3)
		if got, want := greatest(x), greatestPlain(x); got != want {
			t.Fatalf("%d numbers: greatest %x, want %x", n, got, want)
		}
		got, want := make([]int8, n), make([]int8, n)
		by := mostActive / math.Float32frombits(greatest(x))
		if a, b := quantize(got, x, by), quantizePlain(want, x, by); a != b || !slices.Equal(got, want) {
			t.Fatalf("%d numbers: sum %d of %v, want %d of %v", n, a, got, b, want)
		}
		c := make([]int32, n)
		for i := range c {
			c[i] = int32(r.IntN(1<<20) - 1<<19)
		}
		scale, bias, y, z := numbers(r, n, 1), numbers(r, n, 1), make([]float32, n), make([]float32, n)
		restore(y, c, scale, bias, 0.01, 77)
		restorePlain(z, c, scale, bias, 0.01, 77)
		if !slices.Equal(y, z) {
			t.Fatalf("%d numbers: %v, want %v", n, y, z)
		}
		for _, f := range []*table{gelu, falling} {
			y := numbers(r, n, 9)
			z := slices.Clone(y)
			f.interpolate(y, 0.7)
			f.interpolatePlain(z, 0.7)
			if !slices.Equal(y, z) {
				t.Fatalf("%d numbers: %v, want %v", n, y, z)
			}
		}
	}
}

// TestTiles checks all kernels of this processor that compute tiles.
func TestTiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 8, 96, 384} {
		w, a := make([]uint8, n*tileColumns*step), make([]int8, tileRows*n*step)
		for i := range w {
			w[i] = uint8(1 + r.IntN(2*mostWeight+1))
		}
		for i := range a {
			a[i] = int8(r.IntN(2*mostActive+1) - mostActive)
		}
		if n == 384 { // the greatest possible products
			for i := range w {
				w[i] = offset + mostWeight
			}
			for i := range a {
				a[i] = mostActive
			}
		}
		var want products
		tilePlain(&want, w, a, n*step, n)
		for name, kernel := range kernels() {
			var got products
			kernel(&got, w, a, n*step, n)
			if got != want {
				t.Errorf("%s, %d steps: other products", name, n)
			}
		}
	}
}

// TestFunctions compares the tables with the functions that they approximate.
func TestFunctions(t *testing.T) {
	t.Parallel()
	for x := -12.0; x < 12; x += 0.0137 {
		v := []float32{float32(x)}
		gelu.interpolate(v, 1)
		if want := x / 2 * (1 + math.Erf(x/math.Sqrt2)); math.Abs(float64(v[0])-want) > 1e-5 {
			t.Errorf("gelu(%v) is %v, want %v", x, v[0], want)
		}
	}
	row := []float32{3, -2, 3, 0, -90}
	sum := softmax(row, 0.5)
	for i, x := range []float64{3, -2, 3, 0, -90} {
		if want := math.Exp((x - 3) / 2); math.Abs(float64(row[i])-want) > 1e-5 {
			t.Errorf("exp of %v is %v, want %v", x, row[i], want)
		}
	}
	if math.Abs(float64(sum)-(2+math.Exp(-2.5)+math.Exp(-1.5))) > 1e-5 {
		t.Errorf("the sum is %v", sum)
	}
}
