//go:build !amd64

package transformer

// tile is the kernel of processors that have none of their own.
var tile = tilePlain
