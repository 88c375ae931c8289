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
		factor := mostActive / math.Float32frombits(greatest(x))
		if a, b := quantize(got, x, factor), quantizePlain(want, x, factor); a != b || !slices.Equal(got, want) {
			t.Fatalf("%d numbers: sum %d of %v, want %d of %v", n, a, got, b, want)
		}
		scale, bias := numbers(r, n, 1), numbers(r, n, 1)
		if got, want := highest(x), highestPlain(x); got != want {
			t.Fatalf("%d numbers: highest %v, want %v", n, got, want)
		}
		y, z := slices.Clone(x), slices.Clone(x)
		below(y, highest(x), 4)
		belowPlain(z, highest(x), 4)
		if !slices.Equal(y, z) {
			t.Fatalf("%d numbers: below %v, want %v", n, y, z)
		}
		y, z = slices.Clone(x), slices.Clone(x)
		normalize(y, scale, bias, 0.3, 1.7)
		normalizePlain(z, scale, bias, 0.3, 1.7)
		if !slices.Equal(y, z) {
			t.Fatalf("%d numbers: normalized %v, want %v", n, y, z)
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

// kernelOf is the type of multiply.
type kernelOf = func(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32)

// TestProducts compares each kernel with the definition of a product, for each number of rows, also where the last columns
// fill no tile, and for the greatest products that there may be.
func TestProducts(t *testing.T) { //nolint:paralleltest // it replaces the kernel in use
	used := multiply
	defer func() { multiply = used }()
	r := rand.New(rand.NewPCG(5, 6))
	for name, kernel := range kernels() {
		multiply = kernel
		for rows := 1; rows < 20; rows++ {
			for _, size := range [][2]int{{3, 32}, {30, 32}, {32, 70}, {384, 64}} {
				input, out := size[0], size[1]
				var m matrix
				m.reset(input, out)
				for o := range out {
					m.setColumn(o, numbers(r, input, 0.2))
				}
				m.bias = numbers(r, out, 1)
				m.setColumn(out-1, make([]float32, input))
				greatest := slices.Repeat([]float32{2}, input)
				m.setColumn(0, greatest)
				var a active
				a.reset(rows, input)
				a.set(0, greatest)
				for row := 1; row < rows; row++ {
					a.set(row, numbers(r, input, 2))
				}
				gap := out + 3
				got, want := make([]float32, rows*gap), make([]float32, rows*gap)
				a.times(&m, got, gap)
				for row := range rows {
					for o := range out {
						sum := int32(0)
						for i := range input {
							sum += (int32(m.packed[m.at(i, o)]) - offset) * int32(a.codes[row*a.stride+i])
						}
						want[row*gap+o] = float32(float32(sum)*float32(a.scale[row]*m.scale[o])) + m.bias[o]
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %d rows of %d coordinates, %d columns: other products", name, rows, input, out)
				}
			}
		}
	}
}

// TestSums checks that rows which are summed at the same time are summed in their order.
func TestSums(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	const h, rows = 37, 6
	x := numbers(r, rows*h, 100)
	for first := 0; first < rows; first += together {
		four := rowsAt(x, first, h)
		sum := sums(four)
		square := squares(four, [together]float32{1, 2, 3, 4})
		for i := range four {
			row := x[min(first+i, rows-1)*h:][:h]
			one, two := float32(0), float32(0)
			for _, v := range row {
				one += v
				d := v - float32(i+1)
				two += float32(d * d)
			}
			if sum[i] != one || square[i] != two {
				t.Errorf("row %d: %v and %v, want %v and %v", first+i, sum[i], square[i], one, two)
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
	rows := []float32{3, -2, 3, 0, -90, 1, 3, 2, 2, 2}
	softmax(rows, 5, 0.5)
	for i, x := range []float64{3, -2, 3, 0, -90, 1, 3, 2, 2, 2} {
		if want := math.Exp((x - 3) / 2); math.Abs(float64(rows[i])-want) > 1e-5 {
			t.Errorf("exp of %v is %v, want %v", x, rows[i], want)
		}
	}
}
