package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/store/postgres"
)

// auditWanted are the filters of « audit list » as they were typed.
type auditWanted struct {
	user, action, since, until string
	limit                      int
}

func (a *app) auditListCommand() *cobra.Command {
	var w auditWanted
	c := &cobra.Command{
		Use: "list [--user COMPTE] [--action ACTION] [--since JOUR] [--until JOUR] [--limit N]", Short: "Liste les actions du journal, la plus récente d’abord", Args: takes(0, 0, ""),
		Example:               "  ingest audit list --action document.delete\n  ingest audit list --user a.b@exemple.org --since 2026-01-01",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			q, err := w.query()
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				if w.user == "" {
					return a.auditList(c.Context(), db, q)
				}
				return a.withUser(c.Context(), db, w.user, func(u postgres.User) error {
					q.User = &u.ID
					return a.auditList(c.Context(), db, q)
				})
			})
		},
	}
	c.Flags().StringVar(&w.user, "user", "", "`COMPTE` qui a agi : son adresse ou son identifiant")
	c.Flags().StringVar(&w.action, "action", "", "`ACTION` : document.delete, user.create… (la complétion les nomme)")
	c.Flags().StringVar(&w.since, "since", "", "premier jour, `AAAA-MM-JJ` (UTC)")
	c.Flags().StringVar(&w.until, "until", "", "dernier jour, `AAAA-MM-JJ` (UTC)")
	number(c, &w.limit, "limit", 100, "`N` actions au plus")
	return c
}

// query checks the filters, except the account.
func (w auditWanted) query() (q postgres.AuditQuery, err error) {
	if w.limit < 1 || w.limit > 10000 {
		return q, usage("--limit va de 1 à 10000.")
	}
	if w.action != "" && !slices.Contains(postgres.Actions(), postgres.Action(w.action)) {
		return q, usage("--action ne peut pas valoir « %s » : %s.", cleanLine(w.action), joined(postgres.Actions()))
	}
	q.Action, q.Limit = postgres.Action(w.action), w.limit
	if q.From, err = dayOption("--since", w.since); err != nil {
		return q, err
	}
	if q.To, err = dayOption("--until", w.until); err == nil && q.To != nil {
		end := q.To.AddDate(0, 0, 1)
		q.To = &end
	}
	return q, err
}

// dayOption parses a day; nil for "".
func dayOption(option, value string) (*time.Time, error) {
	if value == "" {
		return nil, nil
	}
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(value))
	if err != nil {
		return nil, usage("%s attend une date de la forme AAAA-MM-JJ, pas « %s ».", option, cleanLine(value))
	}
	return &day, nil
}

// auditLine is the printed form of an action.
type auditLine struct {
	ID      int64           `json:"id"`
	At      time.Time       `json:"at"`
	UserID  *uuid.UUID      `json:"user_id"` // null: the command line
	Email   string          `json:"user_email"`
	KeyID   *uuid.UUID      `json:"api_key_id"`
	Action  postgres.Action `json:"action"`
	Object  string          `json:"object"`
	Details json.RawMessage `json:"details"`
}

func (a *app) auditList(ctx context.Context, db *postgres.DB, q postgres.AuditQuery) error {
	list, next, err := db.Audit(ctx, q)
	if err != nil {
		return err
	}
	// Entries of one microsecond stay together, so there may be more than the limit.
	if more := len(list) > q.Limit; more {
		list = list[:q.Limit]
	}
	if err := db.Note(ctx, postgres.AuditRead, "", map[string]any{"entries": len(list)}); err != nil {
		return err
	}
	lines := make([]auditLine, len(list))
	t := table{head: []string{"LE", "PAR", "ACTION", "OBJET", "DÉTAILS"}, omit: []string{"DÉTAILS"}}
	for i, e := range list {
		lines[i] = auditLine{e.ID, e.At.UTC(), e.UserID, e.Email, e.Key, e.Action, e.Object, e.Details}
		by := e.Email
		switch {
		case e.UserID == nil && withoutAccount(string(e.Action), e.Details):
			by = "sans compte"
		case e.UserID == nil:
			by = "opérateur"
		case by == "":
			by = "compte effacé"
		}
		if e.Key != nil {
			by += " (clé " + e.KeyName + ")"
		}
		t.add(moment(e.At), by, e.Action, e.Object, string(e.Details))
	}
	if a.json {
		return writeList(a.out, lines, len(lines))
	}
	if err := t.write(a.out, "Aucune action."); err != nil || len(list) == 0 {
		return err
	}
	rest := ""
	if next != nil {
		rest = " Il peut y en avoir d’autres : --limit, --until"
	}
	_, err = fmt.Fprintf(a.out, "%s.%s\n", count(len(list), "action"), rest)
	return err
}

// withoutAccount reports whether a line without an account is of somebody who has none or could
// not sign in, and not of the operator: as the page tells it.
func withoutAccount(action string, of json.RawMessage) bool {
	var told struct {
		Anonymous bool `json:"anonymous"`
	}
	return strings.HasPrefix(action, "auth.") || json.Unmarshal(of, &told) == nil && told.Anonymous
}
