package doctor

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"

	"vigueur/internal/store/postgres"
)

// lastFailures is how many failed sign-ins are looked at. They are the only requests of
// which the service keeps the address, as a keyed hash.
const lastFailures = 1000

// checkClientAddresses checks whether the API sees the addresses of its clients. If it sees that
// of a proxy or of a bridge of containers, all clients behind it share the limits of one.
func (p *target) checkClientAddresses(ctx context.Context, n *notes) {
	if !p.apiHere || p.apiErr != nil {
		n.addUnseen("non regardées : les réglages de l’API ne sont pas ici")
		return
	}
	base, err := url.Parse(p.api.BaseURL)
	if err != nil || ownMachine(base.Hostname()) {
		n.addUnseen("non regardées : VIGUEUR_BASE_URL est sur cette machine, et ses clients aussi")
		return
	}
	own := ownAddresses()
	if named, err := net.DefaultResolver.LookupNetIP(ctx, "ip6", base.Hostname()); err == nil && inContainer() && losesIPv6(named, own) {
		n.warn(base.Hostname()+" a une adresse IPv6, et le réseau des conteneurs n’en a pas : les clients en IPv6 arrivent tous sous l’adresse du pont",
			"Activez IPv6 sur ce réseau (enable_ipv6 dans deployments/compose.yaml), ou donnez à l’API le réseau de la machine.")
	}
	failures, err := postgres.FailedSignIns(ctx, p.ingest.DatabaseURL, lastFailures)
	if err != nil {
		n.addUnseen("non regardées dans le journal d’audit : " + cause(err))
		return
	}
	p.judgeFailures(n, failures, between(p.api.TrustedProxies, own))
}

// judgeFailures compares the addresses of failed sign-ins, counted by their marks, with
// those that stand between the API and its clients. A person at the machine may mistype a
// password, too, but not more often than all others together.
func (p *target) judgeFailures(n *notes, failures map[string]int, between []netip.Addr) {
	all, worst, at := 0, 0, netip.Addr{}
	for _, count := range failures {
		all += count
	}
	for _, a := range between {
		if count := failures[addressMark(p.api.AddressSecret, a)]; count > worst {
			worst, at = count, a
		}
	}
	switch {
	case all == 0:
		n.addUnseen("aucune connexion n’a été refusée : rien ne dit encore sous quelle adresse l’API voit ses clients")
	case worst*2 > all:
		n.warn(fmt.Sprintf("%d des %d dernières connexions refusées viennent de %s, l’adresse d’un mandataire ou d’un pont de conteneurs : tous ses clients partagent les limites d’un seul", worst, all, at),
			"Nommez le réseau du mandataire dans VIGUEUR_TRUSTED_PROXIES, et qu’il donne X-Forwarded-For ; derrière un pont de conteneurs, activez IPv6 sur leur réseau.")
	default:
		n.ok("l’API voit les adresses de ses clients, et non celle d’un mandataire")
	}
}

// addressMark returns the mark of a client's address in the audit log, as internal/web/httpapi
// writes it: the first 8 bytes of a keyed hash, for IPv6 of the address's /64.
func addressMark(secret string, a netip.Addr) string {
	text := a.String()
	if !a.Is4() {
		text = netip.PrefixFrom(a, 64).Masked().String()
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// between returns the addresses that stand between the API and its clients: those of this
// machine, and those of its proxies' networks, all of a /16 or smaller. Of a larger network
// it returns the first address of each /24, which bridges and gateways usually have; of an
// IPv6 network one address, because its /64 is one client.
func between(proxies []string, own []netip.Addr) []netip.Addr {
	const whole = 16
	all := append([]netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, own...)
	for _, text := range proxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			continue
		}
		network = network.Masked()
		if !network.Addr().Is4() {
			all = append(all, network.Addr())
			continue
		}
		four := network.Addr().As4()
		first, step := uint64(binary.BigEndian.Uint32(four[:])), uint64(1)
		end := first + 1<<(32-network.Bits())
		if network.Bits() < whole {
			first, step = first+1, 256
		}
		for at := first; at < end; at += step {
			all = append(all, netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(at)))))
		}
	}
	return all
}

// ownAddresses returns the addresses of this machine's interfaces.
func ownAddresses() (all []netip.Addr) {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range list {
		if network, ok := a.(*net.IPNet); ok {
			if ip, ok := netip.AddrFromSlice(network.IP); ok {
				all = append(all, ip.Unmap())
			}
		}
	}
	return all
}

// losesIPv6 reports whether clients that come over IPv6 cannot keep their addresses on the
// way into a container with these own addresses.
func losesIPv6(named, own []netip.Addr) bool {
	for _, a := range own {
		if a.Is6() && a.IsGlobalUnicast() {
			return false
		}
	}
	return len(named) > 0
}

// inContainer reports whether Docker or Podman runs this program.
func inContainer() bool {
	for _, sign := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(sign); err == nil {
			return true
		}
	}
	return false
}
