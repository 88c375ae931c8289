package notify

import (
	"context"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/wneessen/go-mail"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

// Digester sends the digests of alerts, and messages about webhooks. A message is a row and is
// sent like the notification of an inquiry. An account gets one digest per interval.
type Digester struct {
	DB        *postgres.DB
	Envelope  Envelope // sender of the messages
	Transport Transport
	BaseURL   string        // public address of the service, without a slash at the end
	Interval  time.Duration // between two digests to one account
	Log       *slog.Logger
}

// Plan describes the messages.
func (d *Digester) Plan() work.Plan {
	return work.Plan{Kind: queue.Digests, Poll: work.BackgroundPoll, Backoff: Backoff, Log: d.Log}
}

// Due begins the digests that are due, and selects messages that no worker holds.
func (d *Digester) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return d.DB.DueAlertMails(ctx, limit, d.Interval)
}

// Lease begins an attempt at a message.
func (d *Digester) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	m, err := d.DB.LeaseAlertMail(ctx, id)
	if err != nil {
		return nil, err
	}
	return &alertMail{Leased: work.Leased{Lease: m.Leased}, digester: d, mail: m}, nil
}

// alertMail is one attempt at one message.
type alertMail struct {
	work.Leased
	digester *Digester
	mail     postgres.AlertMail
}

// Work composes the message and delivers it. A message without a recipient, or a digest
// without alerts, is not sent.
func (j *alertMail) Work(ctx context.Context) error {
	if j.mail.Email == "" || j.mail.Kind == postgres.DigestMail && len(j.mail.Alerts) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	return j.digester.Transport.Send(ctx, composeAlerts(j.mail, j.digester.Envelope, j.digester.BaseURL))
}

// Attrs returns the attributes of the attempt's log record.
func (j *alertMail) Attrs() []slog.Attr {
	return []slog.Attr{slog.String("mail", j.mail.ID.String()), slog.String("kind", j.mail.Kind), slog.Int("alerts", len(j.mail.Alerts)+j.mail.More)}
}

// composeAlerts composes a message about alerts. The same row gives the same message, byte for
// byte. A digest can be stopped with one click (RFC 8058).
func composeAlerts(row postgres.AlertMail, e Envelope, base string) *Notification {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent(), mail.WithEncoding(mail.EncodingQP), mail.WithCharset(mail.CharsetUTF8))
	m.FromMailAddress(&e.From)
	m.ToMailAddress(&netmail.Address{Address: row.Email})
	_, domain, _ := strings.Cut(e.From.Address, "@")
	m.SetMessageIDWithValue("alert." + row.ID.String() + "@" + domain)
	m.SetDateWithValue(row.CreatedAt.UTC())
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	if row.Kind == postgres.WebhookMail {
		m.Subject("Un de vos webhooks a été éteint")
		m.SetBodyString(mail.TypeTextPlain, "Bonjour,\n\nRien n’a pu être remis depuis des jours à ce webhook, que le service a donc éteint :\n\n"+
			quote(row.About)+"\n\nVous pouvez le rallumer parmi vos alertes :\n\n"+base+"/compte\n\n-- \nVigueur\n")
		return &Notification{Name: "alert-" + row.ID.String(), msg: m}
	}
	m.Subject(fmt.Sprintf("Vos alertes : %s", countChanges(len(row.Alerts)+row.More)))
	m.SetGenHeader("List-Unsubscribe", "<"+base+"/api/v1/alerts/stop?token="+url.QueryEscape(row.Stop)+">")
	m.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	m.SetBodyString(mail.TypeTextPlain, digestText(row, base))
	return &Notification{Name: "alert-" + row.ID.String(), msg: m}
}

func countChanges(n int) string {
	if n == 1 {
		return "un changement"
	}
	return fmt.Sprintf("%d changements", n)
}

// digestText lists the alerts under the titles of their texts, each with the address of the
// article that has changed, if it is about one.
func digestText(row postgres.AlertMail, base string) string {
	var b strings.Builder
	b.WriteString("Bonjour,\n\nVoici ce qui a changé dans ce que vous suivez.\n")
	last := uuid.Nil
	for _, a := range row.Alerts {
		if a.Change.Document != last {
			last = a.Change.Document
			fmt.Fprintf(&b, "\n%s\n%s\n", law.Clip(line(a.Change.Title), 300), base+a.Change.TextPath())
		}
		fmt.Fprintf(&b, "  - %s (suivi : %s)\n", line(a.Change.Sentence()), law.Clip(line(a.Label), subjectLimit))
		if path := a.Change.Path(); path != a.Change.TextPath() {
			fmt.Fprintf(&b, "    %s\n", base+path)
		}
	}
	if row.More > 0 {
		fmt.Fprintf(&b, "\nEt %s de plus, que montre la page de vos alertes.\n", countChanges(row.More))
	}
	fmt.Fprintf(&b, "\nPour ne plus recevoir ces messages :\n%s\n\n-- \nVigueur\n", base+"/api/v1/alerts/stop?token="+url.QueryEscape(row.Stop))
	return b.String()
}
