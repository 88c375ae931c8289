package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
)

func (a *app) keysCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "keys", Short: "Fait, liste et révoque les clés d’API",
		Long: "Fait, liste et révoque les clés d’API. Une clé agit pour un compte, dans ses portées : chat (questions et\n" +
			"conversations du compte), documents (le catalogue), ingest (ajouter et suivre des gazettes, pour un éditeur).\n" +
			"Elle n’est montrée qu’une fois : seule son empreinte est gardée."})
	c.AddCommand(a.keyCreateCommand(), a.keyListCommand(), a.keyRevokeCommand())
	return c
}

// keyAsked is the requested key.
type keyAsked struct {
	Owner     uuid.UUID `json:"user_id"`
	Name      string    `json:"name"`
	Scopes    []string  `json:"scopes"`
	Days      int       `json:"expires_in_days"`
	PerMinute int       `json:"per_minute"`
	PerDay    int       `json:"per_day"`
}

func (a *app) keyCreateCommand() *cobra.Command {
	var k keyAsked
	var owner string
	c := &cobra.Command{
		Use: "create --owner E --name N --scope S… [--days N] [--per-minute N] [--per-day N]", Short: "Fait une clé et la montre, cette seule fois", Args: takes(0, 0, ""),
		Long:    "Fait une clé. Elle est seule sur la sortie standard ; ce qui en est dit va sur la sortie des erreurs.",
		Example: "  ingest keys create --owner a.b@exemple.org --name Intranet --scope chat,documents --days 90",
		RunE: func(c *cobra.Command, _ []string) error {
			k.Name = strings.TrimSpace(k.Name)
			switch {
			case owner == "":
				return usage("Il manque --owner.")
			case k.Name == "":
				return usage("Il manque --name.")
			case len(k.Scopes) == 0:
				return usage("Il manque --scope : %s.", strings.Join(postgres.KeyScopes(), ", "))
			}
			return a.withServer(c.Context(), func(s *server) error {
				of, err := s.account(c.Context(), owner)
				if err != nil {
					return err
				}
				k.Owner = of.ID
				return a.keyCreate(c.Context(), s, k)
			})
		},
	}
	c.DisableFlagsInUseLine = true
	f := c.Flags()
	f.StringVar(&owner, "owner", "", "le compte pour qui la clé agit : `ADRESSE` ou identifiant")
	f.StringVar(&k.Name, "name", "", "`NOM` qui la fera reconnaître, dans le journal aussi")
	f.StringSliceVar(&k.Scopes, "scope", nil, "`PORTÉE` : chat, documents, ingest ou mcp ; plusieurs se séparent par des virgules")
	f.IntVar(&k.Days, "days", postgres.KeyDays, "`JOURS` jusqu’à son expiration (365 sans cette option)")
	f.IntVar(&k.PerMinute, "per-minute", postgres.KeyPerMinute, "`APPELS` admis en une minute (60 sans cette option)")
	f.IntVar(&k.PerDay, "per-day", postgres.KeyPerDay, "`APPELS` admis en un jour, UTC (10000 sans cette option)")
	for _, name := range []string{"days", "per-minute", "per-day"} {
		f.Lookup(name).DefValue = "0" // otherwise, pflag would print the default value in English
	}
	return c
}

func (a *app) keyCreate(ctx context.Context, s *server, k keyAsked) error {
	var made admin.NewKeyBody
	if err := s.call(ctx, http.MethodPost, "/admin/keys", nil, k, &made); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, made)
	}
	fmt.Fprintf(a.err, "La clé « %s » de %s (%s) vaut jusqu’au %s. Elle n’est montrée que cette fois :\n",
		made.Name, made.UserEmail, strings.Join(made.Scopes, ", "), momentOf(made.ExpiresAt))
	_, err := fmt.Fprintln(a.out, made.Key)
	return err
}

func (a *app) keyListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les clés, celles qui ne valent plus aussi", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.keyList(c.Context(), s) })
		},
	}
}

func (a *app) keyList(ctx context.Context, s *server) error {
	list, err := listAll[admin.KeyBody](ctx, s, "/admin/keys", nil)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"CLÉ", "NOM", "COMPTE", "PORTÉES", "ÉTAT", "QUOTA", "DERNIER APPEL", "ID"}, omit: []string{"QUOTA", "DERNIER APPEL", "PORTÉES"}}
	ids := make([]uuid.UUID, len(list))
	for i, k := range list {
		used := "jamais"
		if k.LastUsedAt != nil {
			used = momentOf(*k.LastUsedAt)
		}
		ids[i] = k.ID
		t.add(k.Prefix+"…", k.Name, k.UserEmail, strings.Join(k.Scopes, ","), keyState(k), fmt.Sprintf("%d/min, %d/jour", k.PerMinute, k.PerDay), used, k.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Aucune clé. Faites la première : ingest keys create …")
}

// keyState returns the French name of a key's state, by this machine's clock.
func keyState(k admin.KeyBody) string {
	switch {
	case k.RevokedAt != nil:
		return "révoquée le " + momentOf(*k.RevokedAt)
	case time.Now().After(timeOf(k.ExpiresAt)):
		return "expirée le " + momentOf(k.ExpiresAt)
	}
	return "vaut jusqu’au " + momentOf(k.ExpiresAt)
}

func (a *app) keyRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Révoque une clé, à l’instant", Args: takes(1, 1, "l’identifiant de la clé"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				id, err := s.find(c.Context(), apiKeys, args[0])
				if err != nil {
					return err
				}
				if err := s.call(c.Context(), http.MethodDelete, "/admin/keys/"+id.String(), nil, nil, nil); err != nil {
					return apiKeys.orAbsent(err, id)
				}
				return a.said(map[string]any{"id": id, "revoked": true}, "La clé est révoquée.")
			})
		},
	}
}
