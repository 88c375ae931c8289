package notify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// answerLimit is the maximum time that the mail server may take for one reply.
const answerLimit = 30 * time.Second

// SMTP is the Transport to a mail server. It opens a connection for each message.
type SMTP struct {
	host     string
	port     int
	implicit bool // TLS from the first byte
	plain    bool // no TLS at all
	user     *url.Userinfo
	roots    *x509.CertPool // nil: the certificates of the system
}

// NewSMTP parses the address of a mail server:
//
//	smtp://user:password@host:587   TLS by STARTTLS, required; port 587 unless given
//	smtps://user:password@host:465  TLS from the first byte; port 465 unless given
//	smtp://host:25?tls=none         no TLS, for a relay on the same machine or network
//
// User and password may be omitted. Invalid otherwise; the error never contains the address,
// which may have a password.
func NewSMTP(address string) (*SMTP, error) {
	invalid := func(why string) (*SMTP, error) {
		return nil, errs.New(errs.Invalid, "VIGUEUR_SMTP_URL : "+why)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") || strings.Trim(u.Path, "/") != "" {
		return invalid("une adresse de la forme smtp://utilisateur:motdepasse@hôte:587 ou smtps://… est attendue")
	}
	s := &SMTP{host: u.Hostname(), port: 587, implicit: u.Scheme == "smtps", user: u.User}
	if s.implicit {
		s.port = 465
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return invalid("le port n’est pas entre 1 et 65535")
		}
	}
	switch options := u.Query(); {
	case len(options) == 0:
	case len(options) == 1 && options.Get("tls") == "none" && !s.implicit && s.user == nil:
		s.plain = true
	default:
		return invalid("la seule option est tls=none, avec smtp:// et sans mot de passe")
	}
	return s, nil
}

// Send delivers the message. It succeeds once the server has accepted the message: later
// errors are ignored.
func (s *SMTP) Send(ctx context.Context, n *Notification) error {
	err := s.deliver(ctx, n)
	if err == nil || n.msg.IsDelivered() {
		return nil
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return errs.Wrap(errs.Unavailable, s.reason(err), fmt.Errorf("notify: send %s: %w", n.Name, err))
}

// deliver connects, sends and disconnects. The connection is closed when ctx ends, whatever
// the server does, and in any case when deliver returns.
func (s *SMTP) deliver(ctx context.Context, n *Notification) error {
	closeConn := func() {}
	defer func() { closeConn() }()
	client, err := s.client(func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := s.dial(dialing, network, address)
		if err != nil {
			return nil, err
		}
		closing := func() { _ = conn.Close() } // this error does not matter, whether or not the message was sent
		stop := context.AfterFunc(ctx, closing)
		closeConn = func() {
			stop()
			closing()
		}
		return conn, nil
	})
	if err != nil {
		return err
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return err
	}
	if err := client.SendWithSMTPClient(session, n.msg); err != nil {
		return err
	}
	return client.CloseWithSMTPClient(session)
}

func (s *SMTP) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.implicit {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

func (s *SMTP) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, RootCAs: s.roots, MinVersion: tls.VersionTLS12}
}

// client configures the mail library.
func (s *SMTP) client(dial mail.DialContextFunc) (*mail.Client, error) {
	policy := mail.TLSMandatory
	switch {
	case s.plain:
		policy = mail.NoTLS
	case s.implicit:
		// The library detects that there is TLS already and then allows the password; with
		// NoTLS it would treat the connection as unencrypted.
		policy = mail.TLSOpportunistic
	}
	options := []mail.Option{
		mail.WithPort(s.port), mail.WithTimeout(answerLimit), mail.WithTLSPolicy(policy), mail.WithTLSConfig(s.tls()),
		mail.WithDialContextFunc(dial), mail.WithoutNoop(),
	}
	if s.user != nil {
		password, _ := s.user.Password()
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.user.Username()), mail.WithPassword(password))
	}
	return mail.NewClient(s.host, options...)
}

// reasonLimit is the maximum length of a stored reply of a mail server, in characters.
const reasonLimit = 300

// reason describes an error for an administrator.
func (s *SMTP) reason(err error) string {
	server := net.JoinHostPort(s.host, strconv.Itoa(s.port))
	var refused *mail.SendError
	if errors.As(err, &refused) && refused.ErrorCode() > 0 {
		said, _, _ := strings.Cut(refused.Error(), ", affected ")
		return fmt.Sprintf("Le serveur de messagerie %s a refusé le message : %s", server, law.Clip(line(said), reasonLimit))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("Le serveur de messagerie %s n’a pas répondu à temps.", server)
	}
	return fmt.Sprintf("Le message n’a pas pu être remis au serveur de messagerie %s : %s", server, law.Clip(line(err.Error()), reasonLimit))
}
