//go:build !amd64

package transformer

// tile is the kernel for processors without an assembly kernel.
var tile = tilePlain

// Accelerated reports whether this processor has a kernel that is fast enough to read articles
// while somebody waits for the answer.
func Accelerated() bool { return false }

// restored is nil: this processor has no such kernel.
var restored func(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32)
