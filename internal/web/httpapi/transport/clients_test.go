package transport

import (
	"fmt"
	"net/netip"
	"testing"
)

func TestNetworksOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7":             "[192.0.2.7/32 192.0.2.0/24]",
		"::ffff:192.0.2.7":      "[192.0.2.7/32 192.0.2.0/24]",
		"2001:db8:1:234::5":     "[2001:db8:1:234::/64 2001:db8:1:200::/56 2001:db8:1::/48]",
		"fe80::1%eth0":          "[fe80::/64 fe80::/56 fe80::/48]",
		"2001:db8:1:234:5::ff%": "",
	} {
		a, err := netip.ParseAddr(address)
		if err != nil {
			equal(t, address, "", want)
			continue
		}
		equal(t, address, fmt.Sprint(Networks(a)), want)
	}
}

// A client with a /48 counts as a few clients, not as 65,536.
func TestWiderNetworksAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form string
		want int // of those that come from all of it, each may have 10
	}{
		{"192.0.2.%d", 20}, {"192.0.%d.1", 2000},
		{"2001:db8:1:2::%x", 10}, {"2001:db8:1:2%02x::1", 20}, {"2001:db8:1:%02x00::1", 40}, {"2001:db8:%x::1", 2000},
	} {
		held := tally{}
		var in []netip.Addr
		for i := range 200 {
			a := netip.MustParseAddr(fmt.Sprintf(c.form, i))
			for range 10 {
				if held.add(a, 1, 10) {
					in = append(in, a)
				}
			}
		}
		equal(t, c.form, len(in), c.want)
		for _, a := range in {
			held.remove(a, 1)
		}
		equal(t, c.form+": networks kept", len(held), 0)
	}
}
