package transport

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// unbelievedPause is the minimum interval between warnings about untrusted proxies.
const unbelievedPause = time.Hour

// ParseProxies parses the networks (10.0.0.0/8) whose X-Forwarded-For is trusted.
func ParseProxies(networks []string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, n := range networks {
		p, err := netip.ParsePrefix(n)
		if err != nil {
			return nil, err
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// Address returns the client's address: that of the peer, or the address that a trusted
// proxy reports.
func (s *Transport) Address(c *fiber.Ctx) netip.Addr {
	// Several lines of a header are one list (RFC 9110, 5.3).
	lines := bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), []byte(","))
	address := peer(c.Context().RemoteAddr())
	if len(lines) > 0 && !isTrusted(address, s.Proxies) && (address.IsPrivate() || address.IsLoopback()) {
		s.warnUnbelieved(c, address)
	}
	return clientAddress(address, strings.Split(string(lines), ","), s.Proxies)
}

// IsOfAnotherSite reports whether a page of another site that is not among Origins sent a request, unless a person
// followed a link (Fetch Metadata, which pages cannot set).
func (s *Transport) IsOfAnotherSite(c *fiber.Ctx) bool {
	return c.Get("Sec-Fetch-Site") == "cross-site" && (c.Method() != fiber.MethodGet || c.Get("Sec-Fetch-Dest") != "document") &&
		!slices.Contains(s.Origins, c.Get(fiber.HeaderOrigin))
}

// warnUnbelieved warns the operator of an address that looks like an undeclared proxy: all
// clients of the proxy share its address, and so the limits of one client.
func (s *Transport) warnUnbelieved(c *fiber.Ctx, address netip.Addr) {
	now, last := s.Now().UnixNano(), s.unbelieved.Load()
	if last != 0 && now-last < int64(unbelievedPause) || !s.unbelieved.CompareAndSwap(last, now) {
		return
	}
	s.Log.WarnContext(c.UserContext(), "X-Forwarded-For of a private peer is not believed: everybody behind it counts as one address; "+
		"if it is a proxy of yours, name its network in VIGUEUR_TRUSTED_PROXIES", "peer", address.String())
}

// peer returns the address of the other end of a connection. Without the network it is on this machine.
func peer(a net.Addr) netip.Addr {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.AddrFrom4([4]byte{127, 0, 0, 1})
}

// clientAddress walks from the peer back through X-Forwarded-For as long as the hop that
// added an entry is trusted, and returns the first untrusted address: entries further left
// may be forged. It stops at an entry that is not an address, too.
func clientAddress(peer netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	addr := peer
	for i := len(forwarded) - 1; i >= 0 && isTrusted(addr, trusted); i-- {
		hop, ok := parseHop(forwarded[i])
		if !ok {
			break
		}
		addr = hop
	}
	return addr
}

func isTrusted(a netip.Addr, trusted []netip.Prefix) bool {
	for _, p := range trusted {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseHop parses an entry: an address, to which some proxies add the port.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err == nil
}
