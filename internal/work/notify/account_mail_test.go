package notify

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// box is a transport that stores messages, or fails.
type box struct {
	sent []*Notification
	err  error
}

func (b *box) Send(_ context.Context, n *Notification) error {
	if b.err == nil {
		b.sent = append(b.sent, n)
	}
	return b.err
}

// token returns the link's token, the recipient and the text of the last message.
func (b *box) token(t *testing.T) (token, target, body string) {
	t.Helper()
	raw, err := b.sent[len(b.sent)-1].bytes()
	ok(t, err)
	header, body := read(t, raw)
	_, rest, _ := strings.Cut(body, "#jeton=")
	token, _, _ = strings.Cut(rest, "\n")
	return token, header.Get("To"), body
}

const link = "https://droit.example/mot-de-passe#jeton="

func post(t *testing.T) (*Post, *box, postgres.User) {
	t.Helper()
	t.Parallel()
	b := &box{}
	p := &Post{DB: pgtest.New(t), Lives: postgres.LinkLives{Reset: time.Hour, Signup: 24 * time.Hour}, Envelope: envelope(t), Transport: b, Log: slog.New(slog.DiscardHandler)}
	u := postgres.User{ID: postgres.NewID(), Email: "awa@exemple.org", FullName: "Awa", Role: "user", Active: true, PasswordHash: "x"}
	ok(t, p.DB.CreateUser(t.Context(), u))
	return p, b, u
}

func TestAResetLinkIsSentAndGoodOnce(t *testing.T) {
	p, b, u := post(t)
	ctx := t.Context()
	ok(t, p.DB.AskReset(ctx, "Personne@exemple.org", link)) // no account: nothing to send
	ok(t, p.DB.AskReset(ctx, "AWA@exemple.org", link))
	sent, err := p.Next(ctx)
	ok(t, err)
	if !sent || len(b.sent) != 1 {
		t.Fatalf("%v, %d messages", sent, len(b.sent))
	}
	if again, err := p.Next(ctx); again || err != nil {
		t.Errorf("a second message: %v %v", again, err)
	}
	token, target, body := b.token(t)
	if target != "<awa@exemple.org>" || !strings.Contains(body, "une seule fois") {
		t.Errorf("to %s: %s", target, body)
	}
	_, _, err = p.DB.LinkOwner(ctx, sealed.HashToken(token), postgres.ResetNotification)
	ok(t, err)
	if _, _, err := p.DB.LinkOwner(ctx, sealed.HashToken(token), postgres.SignupNotification); !errs.Is(err, errs.Invalid) {
		t.Errorf("good for a sign-up: %v", err)
	}
	ok(t, p.DB.ResetPassword(ctx, sealed.HashToken(token), "y"))
	after, err := p.DB.UserByID(ctx, u.ID)
	ok(t, err)
	if after.PasswordHash != "y" || after.TokenVersion != 2 {
		t.Errorf("%+v", after)
	}
	if err := p.DB.ResetPassword(ctx, sealed.HashToken(token), "z"); !errs.Is(err, errs.Invalid) {
		t.Errorf("used twice: %v", err)
	}
}

// A link becomes invalid with a new password, a closed account, and a later attempt at
// sending it.
func TestLinksDie(t *testing.T) {
	p, b, u := post(t)
	ctx := t.Context()
	ask := func() []byte {
		ok(t, p.DB.AskReset(ctx, u.Email, link))
		_, err := p.Next(ctx)
		ok(t, err)
		token, _, _ := b.token(t)
		return sealed.HashToken(token)
	}
	dead := func(what string, token []byte) {
		t.Helper()
		if err := p.DB.ResetPassword(ctx, token, "y"); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	token := ask()
	ok(t, p.DB.SetPassword(ctx, u.ID, "w"))
	dead("another password", token)
	token = ask()
	ok(t, p.DB.CreateUser(ctx, postgres.User{ID: postgres.NewID(), Email: "b@exemple.org", FullName: "B", Role: "admin", Active: true, PasswordHash: "x"}))
	ok(t, pgtest.SetActive(ctx, p.DB, u.ID, false))
	dead("a closed account", token)
	ok(t, p.DB.AskReset(ctx, u.Email, link)) // nothing is sent for a closed account
	if sent, err := p.Next(ctx); sent || err != nil {
		t.Errorf("sent to a closed account: %v %v", sent, err)
	}
	dead("nonsense", sealed.HashToken(""))
}

func TestSignup(t *testing.T) {
	p, b, u := post(t)
	ctx := t.Context()
	ok(t, p.DB.AskSignup(ctx, "Neuf@exemple.org", "Neuf\r\nBcc: x@y.z", "https://droit.example/inscription#jeton="))
	ok(t, p.DB.AskSignup(ctx, u.Email, "Awa", "https://droit.example/inscription#jeton="))
	_, err := p.Next(ctx)
	ok(t, err)
	token, target, body := b.token(t)
	if target != "<neuf@exemple.org>" || strings.Contains(body, "Bcc") {
		t.Errorf("to %s: %s", target, body)
	}
	refused := errors.New("refused")
	if _, err := p.DB.ConfirmSignup(ctx, sealed.HashToken(token), "h", func(string) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a refused address: %v", err)
	}
	made, err := p.DB.ConfirmSignup(ctx, sealed.HashToken(token), "h", func(string) error { return nil })
	ok(t, err)
	if made.Email != "neuf@exemple.org" || made.Role != "user" || !made.Active || made.PasswordHash != "h" {
		t.Errorf("%+v", made)
	}
	if _, err := p.DB.ConfirmSignup(ctx, sealed.HashToken(token), "h", func(string) error { return nil }); !errs.Is(err, errs.Invalid) {
		t.Errorf("used twice: %v", err)
	}
	if sent, err := p.Next(ctx); !sent || err != nil {
		t.Fatalf("%v %v", sent, err)
	}
	if token, _, body := b.token(t); token != "" || !strings.Contains(body, "déjà un compte") {
		t.Errorf("to one who has an account: %s", body)
	}
}

func TestAMessageThatFailsIsPutBack(t *testing.T) {
	p, b, u := post(t)
	b.err = errors.New("no server")
	ok(t, p.DB.AskReset(t.Context(), u.Email, link))
	sent, err := p.Next(t.Context())
	if sent || err != nil {
		t.Fatalf("%v %v", sent, err)
	}
	b.err = nil
	if sent, err := p.Next(t.Context()); sent || err != nil { // not due yet
		t.Errorf("%v %v", sent, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.Run(ctx) // returns, because ctx has ended
}
