package transformer

import "golang.org/x/sys/cpu"

// kernels returns all kernels that this processor supports, by name.
func kernels() map[string]func(c *products, w []uint8, a []int8, stride, n int) {
	all := map[string]func(c *products, w []uint8, a []int8, stride, n int){"in use": tile}
	if cpu.X86.HasAVX2 {
		all["AVX2"] = tileAVX2
	}
	return all
}
