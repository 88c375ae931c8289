package egress

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"8.8.8.8": true, "2a00:1450::1": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false,
		"::1": false, "::": false, "fe80::1": false, "fc00::1": false, "::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "::7f00:1": false, "::10.0.0.1": false, "::8.8.8.8": false, "::ffff:0:a00:1": false, "2002:7f00:1::": false, "224.0.0.1": false, "255.255.255.255": false,
	} {
		if got := Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: public %v", address, got)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	allowed := []string{"hooks.intern:8443", "127.0.0.1:9000"}
	for address, want := range map[string]string{
		"https://example.org/hook": "", "https://hooks.intern:8443/": "", "http://127.0.0.1:9000/x": "",
		"http://example.org/": "https", "https://127.0.0.1/": "privé", "https://[::1]/": "privé", "https://localhost/": "privé", "http://127.0.0.1:9001/": "https",
		"ftp://example.org/": "forme", "https:example.org": "forme", "": "forme", "https://u:p@example.org/": "mot de passe", "https://example.org/#x": "#",
	} {
		err := Check(address, allowed)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(errs.Public(err), want) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}

// A name that is looked up to a private address is refused when the connection is opened,
// whatever it was when somebody entered it.
func TestClientRefusesPrivateAddressesAtEachConnection(t *testing.T) {
	t.Parallel()
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost"} {
		res, err := Client(nil, 10*time.Second).Get("http://" + host + ":" + port)
		if err == nil {
			_ = res.Body.Close()
		}
		if !errors.Is(err, ErrPrivate) || asked {
			t.Errorf("%s: %v, asked %v", host, err, asked)
		}
	}
	res, err := Client([]string{"localhost:" + port}, 10*time.Second).Get("http://localhost:" + port)
	if err != nil || !asked {
		t.Fatalf("an allowed host: %v", err)
	}
	_ = res.Body.Close()
}

func TestClientFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	res, err := Client([]string{strings.TrimPrefix(server.URL, "http://")}, 10*time.Second).Get(server.URL + "/here")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusTemporaryRedirect || len(seen) != 1 {
		t.Errorf("status %d, asked for %q", res.StatusCode, seen)
	}
}
