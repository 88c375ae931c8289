package learn

import (
	"math"
	"runtime"
	"sync"
)

// inBlocks shares the numbers below n among the cores. What do makes of a number
// may not depend on the block it came in.
func inBlocks(n int, do func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n)
	if parts < 2 || n < 16 {
		if n > 0 {
			do(0, n)
		}
		return
	}
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() { do(n*p/parts, n*(p+1)/parts) })
	}
	all.Wait()
}

// dot is the product of two vectors of one length. The conversions keep the
// compiler from fusing operations on machines that could.
func dot(a, b []float32) float32 {
	var w, x, y, z float32
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		w += float32(a[0] * b[0])
		x += float32(a[1] * b[1])
		y += float32(a[2] * b[2])
		z += float32(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		w += float32(a[i] * b[i])
	}
	return (w + x) + (y + z)
}

// addTo adds by times v to sum.
func addTo(sum, v []float32, by float32) {
	v = v[:len(sum)]
	for len(sum) >= 4 && len(v) >= 4 {
		sum[0] += float32(by * v[0])
		sum[1] += float32(by * v[1])
		sum[2] += float32(by * v[2])
		sum[3] += float32(by * v[3])
		sum, v = sum[4:], v[4:]
	}
	for i := range sum {
		sum[i] += float32(by * v[i])
	}
}

// dots are the products of a with four vectors at once, each read as far as a is
// long.
func dots(a, p, q, r, s []float32) (w, x, y, z float32) {
	p, q, r, s = p[:len(a)], q[:len(a)], r[:len(a)], s[:len(a)]
	for i, v := range a {
		w += float32(v * p[i])
		x += float32(v * q[i])
		y += float32(v * r[i])
		z += float32(v * s[i])
	}
	return w, x, y, z
}

// unit brings v to length 1 and tells how long it was; what has no length stays.
func unit(v []float32) float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	length := math.Sqrt(sum)
	if length == 0 {
		return 0
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return float32(length)
}
