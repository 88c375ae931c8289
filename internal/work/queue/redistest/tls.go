package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// password is the password of a server with TLS.
const password = "un-mot-de-passe" //nolint:gosec // the server runs only during a test

// NewTLS starts a Redis that accepts only TLS and requires a client certificate and a
// password. Its address contains the password and the paths of the certificates.
func NewTLS(t testing.TB) *Server {
	t.Helper()
	dir := t.TempDir()
	authority := certificate(t, dir, "ca", nil)
	certificate(t, dir, "server", authority)
	certificate(t, dir, "client", authority)
	path := func(name string) string { return filepath.Join(dir, name) }
	return begin(t, &Server{dir: dir, tls: true,
		query: longWait + "&" + url.Values{"ca_file": {path("ca.crt")}, "cert_file": {path("client.crt")}, "key_file": {path("client.key")}}.Encode(),
		flags: func(port int) []string {
			return []string{"--port", "0", "--tls-port", strconv.Itoa(port), "--requirepass", password, "--tls-auth-clients", "yes",
				"--tls-ca-cert-file", path("ca.crt"), "--tls-cert-file", path("server.crt"), "--tls-key-file", path("server.key")}
		},
		cli: []string{"--no-auth-warning", "-a", password, "--tls", "--cacert", path("ca.crt"), "--cert", path("client.crt"), "--key", path("client.key")}})
}

// signer is a certificate and its private key.
type signer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// certificate writes name.crt and name.key, valid for 127.0.0.1 and for a day. by is the
// authority that signs the certificate; nil makes the certificate of the authority itself.
func certificate(t testing.TB, dir, name string, by *signer) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	own := &signer{key: key, certificate: &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}}
	if by == nil {
		by = own
		own.certificate.KeyUsage |= x509.KeyUsageCertSign
	}
	der, err := x509.CreateCertificate(rand.Reader, own.certificate, by.certificate, &key.PublicKey, by.key)
	check(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	check(t, err)
	for file, block := range map[string]*pem.Block{name + ".crt": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
		check(t, os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600))
	}
	return own
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
