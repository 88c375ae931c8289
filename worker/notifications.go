package main

import (
	"log/slog"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/notify"
)

// notifications returns the Runner of notifications. It sends mail to a server if one is
// configured, else it writes files.
func notifications(c config.Worker, db *postgres.DB, log *slog.Logger) (*notify.Runner, error) {
	envelope, err := notify.ParseEnvelope(c.MailFrom, c.MailTo)
	if err != nil {
		return nil, err
	}
	r := &notify.Runner{DB: db, Envelope: envelope, Log: log, Concurrency: c.Notifications}
	if c.SMTPURL != "" {
		r.Transport, err = notify.NewSMTP(c.SMTPURL)
	} else {
		r.Transport, err = notify.NewFolder(c.MailDir)
	}
	return r, err
}
