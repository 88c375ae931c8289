package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/admin"
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
			if w.limit < 1 || w.limit > 10000 {
				return usage("--limit va de 1 à 10000.")
			}
			return a.withServer(c.Context(), func(s *server) error {
				q := url.Values{}
				for name, value := range map[string]string{"action": w.action, "from": w.since, "to": w.until} {
					if value != "" {
						q.Set(name, strings.TrimSpace(value))
					}
				}
				if w.user != "" {
					u, err := s.account(c.Context(), w.user)
					if err != nil {
						return err
					}
					q.Set("user", u.ID.String())
				}
				return a.auditList(c.Context(), s, q, w.limit)
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

func (a *app) auditList(ctx context.Context, s *server, q url.Values, most int) error {
	list, more, err := listUpTo[admin.AuditBody](ctx, s, "/admin/audit", q, most)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"LE", "PAR", "ACTION", "OBJET", "DÉTAILS"}, omit: []string{"DÉTAILS"}}
	for _, e := range list {
		by := "compte effacé"
		switch {
		case e.UserID == nil && withoutAccount(string(e.Action), e.Details):
			by = "sans compte"
		case e.UserID == nil:
			by = "opérateur"
		case e.Email != nil:
			by = *e.Email
		}
		if e.KeyID != nil && e.KeyName != nil {
			by += " (clé " + *e.KeyName + ")"
		}
		t.add(momentOf(e.At), by, e.Action, e.Object, string(e.Details))
	}
	if err := t.write(a.out, "Aucune action."); err != nil || len(list) == 0 {
		return err
	}
	rest := ""
	if more {
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
