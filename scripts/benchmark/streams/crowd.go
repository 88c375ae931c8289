package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/e2e/stage"
	"vigueur/internal/store/relay"
	"vigueur/scripts/benchmark/report"
)

// waiting makes answers that wait, and no worker will take up.
func waiting(ctx context.Context, s *stage.Stage, n int) (ids []uuid.UUID, err error) {
	err = s.Query(ctx, fmt.Sprintf(`WITH asker AS (SELECT id FROM users LIMIT 1),
		threads AS (
			INSERT INTO conversations (id, user_id, title, message_count, last_message_at)
			SELECT gen_random_uuid(), asker.id, 'Essai', 2, now() - i * interval '1 second' FROM asker, generate_series(1, %d) i RETURNING id),
		answers AS (
			INSERT INTO messages (id, conversation_id, position, role, state, lease_until)
			SELECT gen_random_uuid(), id, 1, 'assistant', 'queued', 'infinity' FROM threads RETURNING id)
		SELECT array_agg(id) FROM answers`, n), &ids)
	return ids, err
}

// crowd are clients, each a connection and what its reader needs at the least.
type crowd struct {
	address string
	conns   []net.Conn
	readers sync.WaitGroup
	events  atomic.Int64
}

// add sends a request and returns when the head of its answer has come.
func (c *crowd) add(request string) error {
	conn, err := net.Dial("tcp", c.address)
	if err != nil {
		return err
	}
	c.conns = append(c.conns, conn)
	if _, err := conn.Write([]byte(request)); err != nil {
		return err
	}
	in := bufio.NewReaderSize(conn, 512)
	status, err := in.ReadString('\n')
	if err != nil || !strings.Contains(status, " 200 ") {
		return fmt.Errorf("%q: %w", status, err)
	}
	c.readers.Go(func() {
		buffer := make([]byte, 512)
		for {
			n, err := in.Read(buffer)
			if err != nil {
				return // closed below, or by the server
			}
			c.events.Add(int64(bytes.Count(buffer[:n], []byte("\nevent: "))))
		}
	})
	return nil
}

// close ends them all; it may be called twice.
func (c *crowd) close() {
	for _, conn := range c.conns {
		_ = conn.Close() // its reader ends
	}
	c.readers.Wait()
	c.conns = nil
}

// events publishes 20 events a second for each answer, as far as that goes, and
// gives how many a second the clients have got and the API's CPU for one, in µs.
func events(ctx context.Context, s *stage.Stage, pid int, c *crowd, ids []uuid.UUID) (rate, cost float64, err error) {
	ctx, stop := context.WithCancel(ctx)
	writer, err := relay.Open(s.Redis.URL(), slog.New(slog.DiscardHandler))
	if err != nil {
		stop()
		return 0, 0, err
	}
	var tasks sync.WaitGroup
	tasks.Go(func() { _ = writer.Run(ctx) }) // it ends with ctx
	defer tasks.Wait()
	defer stop()
	before, err := report.CPU(pid)
	if err != nil {
		return 0, 0, err
	}
	const span, each = 10 * time.Second, 50 * time.Millisecond
	began := time.Now()
	var writers sync.WaitGroup
	const hands = 64
	for w := range hands {
		writers.Go(func() {
			var pubs []*relay.Publisher
			for i := w; i < len(ids); i += hands {
				pubs = append(pubs, writer.Publisher(ctx, ids[i], 1))
			}
			tick := time.NewTicker(each)
			defer tick.Stop()
			for time.Since(began) < span {
				<-tick.C
				for _, p := range pubs {
					p.Text(ctx, "préavis ")
				}
			}
		})
	}
	writers.Wait()
	after, err := report.CPU(pid)
	if err != nil {
		return 0, 0, err
	}
	got := float64(c.events.Load())
	if got == 0 {
		return 0, 0, fmt.Errorf("no event has come")
	}
	return got / time.Since(began).Seconds(), float64((after - before).Microseconds()) / got, nil
}

// beside measures the same of net/http, in a process of its own.
func beside(ctx context.Context, streams int) (float64, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, os.Args[0], "-peer", address)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // its end is our doing
	}()
	open := crowd{address: address}
	defer open.close()
	const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for limit := time.Now().Add(10 * time.Second); open.add(request) != nil; {
		if time.Now().After(limit) {
			return 0, fmt.Errorf("the net/http server does not answer at %s", address)
		}
	}
	return memory(cmd.Process.Pid, streams, func(int) error { return open.add(request) })
}

// serve is the peer: event streams by net/http with a keep-alive every 10 s.
func serve(address string) error {
	server := &http.Server{Addr: address, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		out := http.NewResponseController(w)
		for tick := time.NewTicker(10 * time.Second); out.Flush() == nil; {
			select {
			case <-tick.C:
				fmt.Fprint(w, ": keep-alive\n\n")
			case <-r.Context().Done():
				tick.Stop()
				return
			}
		}
	})}
	return server.ListenAndServe()
}
