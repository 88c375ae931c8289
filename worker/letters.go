package main

import (
	"log/slog"

	"vigueur/internal/config"
	"vigueur/internal/notify"
	"vigueur/internal/postgres"
)

// notifications makes what tells of inquiries: by a mail server where one is
// configured, else as files.
func notifications(c config.Worker, db *postgres.DB, log *slog.Logger) (*notify.Runner, error) {
	envelope, err := notify.ParseEnvelope(c.MailFrom, c.MailTo)
	if err != nil {
		return nil, err
	}
	r := &notify.Runner{DB: db, Envelope: envelope, Log: log}
	if c.SMTPURL != "" {
		r.Transport, err = notify.NewSMTP(c.SMTPURL)
	} else {
		r.Transport, err = notify.NewFolder(c.MailDir)
	}
	return r, err
}
