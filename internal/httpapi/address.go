package httpapi

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// ParseProxies reads the networks (10.0.0.0/8) whose X-Forwarded-For is believed.
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

// address is whom the request comes from: the peer, or what a trusted peer says.
func (s *Server) address(c *fiber.Ctx) netip.Addr {
	// Several lines of a header are one list (RFC 9110, 5.3).
	lines := bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), []byte(","))
	from := peer(c.Context().RemoteAddr())
	if len(lines) > 0 && !isTrusted(from, s.Proxies) && (from.IsPrivate() || from.IsLoopback()) {
		s.warnUnbelieved(c, from)
	}
	return clientAddress(from, strings.Split(string(lines), ","), s.Proxies)
}

// unbelievedPause is how long nothing more is said of proxies that are not believed.
const unbelievedPause = time.Hour

// warnUnbelieved tells the operator of what looks like a proxy of theirs that is not
// known: all who come through it share its address, and the limits on one.
func (s *Server) warnUnbelieved(c *fiber.Ctx, from netip.Addr) {
	now, last := s.Now().UnixNano(), s.unbelieved.Load()
	if last != 0 && now-last < int64(unbelievedPause) || !s.unbelieved.CompareAndSwap(last, now) {
		return
	}
	s.Log.WarnContext(c.UserContext(), "X-Forwarded-For of a private peer is not believed: everybody behind it counts as one address; "+
		"if it is a proxy of yours, name its network in VIGUEUR_TRUSTED_PROXIES", "peer", from.String())
}

func peer(a net.Addr) netip.Addr {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.IPv4Unspecified()
}

// clientAddress walks from the peer back through what each trusted hop says it
// was given, and stops at the first that is not trusted: what stands further left
// is what that one claims, and may be forged. Something that is no address stops
// the walk too.
func clientAddress(peer netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	at := peer
	for i := len(forwarded) - 1; i >= 0 && isTrusted(at, trusted); i-- {
		hop, ok := parseHop(forwarded[i])
		if !ok {
			break
		}
		at = hop
	}
	return at
}

func isTrusted(a netip.Addr, trusted []netip.Prefix) bool {
	for _, p := range trusted {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseHop reads one entry: an address, some proxies add the port.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err == nil
}
