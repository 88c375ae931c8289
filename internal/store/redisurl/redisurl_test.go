package redisurl

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]Address{
		"redis://localhost":                           {hosts: []string{"localhost:6379"}},
		"redis://:cl%C3%A9@10.0.0.1:6380/3":           {hosts: []string{"10.0.0.1:6380"}, password: "clé", database: 3},
		"redis://awa:a%40b@[::1]:1/":                  {hosts: []string{"[::1]:1"}, user: "awa", password: "a@b"},
		"rediss://r.example/1?server_name=x":          {hosts: []string{"r.example:6379"}, secure: true, database: 1, serverName: "x"},
		"redis+sentinel://a,b:1,c/chef":               {hosts: []string{"a:26379", "b:1", "c:26379"}, master: "chef"},
		"rediss+sentinel://u:p@a:1,b:2/chef/4":        {hosts: []string{"a:1", "b:2"}, master: "chef", user: "u", password: "p", database: 4, secure: true},
		"redis+sentinel://a/chef?ca_file=":            {hosts: []string{"a:26379"}, master: "chef"},
		"rediss://h?ca_file=a&cert_file=b&key_file=c": {hosts: []string{"h:6379"}, secure: true, ca: "a", cert: "b", key: "c"},
	} {
		t.Run(s, func(t *testing.T) {
			got, err := Parse(s)
			if err != nil {
				t.Errorf("%s: %v", s, err)
				return
			}
			if !slices.Equal(got.hosts, want.hosts) || got.master != want.master || got.user != want.user || got.password != want.password ||
				got.database != want.database || got.secure != want.secure || got.serverName != want.serverName ||
				got.ca != want.ca || got.cert != want.cert || got.key != want.key {
				t.Errorf("%s: got %+v", s, got)
			}
		})
	}
	for s, want := range map[string]time.Duration{"redis://h": patience, "redis://h?patience=1m30s": 90 * time.Second, "rediss+sentinel://a,b/chef?patience=1ms": time.Millisecond} {
		t.Run(s, func(t *testing.T) {
			if a, err := Parse(s); err != nil || a.patience != want {
				t.Errorf("%s: patience %v, %v", s, a.patience, err)
			}
		})
	}
	a, err := Parse("redis+sentinel://u:p@a/chef?sentinel_user=s&sentinel_password=q")
	if err != nil {
		t.Fatal(err)
	}
	if password, _ := a.sentinel.Password(); a.sentinel.Username() != "s" || password != "q" {
		t.Errorf("sentinel %+v", a.sentinel)
	}
}

func TestNoAddresses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "ailleurs", "http://tresor@x", "redis://", "redis://a,b", "redis://:tresor@h:99999", "redis://h/x", "redis://h/-1",
		"redis://h/+1", "redis+sentinel://h", "redis+sentinel:///chef", "redis://:tresor@h?ca_file=x", "redis://h?tresor=1", "rediss://h?cert_file=x",
		"redis://h?sentinel_password=tresor", "redis://%zz", "redis://h?%zz", "redis+sentinel://a,,b/chef", "redis+sentinel://a,b:x/chef", "redis://a:1:2",
		"redis://h?patience=", "redis://h?patience=5", "redis://h?patience=-1s", "redis://h?patience=0", "redis://h?patience=2h"} {
		t.Run(s, func(t *testing.T) {
			_, err := Open(s)
			if !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), "VIGUEUR_REDIS_URL") {
				t.Errorf("%q: %v", s, err)
			}
			if err != nil && strings.Contains(err.Error(), "tresor") {
				t.Errorf("%q: its secret is told: %v", s, err)
			}
		})
	}
}

func TestCertificatesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "vide.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"ca_file=/nulle/part", "ca_file=" + empty, "cert_file=" + empty + "&key_file=" + empty} {
		t.Run(query, func(t *testing.T) {
			if _, err := Open("rediss://h?" + query); !errs.Is(err, errs.Invalid) {
				t.Errorf("%s: %v", query, err)
			}
		})
	}
}

func TestServerNameOfTLS(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"rediss://r.example:1": "r.example", "rediss://[::1]": "::1", "rediss://h?server_name=x": "x"} {
		t.Run(s, func(t *testing.T) {
			c, err := Open(s)
			if err != nil {
				t.Fatal(err)
			}
			single, one := c.(*redis.Client)
			if !one || single.Options().TLSConfig.ServerName != want {
				t.Errorf("%s: %+v", s, c)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"redis://u:p@h:1/2", "rediss+sentinel://a,b:2/m/3?sentinel_user=x", "redis://[::1]", "redis://@", "redis://a@b@c,d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if len(a.hosts) == 0 || (len(a.hosts) > 1) && a.master == "" || a.database < 0 {
			t.Errorf("%q read as %+v", s, a)
		}
	})
}

// A client gets all parameters of its address. The sentinels get an account only if the
// address contains one for them.
func TestClientsAreSetAsTheAddressSays(t *testing.T) {
	t.Parallel()
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		c, err := Open("redis://awa:mot@h:1/3?patience=7s")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		single, ok := c.(*redis.Client)
		if !ok {
			t.Fatalf("%T", c)
		}
		o := single.Options()
		if o.Addr != "h:1" || o.Username != "awa" || o.Password != "mot" || o.DB != 3 || o.DialTimeout != 7*time.Second || o.ReadTimeout != 7*time.Second ||
			o.WriteTimeout != 7*time.Second || o.TLSConfig != nil || !o.ContextTimeoutEnabled {
			t.Errorf("%+v", o)
		}
	})
	for name, c := range map[string]struct{ address, user, password string }{
		"sentinels without an account": {"redis+sentinel://awa:mot@a,b:1/chef", "", ""},
		"sentinels with an account":    {"redis+sentinel://awa:mot@a,b:1/chef?sentinel_user=garde&sentinel_password=clef", "garde", "clef"},
		"sentinels with a password":    {"redis+sentinel://awa:mot@a,b:1/chef?sentinel_password=clef", "", "clef"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := Parse(c.address)
			if err != nil {
				t.Fatal(err)
			}
			o := a.options()
			if !slices.Equal(o.Addrs, []string{"a:26379", "b:1"}) || o.MasterName != "chef" || o.Username != "awa" || o.Password != "mot" ||
				o.SentinelUsername != c.user || o.SentinelPassword != c.password {
				t.Errorf("%+v", o)
			}
		})
	}
}

// TLS uses the certificates that the address names, with version 1.2 or later.
func TestTLSIsSetAsTheAddressSays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ca, cert, key := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, ca, cert, key)
	a, err := Parse("rediss://h?ca_file=" + ca + "&cert_file=" + cert + "&key_file=" + key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.tls()
	if err != nil || c.MinVersion != tls.VersionTLS12 || c.ServerName != "h" || c.RootCAs == nil || len(c.Certificates) != 1 || c.InsecureSkipVerify {
		t.Errorf("%+v, %v", c, err)
	}
	plain, err := Parse("rediss+sentinel://a,b/chef")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := plain.tls(); err != nil || c.ServerName != "" || c.RootCAs != nil || len(c.Certificates) != 0 {
		t.Errorf("behind sentinels: %+v, %v", c, err)
	}
}

// writeCertificate writes a self-signed certificate that serves as authority and as client
// certificate.
func writeCertificate(t *testing.T, ca, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1)}, &x509.Certificate{SerialNumber: big.NewInt(1)}, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	for path, content := range map[string][]byte{ca: public, cert: public, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: packed})} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
