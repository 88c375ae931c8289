package blobs

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// silence is how long a connection may transfer no byte. A deadline for the whole transfer
// would fail for large files on slow lines, and without any deadline a transfer might never
// end.
const silence = 30 * time.Second

// dial is a function that opens a connection to an address, as net.Dialer does.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// transport returns the HTTP transport for the server of a bucket.
func transport(secure bool) *http.Transport {
	return newTransport(secure, (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext)
}

// newTransport returns a transport whose connections come from open and fail after silence.
func newTransport(secure bool, open dial) *http.Transport {
	t, err := minio.DefaultTransport(secure)
	if err != nil { // the environment names an invalid file of certificates
		t = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := open(ctx, network, address)
		if err != nil {
			return nil, err //nolint:wrapcheck // the client's error contains what it dialed
		}
		return &watchedConn{conn}, nil
	}
	t.ResponseHeaderTimeout = silence
	t.IdleConnTimeout = silence / 2 // close idle connections before silence would make them fail
	return t
}

// watchedConn is a connection that fails if no byte was transferred for silence.
type watchedConn struct{ net.Conn }

func (c *watchedConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err //nolint:wrapcheck // a connection in between
	}
	return c.Conn.Read(p) //nolint:wrapcheck // a connection in between
}

func (c *watchedConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return 0, err //nolint:wrapcheck // a connection in between
	}
	return c.Conn.Write(p) //nolint:wrapcheck // a connection in between
}
