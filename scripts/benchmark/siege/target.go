package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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

// fromHeader is the header in which clients tell the proxies of this run where they come
// from; all of them come from this machine.
const fromHeader = "X-Siege-From"

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
// ports and certificate, and takes a client's address from fromHeader instead of from the
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
	plain, err := port.Address()
	if err != nil {
		return at, nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return at, nil, err
	}
	var command []string
	switch name {
	case "nginx":
		command, err = nginxCommand(dir, number, plain, api)
	case "caddy":
		command, err = caddyCommand(dir, number, api)
	}
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
	at = newTarget(name, "https://localhost:"+number, fromHeader)
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		r, err := at.client("198.51.100.1").Get(at.url + "/healthz") //nolint:noctx // bounded by the client's timeout
		if err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK {
			return at, stop, nil
		}
	}
	stop()
	return at, nil, fmt.Errorf("%s does not answer: %s", name, said.String())
}

// adapted is a file of deployments/proxies with other words in it, each of which has to be
// there.
func adapted(name string, words ...[2]string) (string, error) {
	text, err := os.ReadFile(filepath.Join(stage.Root(), "deployments", "proxies", name))
	if err != nil {
		return "", err
	}
	out := string(text)
	for _, w := range words {
		if !strings.Contains(out, w[0]) {
			return "", fmt.Errorf("%s has no %q", name, w[0])
		}
		out = strings.ReplaceAll(out, w[0], w[1])
	}
	return out, nil
}

func nginxCommand(dir, number, plain, api string) ([]string, error) {
	if err := certify(dir); err != nil {
		return nil, err
	}
	servers, err := adapted("nginx.conf", [2]string{"127.0.0.1:8080", api}, [2]string{"    listen [::]:80;\n", ""}, [2]string{"    listen [::]:443 ssl http2;\n", ""},
		[2]string{"listen 80;", "listen " + plain + ";"}, [2]string{"listen 443 ssl", "listen 127.0.0.1:" + number + " ssl"},
		[2]string{"/etc/letsencrypt/live/droit.example", dir}, [2]string{"droit.example", "localhost"},
		[2]string{"X-Forwarded-For $remote_addr", "X-Forwarded-For $http_x_siege_from"})
	if err != nil {
		return nil, err
	}
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	path := filepath.Join(dir, "nginx.conf")
	// 768 connections and one process are what Debian's nginx has for each core.
	text := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/pid;\nerror_log stderr crit;\nevents { worker_connections 768; }\nhttp {\naccess_log off;\n%s%s}\n", dir, temporary.String(), servers)
	return []string{"nginx", "-e", "stderr", "-c", path}, os.WriteFile(path, []byte(text), 0o600)
}

func caddyCommand(dir, number, api string) ([]string, error) {
	site, err := adapted("Caddyfile", [2]string{"127.0.0.1:8080", api}, [2]string{"\ndroit.example {\n", "\nhttps://localhost:" + number + " {\n\ttls internal\n"},
		[2]string{"{remote_host}", "{header." + fromHeader + "}"})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "Caddyfile")
	text := "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tstorage file_system " + dir + "\n}\n" + site
	return []string{"caddy", "run", "--config", path, "--adapter", "caddyfile"}, os.WriteFile(path, []byte(text), 0o600)
}

// certify makes the files that the sample of nginx names.
func certify(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	like := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, like, like, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "fullchain.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
		os.WriteFile(filepath.Join(dir, "privkey.pem"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o600))
}
