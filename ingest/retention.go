package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/retention"
)

// retention runs « retention ».
func (a *app) retention(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error { return a.retain(ctx, db, in.has("dry-run")) })
}

// outdated is the printed form of the data that was deleted, or would be.
type outdated struct {
	DryRun        bool     `json:"dry_run"`
	Conversations int      `json:"conversations"`
	Inquiries     int      `json:"inquiries"`
	Messages      int      `json:"messages"`
	Usage         int      `json:"model_usage"`
	Months        []string `json:"audit_months"`
}

func (a *app) retain(ctx context.Context, db *postgres.DB, dry bool) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	k := &retention.Keeper{Store: db, Now: time.Now, Rules: retention.Rules{Keeping: postgres.Keeping{
		Conversations: config.Days(c.KeepConversations), Inquiries: config.Days(c.KeepInquiries),
		Usage: config.Days(c.KeepUsage), Audit: config.Days(c.KeepAudit),
	}, Messages: config.Days(c.KeepMessages), Dir: c.MailDir}}
	o, err := removeOutdated(ctx, k, c.Owner(), dry)
	if err != nil {
		return err
	}
	shown := outdated{dry, o.Conversations, o.Inquiries, o.Messages, o.Usage, append([]string{}, o.Months...)}
	if a.json {
		return writeJSON(a.out, shown)
	}
	verb := "supprimés"
	if dry {
		verb = "à supprimer"
	}
	_, err = fmt.Fprintf(a.outcome(), "%s : %s, %s, %s, %s de consommation des modèles, %s du journal%s.\n", verb, count(o.Conversations, "conversation"), count(o.Inquiries, "demande"),
		count(o.Messages, "message"), count(o.Usage, "ligne"), monthsOf(len(o.Months)), inBrackets(o.Months))
	return err
}

// removeOutdated deletes the data that is past its retention period; with dry, it only counts it.
// The months of the log come first: if owner must not drop them, nothing is deleted.
func removeOutdated(ctx context.Context, k *retention.Keeper, owner string, dry bool) (o retention.Outdated, err error) {
	if dry {
		return k.Look(ctx)
	}
	var months []string
	if k.Audit > 0 {
		if months, err = dropMonths(ctx, owner, k.Keeping); err != nil {
			return o, err
		}
	}
	o, err = k.All(ctx)
	o.Months = months
	return o, err
}

// dropMonths drops months of the audit log as the owner of the tables.
func dropMonths(ctx context.Context, owner string, k postgres.Keeping) ([]string, error) {
	db, err := postgres.Open(ctx, owner)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.DropAuditMonths(ctx, k)
}

// monthsOf formats a number of months. « mois » is also the plural.
func monthsOf(n int) string { return fmt.Sprintf("%d mois", n) }

func inBrackets(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}
