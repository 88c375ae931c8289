package main

import (
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/retention"
)

// keeper removes what was kept long enough. Messages are files only without a mail server.
func (w *worker) keeper() *retention.Keeper {
	c := w.config
	rules := retention.Rules{Keeping: postgres.Keeping{Conversations: config.Days(c.KeepConversations), Inquiries: config.Days(c.KeepInquiries),
		Usage: config.Days(c.KeepUsage)},
		Messages: config.Days(c.KeepMessages), Dir: c.MailDir}
	return &retention.Keeper{Rules: rules, Store: w.db, Log: w.log, Now: time.Now}
}
