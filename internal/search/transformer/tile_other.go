//go:build !amd64

package transformer

// Accelerated reports whether this processor has a kernel that is fast enough to read articles
// while somebody waits for the answer.
func Accelerated() bool { return false }

var multiply = multiplyPlain
