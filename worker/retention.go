package main

import (
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/retention"
)

// keeper returns the Keeper that removes data past its retention period. It removes
// messages only if there is no mail server, because only then are they files.
func (w *worker) keeper() *retention.Keeper {
	c := w.config
	rules := retention.Rules{Keeping: postgres.Keeping{Conversations: config.Days(c.KeepConversations), Inquiries: config.Days(c.KeepInquiries),
		Usage: config.Days(c.KeepUsage)},
		Messages: config.Days(c.KeepMessages), Dir: c.MailDir}
	return &retention.Keeper{Rules: rules, Store: w.db, Log: w.log, Now: time.Now}
}
