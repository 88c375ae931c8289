//go:build !amd64

package transformer

func kernels() map[string]func(c *products, w []uint8, a []int8, stride, n int) {
	return map[string]func(c *products, w []uint8, a []int8, stride, n int){"in use": tile}
}
