package stage

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vigueur/internal/kit/testkit/port"
)

// ClientHeader is the header by which clients of this machine tell a sample proxy what
// address they have; without it nginx takes that of the connection.
const ClientHeader = "X-Test-Client"

// SampleProxy writes the configuration of a proxy, "nginx" or "caddy", with its sample of
// deployments/proxies, and returns the command that runs it: for https://localhost with the
// given port, in front of the API at an address. The files lie in dir, which exists. Each of
// words replaces a part of the sample, which has to be there.
func SampleProxy(name, dir, https, api string, words ...[2]string) (command []string, err error) {
	switch name {
	case "nginx":
		return nginx(dir, https, api, words)
	case "caddy":
		return caddy(dir, https, api, words)
	}
	return nil, fmt.Errorf("stage: there is no sample for %q", name)
}

// adapted returns a file of deployments/proxies with other words in it.
func adapted(name string, words ...[2]string) (string, error) {
	text, err := os.ReadFile(filepath.Join(Root(), "deployments", "proxies", name))
	if err != nil {
		return "", err
	}
	out := string(text)
	for _, w := range words {
		if !strings.Contains(out, w[0]) {
			return "", fmt.Errorf("stage: %s has no %q", name, w[0])
		}
		out = strings.ReplaceAll(out, w[0], w[1])
	}
	return out, nil
}

func nginx(dir, https, api string, words [][2]string) ([]string, error) {
	if err := certify(dir); err != nil {
		return nil, err
	}
	http, err := port.Address()
	if err != nil {
		return nil, err
	}
	servers, err := adapted("nginx.conf", append([][2]string{{"127.0.0.1:8080", api}, {"    listen [::]:80;\n", ""}, {"    listen [::]:443 ssl http2;\n", ""},
		{"listen 80;", "listen " + http + ";"}, {"listen 443 ssl", "listen 127.0.0.1:" + https + " ssl"},
		{"/etc/letsencrypt/live/droit.example", dir}, {"/var/log/nginx/access.log", AccessLog(dir)}, {"droit.example", "localhost"}}, words...)...)
	if err != nil {
		return nil, err
	}
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	// 768 connections of a process are what Debian's nginx has.
	text := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/pid;\nerror_log stderr;\nevents { worker_connections 768; }\nhttp {\naccess_log off;\n"+
		"set_real_ip_from 127.0.0.0/8;\nreal_ip_header %s;\n%s%s}\n", dir, ClientHeader, temporary.String(), servers)
	path := filepath.Join(dir, "nginx.conf")
	return []string{"nginx", "-e", "stderr", "-c", path}, os.WriteFile(path, []byte(text), 0o600)
}

// AccessLog is the file in which the sample nginx of a folder logs requests.
func AccessLog(dir string) string { return filepath.Join(dir, "access.log") }

func caddy(dir, https, api string, words [][2]string) ([]string, error) {
	const own = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tstorage file_system "
	site, err := adapted("Caddyfile", append([][2]string{{"127.0.0.1:8080", api}, {"\n{\n", "\n" + own + dir + "\n"}, {"\ndroit.example {\n", "\nhttps://localhost:" + https + " {\n\ttls internal\n"}}, words...)...)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "Caddyfile")
	return []string{"caddy", "run", "--config", path, "--adapter", "caddyfile"}, os.WriteFile(path, []byte(site), 0o600)
}

// certify makes the certificate and key that the sample of nginx names.
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
