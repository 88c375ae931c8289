// Package hangup notices when the client of a connection hangs up while the server has nothing to read from it.
package hangup

import (
	"io"
	"net"
	"sync"
	"time"
)

// Watch closes gone when the client closes its side of the connection, which a server that only writes would notice
// at the third write. unwatch ends the watch; it must be called before the connection is closed or used otherwise. It
// reports whether anything that the client sent is lost: a goroutine reads, and drops what comes although the client
// waits for an answer.
func Watch(conn net.Conn) (gone <-chan struct{}, unwatch func() (lost bool)) {
	sent := false
	left, done := make(chan struct{}), make(chan struct{})
	_ = conn.SetReadDeadline(time.Time{}) // the request's deadline is still set; on a closed connection Read fails
	go func() {
		defer close(done)
		n, _ := conn.Read(make([]byte, 1))
		if sent = n > 0; sent {
			_, _ = io.Copy(io.Discard, conn) // its end is that of the client, too
		}
		close(left)
	}()
	return left, sync.OnceValue(func() bool {
		_ = conn.SetReadDeadline(time.Unix(1, 0)) // ends the Read
		<-done
		return sent
	})
}
