// Package egress makes HTTP clients for addresses that strangers have entered. A client
// reaches public addresses only: each connection is checked after the name was looked up, so
// that a name that changes its address reaches nothing else. Redirects are not followed, no
// proxy is used, and the response and its time are bounded.
package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"vigueur/internal/kit/errs"
)

// ErrPrivate is the error of a connection to an address that is not public.
var ErrPrivate = errors.New("egress: the address is not public")

// headerLimit is the maximum size of a response's headers, in bytes.
const headerLimit = 64 << 10

// reserved are the networks that are not public although netip counts them as global unicast
// (IANA special-purpose address registries), and those that embed an IPv4 address.
var reserved = prefixes("::/96", "::ffff:0:0:0/96", "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10")

func prefixes(list ...string) (all []netip.Prefix) {
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// Public reports whether an address is one of the public internet.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsGlobalUnicast() && !a.IsPrivate() && !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Client returns a client. allowed are the hosts with port (« hooks.intern:8443 ») that it
// reaches wherever they are. A request, with its response, takes at most limit.
func Client(allowed []string, limit time.Duration) *http.Client {
	open := &net.Dialer{Timeout: limit}
	guarded := &net.Dialer{Timeout: limit, Control: func(_, address string, _ syscall.RawConn) error {
		addrPort, err := netip.ParseAddrPort(address)
		if err != nil || !Public(addrPort.Addr()) {
			return fmt.Errorf("%w: %s", ErrPrivate, address)
		}
		return nil
	}}
	return &http.Client{
		Timeout:       limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if slices.Contains(allowed, address) {
					return open.DialContext(ctx, network, address)
				}
				return guarded.DialContext(ctx, network, address)
			},
			DisableKeepAlives:      true, // so that each request is checked
			MaxResponseHeaderBytes: headerLimit,
			TLSHandshakeTimeout:    limit,
		},
	}
}

// Check reports what is wrong with the address of a receiver before anything is sent to it:
// it must be an https address with a host and without a name or password, and the host, if it
// is an IP address, public. An allowed host may have http too. The errors are Invalid, with a French sentence.
func Check(address string, allowed []string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http" {
		return errs.New(errs.Invalid, "Une adresse de la forme https://hôte/chemin est attendue.")
	}
	if u.User != nil || u.Fragment != "" {
		return errs.New(errs.Invalid, "L’adresse ne peut avoir ni nom, ni mot de passe, ni partie après #.")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if slices.Contains(allowed, net.JoinHostPort(u.Hostname(), port)) {
		return nil
	}
	if u.Scheme != "https" {
		return errs.New(errs.Invalid, "Une adresse en https est attendue.")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Hostname() == "localhost" || err == nil && !Public(ip) {
		return errs.New(errs.Invalid, "Cette adresse est celle d’un réseau privé.")
	}
	return nil
}
