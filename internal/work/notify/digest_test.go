package notify

import (
	"context"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
)

// TestDigest sends the digest of an account whose mail server is down at first, and ends the
// digests with its link.
func TestDigest(t *testing.T) {
	t.Parallel()
	address := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), address)
	ok(t, err)
	t.Cleanup(db.Close)
	user := postgres.NewID()
	ok(t, db.CreateUser(t.Context(), postgres.User{ID: user, Email: "awa@example.org", FullName: "Awa", Role: "user", Active: true}))
	follow, _, err := db.AddFollow(t.Context(), user, postgres.Follow{Kind: postgres.FollowScope, Domain: "travail", Label: "Travail"})
	ok(t, err)
	document, article := uuid.New().String(), uuid.New().String()
	pgtest.Exec(t, address, `INSERT INTO law_changes (kind, document_id, title, doc_type, domaine, articles, act_title, valid_from, act_id, article_id)
		VALUES ('added', '`+document+`', E'Loi n° 1\nBcc: x@example.org', 'loi', 'travail', '{}', '', NULL, NULL, NULL), ('wording', '`+document+`', 'Loi n° 1', 'loi', 'travail', '{14}', 'Loi n° 2', '2025-02-01', gen_random_uuid(), '`+article+`')`)
	pgtest.Exec(t, address, `INSERT INTO alerts (user_id, change_id, follow_id) SELECT '`+user.String()+`', id, '`+follow.ID.String()+`' FROM law_changes`)

	var messages []string
	down := true
	d := &Digester{DB: db, Envelope: envelope(t), BaseURL: "https://droit.example", Interval: 24 * time.Hour, Log: slog.New(slog.DiscardHandler),
		Transport: send(func(_ context.Context, n *Notification) error {
			b, err := n.bytes()
			ok(t, err)
			messages = append(messages, string(b))
			if down {
				return errs.New(errs.Unavailable, "en panne")
			}
			return nil
		})}
	attempt := func() error {
		t.Helper()
		pgtest.Exec(t, address, `UPDATE alert_mails SET not_before = now() - interval '1 minute', lease_until = now() - interval '1 second' WHERE state = 'queued'`)
		ids, err := d.Due(t.Context(), 10)
		ok(t, err)
		if len(ids) != 1 {
			t.Fatalf("%d messages are due, want 1", len(ids))
		}
		return work.Run(t.Context(), d, ids[0])
	}
	_, err = d.Due(t.Context(), 10)
	ok(t, err)
	if err := attempt(); !errs.Is(err, errs.Unavailable) {
		t.Errorf("the mail server is down: %v", err)
	}
	down = false
	ok(t, attempt())
	if len(messages) != 2 || messages[0] != messages[1] {
		t.Fatalf("%d messages, or a second copy that differs", len(messages))
	}
	m, err := mail.ReadMessage(strings.NewReader(messages[0]))
	ok(t, err)
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	ok(t, err)
	text := strings.ReplaceAll(string(body), "\r\n", "\n")
	for _, want := range []string{"https://droit.example/textes/" + document, "https://droit.example/textes/" + document + "?article=" + article + "&date=2025-02-01", "Ce texte est entré au catalogue. (suivi : Travail)", "L’article 14 a une nouvelle rédaction par « Loi n° 2 », à partir du 1er février 2025."} {
		if !strings.Contains(text, want+"\n") && !strings.Contains(text, want+" (suivi") {
			t.Errorf("the digest lacks %q:\n%s", want, text)
		}
	}
	if m.Header.Get("Bcc") != "" || m.Header.Get("To") != "<awa@example.org>" || m.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Errorf("headers %v", m.Header)
	}
	stop, err := url.Parse(strings.Trim(m.Header.Get("List-Unsubscribe"), "<>"))
	ok(t, err)
	for range 2 { // a second click does no harm
		ok(t, db.StopAlertMail(t.Context(), sealed.HashToken(stop.Query().Get("token"))))
	}
	if on, err := db.AlertMail(t.Context(), user); err != nil || on {
		t.Errorf("after the link was used, mail is %v, %v", on, err)
	}
	if ids, err := d.Due(t.Context(), 10); err != nil || len(ids) != 0 {
		t.Errorf("due again: %v, %v", ids, err)
	}
}
