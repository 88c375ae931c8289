package notify

import (
	"bytes"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
	"unicode"

	"github.com/wneessen/go-mail"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Envelope has the sender and the recipients of messages.
type Envelope struct {
	From netmail.Address
	To   []*netmail.Address
}

// unset is the sender and the recipient if none is configured: messages that are written to
// files need no real address.
const unset = "vigueur@localhost"

// ParseEnvelope parses a sender (« Vigueur <a@example.org> ») and a list of recipients; ""
// means unset. Invalid if one of them cannot be parsed.
func ParseEnvelope(source, target string) (Envelope, error) {
	if source == "" {
		source = "Vigueur <" + unset + ">"
	}
	if target == "" {
		target = unset
	}
	sender, err := netmail.ParseAddress(source)
	if err != nil {
		return Envelope{}, errs.Wrap(errs.Invalid, "VIGUEUR_MAIL_FROM n’est pas une adresse e-mail", err)
	}
	list, err := netmail.ParseAddressList(target)
	if err != nil {
		return Envelope{}, errs.Wrap(errs.Invalid, "VIGUEUR_MAIL_TO n’est pas une liste d’adresses e-mail", err)
	}
	return Envelope{From: *sender, To: list}, nil
}

// Notification is a composed e-mail.
type Notification struct {
	Name string // name of the message's file, without suffix
	msg  *mail.Msg
}

// subjectLimit is the maximum length of a company name in a subject, in characters.
const subjectLimit = 120

// Compose composes the notification of an inquiry. The same inquiry gives the same headers
// and text, byte for byte.
func Compose(i postgres.Inquiry, e Envelope) *Notification {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent(), mail.WithEncoding(mail.EncodingQP), mail.WithCharset(mail.CharsetUTF8))
	m.FromMailAddress(&e.From)
	m.ToMailAddress(e.To...)
	if sender := replyTo(i); sender != nil {
		m.ReplyToMailAddress(sender)
	}
	_, domain, _ := strings.Cut(e.From.Address, "@")
	m.SetMessageIDWithValue("inquiry." + i.ID.String() + "@" + domain)
	m.SetDateWithValue(i.CreatedAt.UTC())
	m.Subject("Demande de rendez-vous : " + law.Clip(line(i.Company), subjectLimit))
	// Auto-Submitted suppresses out-of-office replies (RFC 3834).
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, text(i))
	return &Notification{Name: i.ID.String(), msg: m}
}

// replyTo returns the address of the inquiry's sender if it is strictly valid; otherwise it
// appears in the text alone.
func replyTo(i postgres.Inquiry) *netmail.Address {
	parsed, err := netmail.ParseAddress(i.Email)
	if err != nil || parsed.Name != "" || parsed.Address != i.Email || strings.ContainsFunc(i.Email, notASCII) {
		return nil
	}
	return &netmail.Address{Name: line(i.ContactName), Address: i.Email}
}

func notASCII(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) }

// text returns the body of a notification.
func text(i postgres.Inquiry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Bonjour,\n\nUne demande de rendez-vous est arrivée le %s.\n\n", day(i.CreatedAt.UTC()))
	for _, f := range []struct {
		name  string
		value *string
	}{
		{"Entreprise", &i.Company},
		{"Contact", &i.ContactName},
		{"E-mail", &i.Email},
		{"Téléphone", i.Phone},
		{"Taille de l’équipe", i.TeamSize},
		{"Créneau souhaité", i.PreferredSlot},
	} {
		value := "non précisé"
		if f.value != nil && *f.value != "" {
			value = line(*f.value)
		}
		fmt.Fprintf(&b, "%s : %s\n", f.name, value)
	}
	fmt.Fprintf(&b, "\nBesoin exprimé :\n\n%s\n\n-- \nVigueur, demande n° %s\n", quote(i.UseCase), i.ID)
	return b.String()
}

// day formats a time in French.
func day(t time.Time) string {
	return law.WriteDate(t) + " à " + t.Format("15 h 04") + " UTC"
}

// line puts a stranger's text on one line, without control characters.
func line(s string) string {
	return strings.Join(strings.Fields(printable(s)), " ")
}

// quote prefixes each line of a stranger's text, so that it cannot be taken for the service's
// own words.
func quote(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", "\n", "\f", "\n").Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc("> "+printable(l), unicode.IsSpace)
	}
	return strings.Join(lines, "\n")
}

// printable drops control characters and marks that change the direction of text, and
// replaces white space other than no-break spaces by a space.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}

// bytes returns the message in its wire format.
func (n *Notification) bytes() ([]byte, error) {
	var b bytes.Buffer
	_, err := n.msg.WriteTo(&b)
	return b.Bytes(), err
}
