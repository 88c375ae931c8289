package transformer

import "golang.org/x/sys/cpu"

// kernels returns all kernels that this processor supports, by name.
func kernels() map[string]kernelOf {
	all := map[string]kernelOf{"in use": multiply, "plain": multiplyPlain}
	if cpu.X86.HasAVX2 {
		all["AVX2"] = multiplyAVX2
	}
	return all
}
