package doctor

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/notify"
)

// healthReplyLimit is the maximum number of bytes that are read from the reply of /readyz.
const healthReplyLimit = 64 << 10

// checkPublicAddress requests /readyz at the public address of the service, as a client would.
func (p *target) checkPublicAddress(ctx context.Context, n *notes) {
	if !p.apiHere || p.apiErr != nil {
		n.addUnseen("non regardée : les réglages de l’API ne sont pas ici")
		return
	}
	base := strings.TrimSuffix(p.api.BaseURL, "/")
	p.checkTLS(ctx, n, base)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", http.NoBody)
	if err != nil {
		n.fail("VIGUEUR_BASE_URL n’est pas une adresse", "Mettez-y l’adresse publique : https://droit.example")
		return
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(request)
	if err != nil {
		n.warn(base+" ne répond pas d’ici : "+cause(err), "Démarrez l’API et le mandataire ; ou ce nom n’est connu que du dehors.")
		return
	}
	defer got.Body.Close()
	var body struct {
		Status string
		Stores map[string]struct{ Status string }
	}
	err = json.NewDecoder(io.LimitReader(got.Body, healthReplyLimit)).Decode(&body)
	switch {
	case got.StatusCode >= 300 && got.StatusCode < 400:
		n.warn(fmt.Sprintf("%s renvoie ailleurs (%s)", base, got.Header.Get("Location")), "Mettez dans VIGUEUR_BASE_URL l’adresse où l’on arrive.")
	case err != nil || body.Stores == nil || got.Header.Get("X-Request-Id") == "":
		n.fail(fmt.Sprintf("%s/readyz répond %d, et ce n’est pas l’API", base, got.StatusCode), "Vérifiez le mandataire, et VIGUEUR_BASE_URL.")
	case body.Status != string(OK):
		n.fail("l’API n’est pas prête : "+down(body.Stores), "Regardez « store down » dans son journal.")
	default:
		n.ok(base + " mène à l’API, qui est prête")
	}
	if there, err := http.ParseTime(got.Header.Get("Date")); err == nil {
		clock(n, time.Until(there), time.Second) // the header has whole seconds
	}
}

// down returns the names of the stores that are not OK, in alphabetical order.
func down(stores map[string]struct{ Status string }) string {
	var names []string
	for name, s := range stores {
		if s.Status != string(OK) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

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
func (p *target) judgeFailures(n *notes, failures map[string]int, addrs []netip.Addr) {
	all, worst, addr := 0, 0, netip.Addr{}
	for _, count := range failures {
		all += count
	}
	for _, a := range addrs {
		if count := failures[addressMark(p.api.AddressSecret, a)]; count > worst {
			worst, addr = count, a
		}
	}
	switch {
	case all == 0:
		n.addUnseen("aucune connexion n’a été refusée : rien ne dit encore sous quelle adresse l’API voit ses clients")
	case worst*2 > all:
		n.warn(fmt.Sprintf("%d des %d dernières connexions refusées viennent de %s, l’adresse d’un mandataire ou d’un pont de conteneurs : tous ses clients partagent les limites d’un seul", worst, all, addr),
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
		for offset := first; offset < end; offset += step {
			all = append(all, netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(offset)))))
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

// certificateWarn is the remaining lifetime below which a certificate gets a warning. Let's
// Encrypt's certificates are renewed 30 days before their end, so one with less than 21
// days was not renewed.
const certificateWarn = 21 * 24 * time.Hour

// expires reports how long a certificate is still valid. what names the certificate in the
// finding.
func expires(n *notes, what string, end time.Time) {
	left := time.Until(end)
	switch {
	case end.IsZero():
		n.addUnseen(what + " : fin non vue")
	case left <= 0:
		n.fail(fmt.Sprintf("%s a expiré le %s", what, end.Format(time.DateOnly)), "Renouvelez-le, et faites-le relire au serveur.")
	case left < certificateWarn:
		n.warn(fmt.Sprintf("%s expire le %s", what, end.Format(time.DateOnly)), "Renouvelez-le ; regardez pourquoi il ne l’est pas de lui-même.")
	default:
		n.ok(fmt.Sprintf("%s vaut jusqu’au %s", what, end.Format(time.DateOnly)))
	}
}

// checkTLS checks the certificate of an https address. Other addresses have none.
func (p *target) checkTLS(ctx context.Context, n *notes, address string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" {
		return
	}
	certificate(ctx, n, u.Hostname(), cmp.Or(u.Port(), "443"))
}

// checkBucketTLS checks the certificate of the S3 server at u.
func (p *target) checkBucketTLS(ctx context.Context, n *notes, u *url.URL) {
	p.checkTLS(ctx, n, u.Query().Get("endpoint"))
}

// checkMailTLS checks the certificate of a mail server with TLS from the first byte (smtps).
// With STARTTLS, the mail library has compared the certificate with the server's name while
// connecting.
func (p *target) checkMailTLS(ctx context.Context, n *notes) {
	u, err := url.Parse(p.worker.SMTPURL)
	if err != nil || u.Scheme != "smtps" {
		return
	}
	certificate(ctx, n, u.Hostname(), cmp.Or(u.Port(), "465"))
}

// certificate checks a server's certificate as a client does.
func certificate(ctx context.Context, n *notes, host, port string) {
	what := "le certificat de " + host
	conn, err := (&tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}}).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		expires(n, what, invalid.Cert.NotAfter)
		return
	case errors.As(err, &unknown):
		n.fail(what+" n’est d’aucune autorité connue de cette machine", "Ajoutez l’autorité à celles du système (update-ca-certificates).")
		return
	case errors.As(err, &name):
		n.fail(what+" est d’un autre nom", "Refaites le certificat pour ce nom, ou corrigez l’adresse.")
		return
	case err != nil:
		n.addUnseen(what + " : " + cause(err))
		return
	}
	defer conn.Close()
	if secure, ok := conn.(*tls.Conn); ok {
		expires(n, what, secure.ConnectionState().PeerCertificates[0].NotAfter)
	}
}

// checkMail checks the mail server or mail folder without sending a message.
func (p *target) checkMail(ctx context.Context, n *notes) {
	switch {
	case !p.workerHere:
		n.addUnseen("non regardés : les réglages du worker ne sont pas ici")
	case p.workerErr != nil:
		n.addUnseen("non regardés : les réglages du worker sont à corriger")
	case p.worker.SMTPURL != "":
		server, err := notify.NewSMTP(p.worker.SMTPURL)
		if err != nil {
			n.fail(errs.Public(err), "Corrigez VIGUEUR_SMTP_URL.")
			return
		}
		if err := server.Try(ctx); err != nil {
			n.fail(errs.Public(err), "Vérifiez l’adresse, le port, TLS et le mot de passe de VIGUEUR_SMTP_URL. Les messages attendent et partiront d’eux-mêmes.")
			return
		}
		n.ok("le serveur de messagerie a accepté la connexion ; rien n’a été envoyé")
		p.checkMailTLS(ctx, n)
	default:
		p.checkMailFolder(ctx, n)
	}
}

func (p *target) checkMailFolder(ctx context.Context, n *notes) {
	if _, err := os.Stat(p.worker.MailDir); errors.Is(err, fs.ErrNotExist) {
		n.addUnseen("le dossier des messages " + p.worker.MailDir + " n’existe pas encore : le worker le fera")
		return
	}
	folder, err := notify.NewFolder(p.worker.MailDir)
	if err == nil {
		err = folder.Try(ctx)
	}
	if err != nil {
		n.fail(errs.Public(err), "Donnez "+p.worker.MailDir+" au compte du worker.")
		return
	}
	n.ok("sans serveur de messagerie : les messages sont des fichiers de " + p.worker.MailDir)
	room(n, p.worker.MailDir)
}
