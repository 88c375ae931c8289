package notify

import (
	"context"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"time"

	"github.com/wneessen/go-mail"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
)

// postEvery is the polling interval for messages to users, who wait for them.
const postEvery = 2 * time.Second

// Post sends messages with a link to the owners of addresses. A message is a row and is
// sent like an inquiry's, but at most five times: users who are still waiting then ask
// again. The link's token is generated for the attempt and is only in the message, so a
// second copy, after a worker crashed, has another link, and the link in the first copy is
// invalid.
type Post struct {
	DB        *postgres.DB
	Envelope  Envelope // sender of the messages
	Lives     postgres.LinkLives
	Transport Transport
	Log       *slog.Logger
}

// Run sends due messages until ctx ends.
func (p *Post) Run(ctx context.Context) {
	for tick := time.NewTicker(postEvery); ; {
		for ctx.Err() == nil {
			if sent, err := p.Next(ctx); !sent {
				if err != nil && ctx.Err() == nil {
					p.Log.WarnContext(ctx, "account notification", "error", err)
				}
				break
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}

// Next sends the next due message; sent is false if none is due or it could not be sent.
func (p *Post) Next(ctx context.Context) (sent bool, err error) {
	token, hash := sealed.NewToken()
	row, err := p.DB.LeaseAccountNotification(ctx, hash, p.Lives)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sending, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	err = p.Transport.Send(sending, composeAccount(row, token, p.Envelope, time.Now()))
	settling, done := work.LastWrite(ctx)
	defer done()
	p.Log.LogAttrs(ctx, level(err), "account notification", slog.String("notification", row.ID.String()), slog.String("kind", row.Kind),
		slog.Int("attempt", row.Attempt), slog.Any("error", err))
	if err != nil {
		return false, row.Retry(settling, errs.Public(err), Backoff(row.Attempt))
	}
	return true, row.Finish(settling)
}

// composeAccount composes a message to the owner of an address. It does not contain the
// name, which a stranger may have entered.
func composeAccount(l postgres.AccountNotification, token string, e Envelope, now time.Time) *Notification {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent(), mail.WithEncoding(mail.EncodingQP), mail.WithCharset(mail.CharsetUTF8))
	m.FromMailAddress(&e.From)
	m.ToMailAddress(&netmail.Address{Address: l.Email})
	m.SetMessageID()
	m.SetDateWithValue(now.UTC())
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	subject, words := accountWords(l, token)
	m.Subject(subject)
	m.SetBodyString(mail.TypeTextPlain, words)
	return &Notification{Name: fmt.Sprintf("%s-%d", l.ID, l.Attempt), msg: m}
}

func accountWords(l postgres.AccountNotification, token string) (subject, words string) {
	const ignore = "Si vous n’avez rien demandé, ne faites rien : sans ce lien, rien ne change.\n\n-- \nVigueur\n"
	link := l.Link + token
	switch {
	case l.Kind == postgres.ResetNotification:
		return "Votre mot de passe", fmt.Sprintf("Bonjour,\n\nUn nouveau mot de passe a été demandé pour votre compte. Pour le choisir :\n\n%s\n\n"+
			"Ce lien sert une seule fois, jusqu’au %s. Toutes vos sessions seront fermées.\n\n", link, day(l.Expires.UTC())) + ignore
	case l.Known:
		return "Vous avez déjà un compte", "Bonjour,\n\nUne inscription a été demandée avec votre adresse, qui a déjà un compte. " +
			"Connectez-vous avec lui ; si vous ne savez plus son mot de passe, demandez-en un autre depuis la page de connexion.\n\n" +
			"Si vous n’avez rien demandé, ne faites rien.\n\n-- \nVigueur\n"
	}
	return "Confirmez votre inscription", fmt.Sprintf("Bonjour,\n\nUne inscription a été demandée avec votre adresse. Pour la confirmer et choisir un mot de passe :\n\n%s\n\n"+
		"Ce lien sert une seule fois, jusqu’au %s.\n\n", link, day(l.Expires.UTC())) + ignore
}
