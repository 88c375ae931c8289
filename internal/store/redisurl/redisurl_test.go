package redisurl

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	o, err := Parse("redis://awa:cl%C3%A9@10.0.0.1:6380/3?read_timeout=7s")
	if err != nil || o.Addr != "10.0.0.1:6380" || o.DB != 3 || o.Username != "awa" || o.Password != "clé" || o.TLSConfig != nil {
		t.Fatalf("%+v, %v", o, err)
	}
	if o.ReadTimeout != 7*time.Second || o.DialTimeout != patience || o.WriteTimeout != patience || o.MaxRetries != 1 || !o.ContextTimeoutEnabled {
		t.Errorf("timeouts %+v", o)
	}
	if o, err = Parse("rediss://r.example"); err != nil || o.Addr != "r.example:6379" || o.TLSConfig == nil || o.TLSConfig.ServerName != "r.example" || o.TLSConfig.InsecureSkipVerify {
		t.Errorf("%+v, %v", o, err)
	}
	for _, s := range []string{"", "ailleurs", "http://tresor@x", "redis://:tresor@h/x", "redis://h?tresor=1", "redis://%zz", "unix:///tresor", "redis+sentinel://a,b/chef"} {
		if _, err := Open(s); !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), "VIGUEUR_REDIS_URL") || strings.Contains(err.Error(), "tresor") {
			t.Errorf("%q: %v", s, err)
		}
	}
}
