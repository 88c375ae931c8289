//go:build !amd64

package transformer

func kernels() map[string]kernelOf {
	return map[string]kernelOf{"in use": multiply, "plain": multiplyPlain}
}
