package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// siege is a crowd of connections, each of which comes back when it is closed.
type siege struct {
	address string
	stop    context.CancelFunc
	all     sync.WaitGroup

	held    atomic.Int64 // open now
	returns atomic.Int64 // closed, and opened again
	refused atomic.Int64 // answered 503, or not taken at all
}

// besiege holds one connection open for as long as the server lets it; connected is
// called once it is as it is to be.
type besiege func(ctx context.Context, conn net.Conn, connected func()) error

// sources are how many addresses the connections come from: each has some 28,000
// ports, many of which wait for a minute after their connection.
const sources = 32

// hands is how many connections are being opened at the same time.
const hands = 64

// lay opens the connections and returns once each was open; they are held until lift.
func lay(ctx context.Context, address string, size crowds) (*siege, error) {
	ctx, stop := context.WithCancel(ctx)
	s := &siege{address: address, stop: stop}
	places := make(chan struct{}, hands)
	var first sync.WaitGroup
	n := 0
	for _, crowd := range []struct {
		size int
		kind besiege
	}{{size.idle, askOnce}, {size.silent, sayNothing}, {size.slow, sayLittle}} {
		for range crowd.size {
			n++
			source := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+n%sources))}
			first.Add(1)
			s.all.Go(func() { s.hold(ctx, source, places, sync.OnceFunc(first.Done), crowd.kind) })
		}
	}
	opened := make(chan struct{})
	go func() { first.Wait(); close(opened) }()
	limit := time.NewTimer(5 * time.Minute)
	defer limit.Stop()
	select {
	case <-opened:
		return s, nil
	case <-ctx.Done():
	case <-limit.C:
	}
	held := s.held.Load()
	s.lift()
	return nil, fmt.Errorf("%d connections of %d could be opened, %d were refused", held, size.all(), s.refused.Load())
}

// lift closes every connection and waits for that.
func (s *siege) lift() {
	s.stop()
	s.all.Wait()
}

// hold keeps one place of the crowd filled until ctx ends.
func (s *siege) hold(ctx context.Context, source net.Addr, places chan struct{}, opened func(), kind besiege) {
	defer opened() // whatever came of it, nobody waits for it any more
	for again := false; ctx.Err() == nil; again = true {
		if again {
			s.returns.Add(1)
		}
		err := s.one(ctx, source, places, opened, kind)
		if err != nil && ctx.Err() == nil {
			s.refused.Add(1)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// one is the life of one connection; its error says that it was not taken.
func (s *siege) one(ctx context.Context, source net.Addr, places chan struct{}, opened func(), kind besiege) error {
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	leave := sync.OnceFunc(func() { <-places })
	defer leave()
	dialer := net.Dialer{LocalAddr: source, Timeout: 30 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // ends whatever waits for it
	defer func() { _ = conn.Close() }()
	s.held.Add(1)
	defer s.held.Add(-1)
	return kind(ctx, conn, func() { leave(); opened() })
}

// askOnce asks whether the server lives, and leaves the connection open.
func askOnce(_ context.Context, conn net.Conn, connected func()) error {
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
	if err != nil {
		return err
	}
	_ = response.Body.Close() // a short one, and the connection is not used again
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return wait(conn, connected)
}

// sayNothing never sends a byte.
func sayNothing(_ context.Context, conn net.Conn, connected func()) error {
	return wait(conn, connected)
}

// wait reads until the server closes; what it says before is a refusal.
func wait(conn net.Conn, connected func()) error {
	connected()
	buffer := make([]byte, 64)
	n, _ := conn.Read(buffer) // how it ends does not matter
	if strings.HasPrefix(string(buffer[:n]), "HTTP/1.1 503") {
		return errors.New("refused")
	}
	return nil
}

// sayLittle sends a request a byte a second.
func sayLittle(ctx context.Context, conn net.Conn, connected func()) error {
	connected()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := 0; ; i++ {
		const head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Slow: "
		b := "a"
		if i < len(head) {
			b = head[i : i+1]
		}
		if _, err := io.WriteString(conn, b); err != nil {
			return nil //nolint:nilerr // closed by the server, as it should be
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
