//go:build !amd64

package transformer

// tile is the kernel for processors without an assembly kernel.
var tile = tilePlain
