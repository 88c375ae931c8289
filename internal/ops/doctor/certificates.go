package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"
)

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
