package postings

import "unsafe"

// arena allocates values one after another in mapped memory.
type arena struct {
	bytes []byte
	at    int
}

// extent returns the number of bytes that values take, rounded up so that whatever
// follows them is aligned.
func extent[T any](values []T) int {
	const step = 8
	return (len(values)*int(unsafe.Sizeof(*new(T))) + step - 1) / step * step
}

// place copies values, which must hold no pointers, into g and returns the copy.
func place[T any](g *arena, values []T) []T {
	if len(values) == 0 {
		return nil
	}
	out := unsafe.Slice((*T)(unsafe.Pointer(&g.bytes[g.at])), len(values)) //nolint:gosec // extent reserved the size, and mappings begin at a page
	copy(out, values)
	g.at += extent(values)
	return out
}
