package transport

import (
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	trusted, err := ParseProxies([]string{"10.0.0.0/8", "2001:db8::/32"})
	ok(t, err)
	for _, c := range []struct{ peer, forwarded, want string }{
		{"203.0.113.1", "", "203.0.113.1"},
		{"203.0.113.1", "6.6.6.6", "203.0.113.1"}, // sent by an untrusted peer
		{"10.0.0.1", "", "10.0.0.1"},
		{"10.0.0.1", "203.0.113.1", "203.0.113.1"},
		{"10.0.0.1", "6.6.6.6, 203.0.113.1", "203.0.113.1"}, // the left entry was forged by the client
		{"10.0.0.1", "6.6.6.6,203.0.113.1,10.0.0.2", "203.0.113.1"},
		{"10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"}, // only proxies
		{"10.0.0.1", "203.0.113.1:5000", "203.0.113.1"},
		{"10.0.0.1", "[2001:db9::1]:5000", "2001:db9::1"},
		{"2001:db8::1", "2001:db9::1", "2001:db9::1"},
		{"10.0.0.1", "::ffff:203.0.113.1", "203.0.113.1"},
		{"10.0.0.1", "fe80::1%eth0", "fe80::1"},
		{"10.0.0.1", "203.0.113.1, unknown", "10.0.0.1"},
		{"10.0.0.1", "203.0.113.1,,10.0.0.2", "10.0.0.2"},
		{"10.0.0.1", strings.Repeat("10.0.0.2,", 1000) + "10.0.0.2", "10.0.0.2"},
	} {
		var hops []string
		if c.forwarded != "" {
			hops = strings.Split(c.forwarded, ",")
		}
		equal(t, c.peer+" < "+c.forwarded, clientAddress(netip.MustParseAddr(c.peer), hops, trusted).String(), c.want)
	}
	if _, err := ParseProxies([]string{"10.0.0.0"}); err == nil {
		t.Error("an address was taken for a network")
	}
}

func FuzzParseHop(f *testing.F) {
	for _, seed := range []string{"203.0.113.1", "[::1]:80", "::1%x", "", "[", "1.2.3.4:99999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, ok := parseHop(s); ok && (!a.IsValid() || a.Is4In6() || a.Zone() != "") {
			t.Errorf("%q reads as %v", s, a)
		}
	})
}
