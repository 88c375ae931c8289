package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/kit/testkit/port"
	"vigueur/internal/web/httpapi/gazettes"
)

// TestProxies puts the samples of deployments/proxies before an API, with names, ports and certificate of their own: an
// answer comes piece by piece through them, over HTTP/2 and HTTP/1.1, 200 MiB go up, and files by parts, the API notices at once when a client
// leaves, and a body that does not come is given up by the proxy while other clients are served. nginx also refuses a client
// that has too many requests in progress. Part of the deep check, where nginx and Caddy are in PATH (Debian's package of
// nginx; Caddy 2.8 or later).
func TestProxies(t *testing.T) {
	if rounds(0, 1) == 0 {
		t.Skip("only with VIGUEUR_TEST_DEEP=1 (scripts/check --deep)")
	}
	c := rehearse(t, stage.Pace{First: 200 * time.Millisecond, Each: 50 * time.Millisecond, Tokens: 60}, func(s *stage.Stage) { s.Set("VIGUEUR_TRUSTED_PROXIES", "127.0.0.0/8") })
	startWorker(t, c.Stage)
	const editor = "redaction@exemple.org"
	if err := c.AddUser(t.Context(), editor, "editor"); err != nil {
		t.Fatal(err)
	}
	for name, words := range words {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(name + " is not installed")
			}
			if name == "caddy" && !boundsBodies(t) {
				t.Skip("this Caddy is older than 2.8")
			}
			address := free(t)
			_, port, err := net.SplitHostPort(address)
			check(t, err)
			dir := t.TempDir()
			command, err := stage.SampleProxy(name, dir, port, strings.TrimPrefix(c.apis[0].URL, "http://"), words...)
			check(t, err)
			behind(t, command)
			through := *c.client
			through.URL = "https://localhost:" + port
			through.HTTP = &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true,
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}}} // its certificate is of the test's making
			t.Cleanup(through.HTTP.CloseIdleConnections)
			await(t, name+" answers", func() bool {
				r, err := through.Send(t.Context(), "GET", "/healthz", nil, nil)
				return err == nil && r.Body.Close() == nil
			})
			older := through
			transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost", NextProtos: []string{"http/1.1"}}}
			older.HTTP = &http.Client{Transport: transport}
			t.Cleanup(transport.CloseIdleConnections)
			for _, reader := range []*stage.Client{&through, &older} {
				c.comesInPieces(t, reader)
				c.isLeft(t, reader)
				c.goesOn(t, reader)
			}
			c.isSlow(t, &through, address)
			if name == "nginx" {
				isCrowd(t, address)
				isLogged(t, &through, stage.AccessLog(dir))
			}
			signed := through
			direct, err := c.ClientOf(t.Context(), c.apis[0], editor)
			check(t, err)
			signed.Token = direct.Token
			goesUp(t, &signed, name)
			goesUpByParts(t, &signed, name)
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func free(t *testing.T) string {
	t.Helper()
	address, err := port.Address()
	check(t, err)
	return address
}

// words are the changes of the samples that let a test wait for less and be a smaller crowd.
var words = map[string][][2]string{
	"nginx": {{"client_body_timeout 10s;", "client_body_timeout 3s;"}, {"limit_conn vigueur_clients 128;", fmt.Sprintf("limit_conn vigueur_clients %d;", crowd)}},
	"caddy": {{"read_timeout 45s", "read_timeout 2s"}},
}

// behind runs a proxy until the test's end.
func behind(t *testing.T, command []string) {
	t.Helper()
	var said bytes.Buffer
	p := exec.Command(command[0], command[1:]...)
	p.Stderr = &said
	p.Env = append(os.Environ(), "HOME="+t.TempDir())
	check(t, p.Start())
	t.Cleanup(func() {
		_ = p.Process.Kill() // it is not needed any more
		_ = p.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", command[0], said.String())
		}
	})
}

// comesInPieces asks a question: what a model writes over three seconds is there as it is written.
func (c *cast) comesInPieces(t *testing.T, through *stage.Client) {
	t.Helper()
	var chunks []time.Time
	a, err := through.Insist(t.Context(), func() string { return through.URL }, "Quel est le préavis d’un cadre ?", func(e stage.Event) {
		if e.Name == "chunk" {
			chunks = append(chunks, e.At)
		}
	})
	if err != nil || a.Text != c.pace.Text() || a.Broken > 0 || len(chunks) < 10 {
		t.Fatalf("%v, %d bytes in %d pieces, broken %d times", err, len(a.Text), len(chunks), a.Broken)
	}
	// Half of the time that it is written over: a proxy that gathers gives all at once.
	if spread, least := chunks[len(chunks)-1].Sub(chunks[0]), c.pace.Each*time.Duration(c.pace.Tokens)/2; spread < least {
		t.Errorf("all pieces came within %v", spread)
	}
}

// isLeft goes away in the middle of an answer; the API says so of the stream.
func (c *cast) isLeft(t *testing.T, through *stage.Client) {
	t.Helper()
	gone := strings.Count(c.apis[0].Log(), `"outcome":"gone"`)
	ctx, leave := context.WithCancel(t.Context())
	_, err := through.Insist(ctx, func() string { return through.URL }, "Quel est le préavis d’un cadre ?", func(e stage.Event) {
		if e.Name == "chunk" {
			leave()
		}
	})
	leave()
	if err == nil {
		t.Error("the answer came to its end")
	}
	await(t, "the API notices that a client left", func() bool { return strings.Count(c.apis[0].Log(), `"outcome":"gone"`) > gone })
}

// goesOn leaves an answer after its first piece and asks for the rest, which takes longer than a body may: a request without
// one is not limited.
func (c *cast) goesOn(t *testing.T, through *stage.Client) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	a, err := through.Insist(ctx, func() string { return through.URL }, "Quel est le préavis d’un cadre ?", func(e stage.Event) {
		if e.Name == "chunk" {
			leave()
		}
	})
	if err == nil || a.Ended {
		t.Fatal("the answer came to its end")
	}
	if err := through.Resume(t.Context(), &a); err != nil || !a.Ended || a.Text != c.pace.Text() {
		t.Errorf("the rest: %v, %d bytes, ended %v", err, len(a.Text), a.Ended)
	}
}

// crowd is how many requests in progress a client may have at the test's nginx.
const crowd = 4

// boundsBodies reports whether the Caddy in PATH can limit the time of a body.
func boundsBodies(t *testing.T) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Caddyfile")
	check(t, os.WriteFile(path, []byte(":80 {\n\trequest_body {\n\t\tread_timeout 1s\n\t}\n}\n"), 0o600))
	return exec.CommandContext(t.Context(), "caddy", "adapt", "--adapter", "caddyfile", "--config", path).Run() == nil
}

// sendSlowly opens a connection to a proxy and sends the beginning of a request whose body never comes whole. client is the
// address that the test's nginx takes it to come from.
func sendSlowly(t *testing.T, address, client string) *tls.Conn {
	t.Helper()
	conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"})
	check(t, err)
	t.Cleanup(func() { _ = conn.Close() }) // the proxy may have closed it
	check(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(conn, "POST /api/v1/auth/login HTTP/1.1\r\nHost: %s\r\n"+stage.ClientHeader+": %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		strings.Replace(address, "127.0.0.1", "localhost", 1), client)
	check(t, err)
	return conn
}

// isLogged checks that the proxy's log has the address of a shared conversation, and not what opens it.
func isLogged(t *testing.T, c *stage.Client, log string) {
	t.Helper()
	const token = "ouvre-la-conversation"
	if r, err := c.Send(t.Context(), "GET", "/api/v1/shared/"+token, nil, nil); err == nil {
		_ = r.Body.Close()
		t.Fatal("a link that nobody made opens something")
	}
	var text []byte
	var err error
	await(t, "the request is logged", func() bool {
		text, err = os.ReadFile(log)
		return err == nil && strings.Contains(string(text), "/api/v1/shared/")
	})
	if strings.Contains(string(text), token) {
		t.Errorf("the log has the token: %s", text)
	}
}

// isSlow checks that the proxy gives up a body that does not come, before the API does, and serves others meanwhile.
func (c *cast) isSlow(t *testing.T, through *stage.Client, address string) {
	t.Helper()
	const overtime = `"status":408` // of the API
	before := strings.Count(c.apis[0].Log(), overtime)
	slow := sendSlowly(t, address, "203.0.113.7")
	r, err := through.Send(t.Context(), "GET", "/healthz", nil, nil)
	check(t, err)
	check(t, r.Body.Close())
	if r.StatusCode != http.StatusOK {
		t.Errorf("beside a slow client another gets HTTP %d", r.StatusCode)
	}
	said, err := io.ReadAll(slow)
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		t.Fatal("a slow body is waited for")
	}
	if got := strings.Count(c.apis[0].Log(), overtime); got > before {
		t.Errorf("the API had to end the slow body itself: %s", said)
	}
}

// isCrowd checks that nginx refuses a client, which is an IPv4 address or an IPv6 /64, a request beyond those it may have, and
// no other client.
func isCrowd(t *testing.T, address string) {
	t.Helper()
	for _, of := range []struct{ each, more, other string }{
		{"203.0.113.8", "203.0.113.8", "203.0.113.9"}, {"2001:db8:0:a::%d", "2001:db8:0:a:ffff::1", "2001:db8:0:b::1"},
	} {
		for n := range crowd {
			client := of.each
			if strings.Contains(client, "%d") {
				client = fmt.Sprintf(client, n+1)
			}
			sendSlowly(t, address, client)
		}
		await(t, "nginx refuses "+of.more, func() bool { return health(t, address, of.more) == http.StatusTooManyRequests })
		if status := health(t, address, of.other); status != http.StatusOK {
			t.Errorf("beside the crowd of %s, %s gets HTTP %d", of.more, of.other, status)
		}
	}
}

// health is the status of a request of a client over a connection of its own.
func health(t *testing.T, address, client string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+"/healthz", http.NoBody)
	check(t, err)
	request.Header.Set(stage.ClientHeader, client)
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}}
	r, err := (&http.Client{Transport: transport}).Do(request)
	check(t, err)
	check(t, r.Body.Close())
	return r.StatusCode
}

// goesUp sends a file of 200 MiB, which begins as a PDF does.
func goesUp(t *testing.T, c *stage.Client, name string) {
	t.Helper()
	const size = 200 << 20
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	_, err := form.CreateFormFile("file", name+".pdf")
	check(t, err)
	head.WriteString("%PDF-1.7\n%" + name + "\n")
	end := "\r\n--" + form.Boundary() + "--\r\n"
	length := int64(head.Len() + size + len(end))
	body := io.MultiReader(&head, io.LimitReader(zeros{}, size), strings.NewReader(end))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+"/api/v1/admin/documents", body)
	check(t, err)
	req.ContentLength = length
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+c.Token)
	r, err := c.HTTP.Do(req)
	check(t, err)
	said, err := io.ReadAll(r.Body)
	check(t, err)
	check(t, r.Body.Close())
	if r.StatusCode != http.StatusAccepted {
		t.Errorf("HTTP %d: %s", r.StatusCode, said)
	}
}

// goesUpByParts sends the first part of a file, as large as « ingest add » makes them.
func goesUpByParts(t *testing.T, c *stage.Client, name string) {
	t.Helper()
	const part = 4 << 20
	send := func(method, address string, body io.Reader, status int, headers ...string) http.Header {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, c.URL+address, body)
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+c.Token)
		req.Header.Set("Tus-Resumable", "1.0.0")
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		r, err := c.HTTP.Do(req)
		check(t, err)
		said, err := io.ReadAll(r.Body)
		check(t, err)
		check(t, r.Body.Close())
		if r.StatusCode != status {
			t.Fatalf("%s %s: HTTP %d: %s", method, address, r.StatusCode, said)
		}
		return r.Header
	}
	hash := sha256.Sum256([]byte(name)) // of no file: the rest is never sent
	begun := send(http.MethodPost, gazettes.PartsRoute, http.NoBody, http.StatusCreated, "Upload-Length", fmt.Sprint(2*part),
		"Upload-Metadata", fmt.Sprintf("filename %s,sha256 %s", base64.StdEncoding.EncodeToString([]byte(name+".pdf")), base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(hash[:])))))
	first := io.MultiReader(strings.NewReader("%PDF-1.7\n"), io.LimitReader(zeros{}, part-9))
	after := send(http.MethodPatch, begun.Get("Location"), first, http.StatusNoContent, "Upload-Offset", "0", "Content-Type", "application/offset+octet-stream")
	if got := after.Get("Upload-Offset"); got != fmt.Sprint(part) {
		t.Errorf("%s bytes of the part arrived", got)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
