package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/kit/testkit/port"
)

// target is what is attacked: the API, as behind a proxy that passes everything on, or a
// proxy with the sample of deployments/proxies.
type target struct {
	name   string
	url    string
	header string // in which the address of a client is sent; a proxy of this run believes it
	tls    bool

	clients *sync.Map // http.Client by address
}

func newTarget(name, url, header string) target {
	return target{name: name, url: url, header: header, tls: strings.HasPrefix(url, "https"), clients: new(sync.Map)}
}

// source is the address of 127.0.0.0/8 from which a client with this address dials.
func source(from string) string {
	h := fnv.New32()
	_, _ = h.Write([]byte(from)) // never fails
	sum := h.Sum32()
	return fmt.Sprintf("127.%d.%d.%d", 1+sum>>16%200, sum>>8&0xff, 1+sum&0x7f)
}

// believed adds a client's address to its requests.
type believed struct {
	next         http.RoundTripper
	header, from string
}

func (b believed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(b.header, b.from)
	return b.next.RoundTrip(r)
}

func (b believed) CloseIdleConnections() {
	if t, ok := b.next.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

func (t target) transport(from string) http.RoundTripper {
	return believed{&http.Transport{DialContext: dialFrom(source(from)), MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}}, t.header, from} //nolint:gosec // the certificate is of the run's making
}

// client is the HTTP client of an address; those of the many networks of one attacker share
// their connections.
func (t target) client(from string) *http.Client {
	dials := from
	if strings.Contains(from, ":") {
		dials = attacker
	}
	shared, _ := t.clients.LoadOrStore(dials, t.transport(dials))
	b, _ := shared.(believed)
	b.from = from
	return &http.Client{Transport: b, Timeout: 30 * time.Second}
}

// dial opens a connection of the attacker.
func (t target) dial(ctx context.Context) (net.Conn, error) {
	u, err := url.Parse(t.url)
	if err != nil {
		return nil, err
	}
	conn, err := dialFrom(source(attacker))(ctx, "tcp", u.Host)
	if err != nil || !t.tls {
		return conn, err
	}
	secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, ServerName: "localhost", NextProtos: []string{"http/1.1"}}) //nolint:gosec // see transport
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, nil
}

// behind starts a proxy with its sample in front of an API. The sample is changed in names,
// ports and certificate, and takes a client's address from stage.ClientHeader instead of from the
// connection. stop ends it.
func behind(ctx context.Context, name, dir, api string) (at target, stop func(), err error) {
	address, err := port.Address()
	if err != nil {
		return at, nil, err
	}
	_, number, err := net.SplitHostPort(address)
	if err != nil {
		return at, nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return at, nil, err
	}
	var words [][2]string
	if name == "caddy" { // nginx knows the header as it is
		words = [][2]string{{"{remote_host}", "{header." + stage.ClientHeader + "}"}}
	}
	command, err := stage.SampleProxy(name, dir, number, api, words...)
	if err != nil {
		return at, nil, err
	}
	var said bytes.Buffer
	p := exec.CommandContext(ctx, command[0], command[1:]...)
	p.Stderr, p.Env = &said, append(os.Environ(), "HOME="+dir)
	if err := p.Start(); err != nil {
		return at, nil, err
	}
	stop = func() {
		_ = p.Process.Kill() // it is not needed any more
		_ = p.Wait()
	}
	at = newTarget(name, "https://localhost:"+number, stage.ClientHeader)
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		r, err := at.client("198.51.100.1").Get(at.url + "/healthz") //nolint:noctx // bounded by the client's timeout
		if err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK {
			return at, stop, nil
		}
	}
	stop()
	return at, nil, fmt.Errorf("%s does not answer: %s", name, said.String())
}
