package idp

import (
	"errors"
	"io"
	"sync/atomic"
)

// bounded is the body of a reply, limited in size; it counts failed reads in troubles.
type bounded struct {
	io.ReadCloser
	left     int64
	troubles *atomic.Int64
}

var errLong = errors.New("idp: the provider's reply is too long")

// Read implements io.Reader; a body that is too long or truncated is an error.
func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		b.troubles.Add(1)
		return 0, errLong
	}
	if int64(len(into)) > b.left {
		into = into[:b.left]
	}
	n, err := b.ReadCloser.Read(into)
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.troubles.Add(1)
	}
	return n, err
}
