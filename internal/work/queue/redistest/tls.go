package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// password is the password of a server with TLS.
const password = "un-mot-de-passe" //nolint:gosec // the server runs only during a test

// NewTLS starts a Redis that accepts only TLS and requires a password, which its address
// contains. Nothing has signed its certificate.
func NewTLS(t testing.TB) *Server {
	t.Helper()
	dir := t.TempDir()
	crt, key := filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")
	certify(t, crt, key)
	return begin(t, &Server{dir: dir, tls: true, query: longWait + "&skip_verify=true",
		flags: func(port int) []string {
			return []string{"--port", "0", "--tls-port", strconv.Itoa(port), "--requirepass", password, "--tls-auth-clients", "no",
				"--tls-cert-file", crt, "--tls-key-file", key}
		},
		cli: []string{"--no-auth-warning", "-a", password, "--tls", "--insecure"}})
}

// certify writes a certificate and its key, valid for 127.0.0.1 and for a day.
func certify(t testing.TB, crt, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	check(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	check(t, err)
	check(t, os.WriteFile(crt, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	check(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
