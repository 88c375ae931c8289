package main

import (
	"strings"
	"time"

	"vigueur/internal/work"
	"vigueur/internal/work/alerts"
	"vigueur/internal/work/notify"
)

// webhooksAtOnce is the number of deliveries to webhooks that a process sends at once. A
// receiver that does not answer holds one for alerts.ResponseLimit.
const webhooksAtOnce = 4

// digestInterval is the interval between two digests of alerts to one account.
const digestInterval = 24 * time.Hour

// alerts returns the workers that tell accounts of changes of the law.
func (w *worker) alerts() []work.Worker {
	c, base := w.config, strings.TrimRight(w.config.BaseURL, "/")
	return []work.Worker{
		&alerts.Matcher{DB: w.db, Log: w.log},
		&notify.Digester{DB: w.db, Envelope: w.notifications.Envelope, Transport: w.notifications.Transport, BaseURL: base, Interval: digestInterval, Log: w.log},
		&alerts.Sender{DB: w.db, Off: !c.SendWebhooks, BaseURL: base, Allowed: c.WebhookHosts, Now: time.Now, Log: w.log, Concurrency: webhooksAtOnce},
	}
}
