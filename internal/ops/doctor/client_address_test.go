package doctor

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestSharedAddressesAreTold(t *testing.T) {
	t.Parallel()
	p := newTarget(map[string]string{"VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8)})
	mark := func(address string) string { return addressMark(p.api.AddressSecret, netip.MustParseAddr(address)) }
	stand := between([]string{"172.18.0.0/16", "10.0.0.0/8", "fd76:6967:7565:7572::/64"}, []netip.Addr{netip.MustParseAddr("192.168.7.2")})
	for name, c := range map[string]struct {
		failures map[string]int
		want     string
	}{
		"nobody yet":           {nil, "unseen: aucune connexion"},
		"clients":              {map[string]int{mark("203.0.113.7"): 9, mark("2001:db8::1"): 4}, "ok: voit les adresses"},
		"a slip on the spot":   {map[string]int{mark("203.0.113.7"): 9, mark("127.0.0.1"): 9}, "ok: voit les adresses"},
		"a proxy here":         {map[string]int{mark("203.0.113.7"): 1, mark("127.0.0.1"): 9}, "warn: 9 des 10 dernières connexions refusées viennent de 127.0.0.1,"},
		"another way here":     {map[string]int{mark("::1"): 1}, "warn: viennent de ::1,"},
		"a bridge":             {map[string]int{mark("172.18.0.1"): 3, mark("203.0.113.7"): 2}, "warn: viennent de 172.18.0.1,"},
		"the last of them":     {map[string]int{mark("172.18.255.255"): 1}, "warn: viennent de 172.18.255.255,"},
		"of a large network":   {map[string]int{mark("10.250.3.1"): 1}, "warn: viennent de 10.250.3.1,"},
		"an IPv6 bridge":       {map[string]int{mark("fd76:6967:7565:7572::1"): 1}, "warn: viennent de fd76:6967:7565:7572::,"},
		"an interface of ours": {map[string]int{mark("192.168.7.2"): 1}, "warn: viennent de 192.168.7.2,"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			p.judgeFailures(n, c.failures, stand)
			want(t, lines(n), c.want)
		})
	}
	if got, most := len(stand), 3+1<<16+1<<16+1; got != most {
		t.Errorf("%d addresses, want %d", got, most)
	}
	if last := between([]string{"255.255.255.0/24"}, nil); !slices.Contains(last, netip.MustParseAddr("255.255.255.255")) || len(last) != 2+256 {
		t.Errorf("%d addresses up to the last", len(last))
	}
}

func TestLostIPv6IsTold(t *testing.T) {
	t.Parallel()
	addresses := func(list ...string) (all []netip.Addr) {
		for _, a := range list {
			all = append(all, netip.MustParseAddr(a))
		}
		return all
	}
	for name, c := range map[string]struct {
		named, own []netip.Addr
		want       bool
	}{
		"no IPv6 name":         {nil, addresses("172.18.0.3"), false},
		"a network without it": {addresses("2001:db8::1"), addresses("127.0.0.1", "::1", "172.18.0.3", "fe80::3"), true},
		"a network with it":    {addresses("2001:db8::1"), addresses("172.18.0.3", "fd76:6967:7565:7572::3"), false},
	} {
		if got := losesIPv6(c.named, c.own); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
