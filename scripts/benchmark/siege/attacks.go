package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attacker is where all attacks come from: one address, and for sign-ins one IPv6 /48.
const attacker = "203.0.113.66"

// attack is one way in which a single client tries to stop the service.
type attack struct {
	name    string
	workers int
	// run does one attempt after the other until ctx ends.
	run func(ctx context.Context, w *warfare, worker int)
}

// warfare is what attacks have: a target, and an ordinary account with a long history.
type warfare struct {
	Name, URL, Header string // of the target
	Email, Secret     string // of the account
	Token             string // of a session of it
	Whole             string // path of a long conversation
	Page              string // public path of a text
	Attacks           []string

	at       target
	attempts atomic.Int64
}

var attacks = []attack{
	{"slow_bodies", 1500, func(ctx context.Context, w *warfare, _ int) {
		w.drip(ctx, "/api/v1/auth/login", 100, 0)
	}},
	{"large_bodies", 256, func(ctx context.Context, w *warfare, _ int) {
		w.drip(ctx, "/api/v1/auth/login", 4<<20, 900<<10)
	}},
	{"made_up_sign_ins", 48, func(ctx context.Context, w *warfare, worker int) {
		from := fmt.Sprintf("2001:db8:66:%x::1", rand.IntN(1<<16))
		w.post(ctx, w.at.client(from), "/api/v1/auth/login", fmt.Sprintf(`{"email":"x%d-%d@example.org","password":"mot de passe"}`, worker, rand.Int64()))
	}},
	{"right_sign_ins", 24, func(ctx context.Context, w *warfare, worker int) {
		if worker%2 == 0 {
			w.post(ctx, w.at.client(attacker), "/api/v1/auth/login", fmt.Sprintf(`{"email":%q,"password":%q}`, w.Email, w.Secret))
			return
		}
		w.get(ctx, "/api/v1/admin/users")
	}},
	{"long_reads", 32, func(ctx context.Context, w *warfare, worker int) {
		if worker%2 == 0 {
			w.get(ctx, "/api/v1/conversations?q=introuvable")
			return
		}
		w.get(ctx, w.Whole)
	}},
	{"heavy_turns", 18, func(ctx context.Context, w *warfare, _ int) { // and gone before the answer
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		w.post(ctx, w.at.client(attacker), "/v1/chat/completions", heavyTurns())
	}},
	{"faulty_bodies", 64, func(ctx context.Context, w *warfare, worker int) {
		if worker%2 == 0 {
			w.post(ctx, w.at.client(attacker), "/api/v1/chat-rag/stream", faultyBody())
			return
		}
		w.post(ctx, w.at.client(attacker), "/api/v1/guest/questions", faultyGuest())
	}},
	{"open_quotations", 8, func(ctx context.Context, w *warfare, _ int) {
		w.post(ctx, w.at.client(attacker), "/api/v1/verify", openQuotations())
	}},
	{"dripped_files", 24, func(ctx context.Context, w *warfare, _ int) {
		w.drip(ctx, "/api/v1/verify", 10<<20, 0)
	}},
	{"days", 64, func(ctx context.Context, w *warfare, _ int) {
		day := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rand.IntN(40*365)).Format(time.DateOnly)
		w.get(ctx, w.Page+"/fra@"+day+"?format="+[]string{"pdf", "docx"}[rand.IntN(2)])
	}},
}

// The bodies of attacks, made once.
var (
	heavyTurns = sync.OnceValue(func() string {
		return `{"messages":[{"role":"user","content":"Quel est le préavis ?"},{"role":"assistant","content":"` + strings.Repeat("art. 5, loi n° 2010-05, ", 238_000/26) +
			`"},{"role":"user","content":"Et cet article ?"}]}`
	})
	manyFields = sync.OnceValue(func() string {
		var b strings.Builder
		for i := range 85_000 {
			fmt.Fprintf(&b, `,"x%d":1`, i)
		}
		return b.String()
	})
	faultyBody     = sync.OnceValue(func() string { return `{"question":"Combien ?","filters":{"country":1` + manyFields() + `}}` })
	faultyGuest    = sync.OnceValue(func() string { return `{"question":"Combien ?"` + manyFields() + `}` })
	openQuotations = sync.OnceValue(func() string { return `{"text":"` + strings.Repeat("« ", 249_000) + `"}` })
)

// wage starts attacks in a process of their own, until the returned function is called, which
// returns how many attempts there were. The process has the lowest priority: besiegers have
// machines of their own, and must not measure how two programs share this one.
func (w *warfare) wage(ctx context.Context, names []string) (stop func() (int64, error), err error) {
	if len(names) == 0 {
		return func() (int64, error) { return 0, nil }, nil
	}
	orders := warfare{Name: w.Name, URL: w.URL, Header: w.Header, Email: w.Email, Secret: w.Secret, Token: w.Token, Whole: w.Whole, Page: w.Page, Attacks: names}
	told, err := json.Marshal(&orders) //nolint:gosec // the password of this run's own account
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	child := exec.CommandContext(ctx, "nice", "-n", "19", self, "-wage", string(told))
	child.Stdout, child.Stderr = &said, os.Stderr
	hold, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	return func() (attempts int64, err error) {
		if err := errors.Join(hold.Close(), child.Wait()); err != nil {
			return 0, err
		}
		return strconv.ParseInt(strings.TrimSpace(said.String()), 10, 64)
	}, nil
}

// obey is the process of wage: it attacks until its standard input ends, and prints the
// number of attempts.
func obey(ctx context.Context, orders string) error {
	var w warfare
	if err := json.Unmarshal([]byte(orders), &w); err != nil {
		return err
	}
	openFiles(8000)
	w.at = newTarget(w.Name, w.URL, w.Header)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for _, a := range attacks {
		if !slices.Contains(w.Attacks, a.name) {
			continue
		}
		for worker := range a.workers {
			all.Go(func() {
				for ctx.Err() == nil {
					w.attempts.Add(1)
					a.run(ctx, &w, worker)
				}
			})
		}
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	cancel()
	all.Wait()
	_, printed := fmt.Println(w.attempts.Load())
	return errors.Join(err, printed)
}

// again is how long an attacker waits after it was refused.
const again = 100 * time.Millisecond

func rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(again):
	}
}

// drip sends the head of a POST request, so many bytes of its body at once, and then a byte
// every half second until the server ends it.
func (w *warfare) drip(ctx context.Context, path string, length, atOnce int) {
	conn, err := w.at.dial(ctx)
	if err != nil {
		rest(ctx)
		return
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // ends whatever waits for it
	defer func() { _ = conn.Close() }()
	head, begun := "Content-Type: application/json\r\n", "{"
	if strings.HasSuffix(path, "/verify") {
		head = "Content-Type: multipart/form-data; boundary=x\r\nAuthorization: Bearer " + w.Token + "\r\n"
		begun = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
	}
	if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\n%sContent-Length: %d\r\n\r\n%s", path, w.at.header, attacker, head, length, begun); err != nil {
		rest(ctx)
		return
	}
	if _, err := io.CopyN(conn, blank{}, int64(atOnce)); err != nil {
		rest(ctx)
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if r, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil); err == nil {
			_ = r.Body.Close() // a refusal
		}
	}()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if _, err := io.WriteString(conn, " "); err != nil {
				_ = conn.Close() // ends the reader
				<-ended
				return
			}
		case <-ended:
			rest(ctx)
			return
		case <-ctx.Done():
			_ = conn.Close()
			<-ended
			return
		}
	}
}

// blank is an endless body of blanks.
type blank struct{}

func (blank) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func (w *warfare) post(ctx context.Context, client *http.Client, path, body string) {
	r, err := http.NewRequestWithContext(ctx, "POST", w.at.url+path, strings.NewReader(body))
	if err != nil {
		return
	}
	r.Header.Set("Content-Type", "application/json")
	if !strings.HasPrefix(path, "/api/v1/auth/") && !strings.HasPrefix(path, "/api/v1/guest/") {
		r.Header.Set("Authorization", "Bearer "+w.Token)
	}
	w.send(ctx, client, r)
}

func (w *warfare) get(ctx context.Context, path string) {
	r, err := http.NewRequestWithContext(ctx, "GET", w.at.url+path, http.NoBody)
	if err != nil {
		return
	}
	r.Header.Set("Authorization", "Bearer "+w.Token)
	w.send(ctx, w.at.client(attacker), r)
}

// send reads an answer to its end; after a refusal it rests.
func (w *warfare) send(ctx context.Context, client *http.Client, r *http.Request) {
	answer, err := client.Do(r)
	if err != nil {
		rest(ctx)
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body) // what it says does not matter
	_ = answer.Body.Close()
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= http.StatusInternalServerError {
		rest(ctx)
	}
}

// dialFrom opens connections from an address of 127.0.0.0/8 of the client's own, which a
// proxy counts by.
func dialFrom(source string) func(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source)}, Timeout: 30 * time.Second}
	return dialer.DialContext
}
