package notify

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// mailServer is a minimal SMTP server. Its fields configure it and are set before start.
type mailServer struct {
	startTLS bool
	implicit bool
	password string            // if set, clients must log in as « vigueur » with it
	refuse   map[string]string // replies to commands, instead of 250
	hang     string            // command that is never answered
	leave    bool              // disconnects as soon as a message is accepted

	address  string
	roots    *x509.CertPool
	config   *tls.Config
	messages chan taken    // accepted messages
	hung     chan struct{} // receives when a command hangs

	mu   sync.Mutex
	open []net.Conn
	all  sync.WaitGroup
}

// taken is a message with its envelope.
type taken struct {
	from string
	to   []string
	data string
	tls  bool
}

func (s *mailServer) start(t *testing.T) *mailServer {
	t.Helper()
	s.messages, s.hung = make(chan taken, 16), make(chan struct{}, 16)
	s.certify(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	s.address = ln.Addr().String()
	s.all.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, conn)
			s.mu.Unlock()
			s.all.Go(func() { s.talk(conn) })
		}
	})
	t.Cleanup(func() {
		_ = ln.Close()
		s.mu.Lock()
		for _, c := range s.open {
			_ = c.Close()
		}
		s.mu.Unlock()
		s.all.Wait()
	})
	return s
}

// certify creates a certificate for 127.0.0.1.
func (s *mailServer) certify(t *testing.T) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ok(t, err)
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	ok(t, err)
	parsed, err := x509.ParseCertificate(der)
	ok(t, err)
	s.roots = x509.NewCertPool()
	s.roots.AddCert(parsed)
	s.config = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// transport trusts the server's certificate.
func (s *mailServer) transport(t *testing.T, scheme, user, options string) *SMTP {
	t.Helper()
	smtp, err := NewSMTP(scheme + "://" + user + s.address + options)
	ok(t, err)
	smtp.roots = s.roots
	return smtp
}

// session is one connection.
type session struct {
	*mailServer
	conn net.Conn
	in   *bufio.Reader
	mail taken
}

func (s *mailServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	c := &session{mailServer: s, conn: conn}
	if s.implicit {
		c.encrypt()
	} else {
		c.in = bufio.NewReader(conn)
	}
	c.say("220 fake")
	for {
		line, err := c.in.ReadString('\n')
		if err != nil || !c.obey(strings.TrimSpace(line)) {
			return
		}
	}
}

func (c *session) encrypt() {
	c.conn = tls.Server(c.conn, c.config)
	c.in = bufio.NewReader(c.conn)
	c.mail.tls = true
}

func (c *session) say(lines ...string) {
	for _, l := range lines {
		_, _ = fmt.Fprintf(c.conn, "%s\r\n", l)
	}
}

// obey replies to a command; false ends the connection.
func (c *session) obey(line string) bool {
	command, _, _ := strings.Cut(strings.ToUpper(line), " ")
	if command == c.hang {
		c.hung <- struct{}{}
		_, _ = c.in.ReadString(0) // returns when the client gives up
		return false
	}
	if answer := c.refuse[command]; answer != "" {
		c.say(answer)
		return true
	}
	switch command {
	case "EHLO":
		c.greet()
	case "STARTTLS":
		c.say("220 go")
		c.encrypt()
	case "AUTH":
		c.authenticate(line)
	case "MAIL":
		c.mail.from = line
		c.say("250 ok")
	case "RCPT":
		c.mail.to = append(c.mail.to, line)
		c.say("250 ok")
	case "DATA":
		return c.take()
	case "QUIT":
		c.say("221 bye")
		return false
	default:
		c.say("250 ok")
	}
	return true
}

func (c *session) greet() {
	c.say("250-fake")
	if c.startTLS && !c.mail.tls {
		c.say("250-STARTTLS")
	}
	if c.password != "" {
		c.say("250-AUTH PLAIN LOGIN")
	}
	c.say("250 ENHANCEDSTATUSCODES")
}

func (c *session) authenticate(line string) {
	want := base64.StdEncoding.EncodeToString([]byte("\x00vigueur\x00" + c.password))
	if strings.HasSuffix(line, " "+want) {
		c.say("235 2.7.0 welcome")
		return
	}
	c.say("535 5.7.8 bad credentials")
}

func (c *session) take() bool {
	c.say("354 go on")
	var b strings.Builder
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		b.WriteString(strings.TrimPrefix(line, "."))
	}
	if answer := c.refuse["."]; answer != "" {
		c.say(answer)
		return true
	}
	c.mail.data = b.String()
	c.messages <- c.mail
	c.say("250 2.0.0 taken")
	return !c.leave
}

// receive returns the next message.
func (s *mailServer) receive(t *testing.T) taken {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case m := <-s.messages:
		return m
	case <-ctx.Done():
		t.Fatal("no message came")
		return taken{}
	}
}
