package redisurl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/errs"
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
