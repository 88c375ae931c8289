package notify

import (
	"bytes"
	"flag"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

var update = flag.Bool("update", false, "write the golden files")

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ptr(s string) *string { return &s }

// sample is an inquiry with every field.
func sample() postgres.Inquiry {
	return postgres.Inquiry{
		ID: uuid.MustParse("01990000-0000-7000-8000-000000000001"), Company: "Étude Sène & Fils", ContactName: "Aïssatou Sène",
		Email: "a.sene@etude.example", Phone: ptr("+221 33 800 00 00"), TeamSize: ptr("11-50"), PreferredSlot: ptr("mardi après-midi"),
		UseCase:   "Nous voulons l’installer chez nous.\nEst-ce possible d’ici à l’été ? Nos textes vont du « Code du travail » aux arrêtés, " + strings.Repeat("et ainsi de suite, ", 20) + "fin.",
		CreatedAt: time.Date(2026, 2, 1, 9, 5, 0, 0, time.UTC),
	}
}

func envelope(t *testing.T) Envelope {
	t.Helper()
	e, err := ParseEnvelope("Vigueur <vigueur@example.org>", "contact@example.org, Équipe <equipe@example.org>")
	ok(t, err)
	return e
}

// read parses a message like a mail program.
func read(t *testing.T, raw []byte) (header netmail.Header, body string) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if got := m.Header.Get("Content-Transfer-Encoding"); got != "quoted-printable" {
		t.Errorf("encoding %q", got)
	}
	if got := m.Header.Get("Content-Type"); got != "text/plain; charset=UTF-8" {
		t.Errorf("type %q", got)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	ok(t, err)
	return m.Header, strings.ReplaceAll(string(text), "\r\n", "\n")
}

func decoded(t *testing.T, value string) string {
	t.Helper()
	s, err := new(mime.WordDecoder).DecodeHeader(value)
	ok(t, err)
	return s
}

func compose(t *testing.T, i postgres.Inquiry) []byte {
	t.Helper()
	raw, err := Compose(i, envelope(t)).bytes()
	ok(t, err)
	return raw
}

func TestLetter(t *testing.T) {
	t.Parallel()
	raw := compose(t, sample())
	header, body := read(t, raw)
	for name, want := range map[string]string{
		"Subject":    "Demande de rendez-vous : Étude Sène & Fils",
		"From":       `"Vigueur" <vigueur@example.org>`,
		"To":         `<contact@example.org>, Équipe <equipe@example.org>`,
		"Reply-To":   `Aïssatou Sène <a.sene@etude.example>`,
		"Message-Id": "<inquiry.01990000-0000-7000-8000-000000000001@example.org>",
		"Date":       "Sun, 01 Feb 2026 09:05:00 +0000",
	} {
		if got := decoded(t, header.Get(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for n, l := range strings.Split(string(raw), "\r\n") {
		if len(l) > 998 || strings.ContainsAny(l, "\r\n") || strings.ContainsFunc(l, notASCII) && !strings.HasPrefix(l, "\t") {
			t.Errorf("line %d is no line of a message: %q", n+1, l)
		}
	}
	golden := filepath.Join("testdata", "letter.golden")
	if *update {
		ok(t, os.WriteFile(golden, []byte(body), 0o644))
	}
	want, err := os.ReadFile(golden)
	ok(t, err)
	if body != string(want) {
		t.Errorf("body:\n%s\nwant:\n%s", body, want)
	}
}

func TestLetterIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first := compose(t, sample())
	for range 20 {
		if again := compose(t, sample()); !bytes.Equal(again, first) {
			t.Fatalf("two copies differ:\n%s\n%s", first, again)
		}
	}
}

// Text by a stranger becomes neither a header nor a recipient.
func TestStrangersCannotWriteHeaders(t *testing.T) {
	t.Parallel()
	evil := "X\r\nBcc: victim@example.org\r\nContent-Type: text/html\r\n\r\n<b>\u2028Y\u202e"
	i := sample()
	i.Company, i.ContactName, i.PreferredSlot, i.Phone = evil, evil, &evil, &evil
	i.UseCase = "a\r\n.\r\nQUIT\r\n-- \r\nE-mail : faux@example.org\rb\u2028c\u202ed\x1b[2J"
	header, body := read(t, compose(t, i))
	if header.Get("Bcc") != "" || len(header["Subject"]) != 1 || len(header["Content-Type"]) != 1 {
		t.Errorf("headers %v", header)
	}
	if got := decoded(t, header.Get("Subject")); strings.ContainsAny(got, "\r\n") || !strings.Contains(got, "X Bcc: victim@example.org") {
		t.Errorf("subject %q", got)
	}
	to, err := header.AddressList("To")
	ok(t, err)
	reply, err := header.AddressList("Reply-To")
	ok(t, err)
	if len(to) != 2 || len(reply) != 1 || reply[0].Address != "a.sene@etude.example" {
		t.Errorf("to %v, reply to %v", to, reply)
	}
	if !strings.Contains(body, "Entreprise : X Bcc: victim@example.org Content-Type: text/html <b> Y\n") ||
		!strings.Contains(body, "> a\n> .\n> QUIT\n> --\n> E-mail : faux@example.org\n> b\n> cd[2J\n") || strings.Contains(body, "\u202e") {
		t.Errorf("body:\n%s", body)
	}
}

func TestReplyGoesToRealAddressesOnly(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]bool{
		"a@b.c": true, "a.b+c@d.e": true, "prénom@b.c": false, "a@société.example": false, "a,b@c.d": false, "<x@y.z": false, `"a"b@c.d`: false,
		"a@b.c>": false, "a@b.c,d": false, "a(c)@b.c": false,
	} {
		i := sample()
		i.Email = email
		header, body := read(t, compose(t, i))
		if got := header.Get("Reply-To") != ""; got != want {
			t.Errorf("%s: Reply-To %q", email, header.Get("Reply-To"))
		}
		if !strings.Contains(body, "E-mail : "+email+"\n") {
			t.Errorf("the text does not tell %s", email)
		}
	}
}

func TestLongNamesAndWhatWasNotSaid(t *testing.T) {
	t.Parallel()
	i := sample()
	i.Company, i.ContactName, i.Phone, i.TeamSize, i.PreferredSlot = strings.Repeat("🙂é", 127), strings.Repeat("é", 255), nil, nil, nil
	header, body := read(t, compose(t, i))
	if got := decoded(t, header.Get("Subject")); got != "Demande de rendez-vous : "+strings.Repeat("🙂é", 59)+"🙂…" {
		t.Errorf("subject %q", got)
	}
	if got := strings.Count(body, " : non précisé\n"); got != 3 {
		t.Errorf("%d fields not said, want 3:\n%s", got, body)
	}
	if !strings.Contains(body, i.Company) {
		t.Error("the text cuts the company's name")
	}
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	e, err := ParseEnvelope("", "")
	if err != nil || e.From.Address != unset || len(e.To) != 1 {
		t.Errorf("%v %v", e, err)
	}
	for _, c := range [][2]string{{"x", ""}, {"", "x"}, {"a@b.c, d@e.f", ""}} {
		if _, err := ParseEnvelope(c[0], c[1]); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", c, err)
		}
	}
}

func FuzzLetter(f *testing.F) {
	f.Add("Étude", "Awa", "a@b.c", "Bonjour\r\nBcc: x")
	f.Add("\r\n", "\"<>,", "a@b", ".\r\n")
	f.Fuzz(func(t *testing.T, company, contact, email, text string) {
		i := sample()
		i.Company, i.ContactName, i.Email, i.UseCase = company, contact, email, text
		e, err := ParseEnvelope("Vigueur <vigueur@example.org>", "contact@example.org")
		ok(t, err)
		raw, err := Compose(i, e).bytes()
		ok(t, err)
		m, err := netmail.ReadMessage(bytes.NewReader(raw))
		ok(t, err)
		for name := range m.Header {
			switch name {
			case "Subject", "From", "To", "Reply-To", "Message-Id", "Date", "Mime-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted":
			default:
				t.Errorf("header %q", name)
			}
		}
		if to, err := m.Header.AddressList("To"); err != nil || len(to) != 1 {
			t.Errorf("to %v, %v", to, err)
		}
	})
}
