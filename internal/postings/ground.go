package postings

import "unsafe"

// ground is mapped memory that values are laid into, one behind the other.
type ground struct {
	bytes []byte
	at    int
}

// extent is how many bytes values take, so that whatever is laid behind them stands where it may.
func extent[T any](values []T) int {
	const step = 8
	return (len(values)*int(unsafe.Sizeof(*new(T))) + step - 1) / step * step
}

// lay copies values, which hold no pointers, and gives them as they lie there.
func lay[T any](g *ground, values []T) []T {
	if len(values) == 0 {
		return nil
	}
	out := unsafe.Slice((*T)(unsafe.Pointer(&g.bytes[g.at])), len(values)) //nolint:gosec // extent made it long enough, and the system maps at pages
	copy(out, values)
	g.at += extent(values)
	return out
}
