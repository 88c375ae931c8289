package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
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
	postgres.APIKey
	owner string
	days  int
}

func (a *app) keyCreateCommand() *cobra.Command {
	var k keyAsked
	c := &cobra.Command{
		Use: "create --owner E --name N --scope S… [--days N] [--per-minute N] [--per-day N]", Short: "Fait une clé et la montre, cette seule fois", Args: takes(0, 0, ""),
		Long:    "Fait une clé. Elle est seule sur la sortie standard ; ce qui en est dit va sur la sortie des erreurs.",
		Example: "  ingest keys create --owner a.b@exemple.org --name Intranet --scope chat,documents --days 90",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := k.check(); err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.keyCreate(c.Context(), db, k) })
		},
	}
	c.DisableFlagsInUseLine = true
	f := c.Flags()
	f.StringVar(&k.owner, "owner", "", "le compte pour qui la clé agit : `ADRESSE` ou identifiant")
	f.StringVar(&k.Name, "name", "", "`NOM` qui la fera reconnaître, dans le journal aussi")
	f.StringSliceVar(&k.Scopes, "scope", nil, "`PORTÉE` : chat, documents, ingest ou mcp ; plusieurs se séparent par des virgules")
	f.IntVar(&k.days, "days", postgres.KeyDays, "`JOURS` jusqu’à son expiration (365 sans cette option)")
	f.IntVar(&k.PerMinute, "per-minute", postgres.KeyPerMinute, "`APPELS` admis en une minute (60 sans cette option)")
	f.IntVar(&k.PerDay, "per-day", postgres.KeyPerDay, "`APPELS` admis en un jour, UTC (10000 sans cette option)")
	for _, name := range []string{"days", "per-minute", "per-day"} {
		f.Lookup(name).DefValue = "0" // otherwise, pflag would print the default value in English
	}
	return c
}

// check normalizes the arguments, or rejects them.
func (k *keyAsked) check() error {
	k.Name = strings.TrimSpace(k.Name)
	switch {
	case k.owner == "":
		return usage("Il manque --owner.")
	case k.Name == "" || utf8.RuneCountInString(k.Name) > postgres.KeyName || clean(k.Name) != k.Name || strings.Contains(k.Name, "\n"):
		return usage("--name attend un nom de 1 à %d caractères.", postgres.KeyName)
	case len(k.Scopes) == 0:
		return usage("Il manque --scope : %s.", strings.Join(postgres.KeyScopes(), ", "))
	}
	for i, scope := range k.Scopes {
		if !slices.Contains(postgres.KeyScopes(), scope) {
			return usage("--scope ne peut pas valoir « %s » : %s.", cleanLine(scope), strings.Join(postgres.KeyScopes(), ", "))
		}
		if slices.Contains(k.Scopes[:i], scope) {
			return usage("--scope donne « %s » deux fois.", scope)
		}
	}
	for _, n := range []struct {
		name        string
		value, most int
	}{{"days", k.days, postgres.KeyDaysMost}, {"per-minute", k.PerMinute, postgres.KeyPerMinuteMost}, {"per-day", k.PerDay, postgres.KeyPerDayMost}} {
		if n.value < 1 || n.value > n.most {
			return usage("--%s attend un nombre de 1 à %d.", n.name, n.most)
		}
	}
	return nil
}

func (a *app) keyCreate(ctx context.Context, db *postgres.DB, k keyAsked) error {
	return a.withUser(ctx, db, k.owner, func(u postgres.User) error {
		var key string
		var hash []byte
		k.ID, k.Owner, k.ExpiresAt = postgres.NewID(), u.ID, time.Now().AddDate(0, 0, k.days)
		key, k.Prefix, hash = auth.NewKey()
		made, err := db.CreateKey(ctx, k.APIKey, hash)
		if err != nil {
			return err
		}
		if a.json {
			return writeJSON(a.out, struct {
				keyView
				Key string `json:"key"`
			}{keyViewOf(made), key})
		}
		fmt.Fprintf(a.err, "La clé « %s » de %s (%s) vaut jusqu’au %s. Elle n’est montrée que cette fois :\n",
			made.Name, u.Email, strings.Join(made.Scopes, ", "), moment(made.ExpiresAt))
		_, err = fmt.Fprintln(a.out, key)
		return err
	})
}

// keyView is the printed form of a key.
type keyView struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"`
	UserID     uuid.UUID  `json:"user_id"`
	UserEmail  string     `json:"user_email"`
	Scopes     []string   `json:"scopes"`
	PerMinute  int        `json:"per_minute"`
	PerDay     int        `json:"per_day"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  time.Time  `json:"expires_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
}

func keyViewOf(k postgres.APIKey) keyView {
	return keyView{ID: k.ID, Name: k.Name, Prefix: k.Prefix, UserID: k.Owner, UserEmail: k.OwnerEmail, Scopes: k.Scopes, PerMinute: k.PerMinute,
		PerDay: k.PerDay, CreatedAt: k.CreatedAt.UTC(), ExpiresAt: k.ExpiresAt.UTC(), LastUsedAt: utc(k.LastUsedAt), RevokedAt: utc(k.RevokedAt)}
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	shown := t.UTC()
	return &shown
}

// keysOnPage is the number of keys that are read at a time.
const keysOnPage = 500

func (a *app) keyListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les clés, celles qui ne valent plus aussi", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.keyList(c.Context(), db) })
		},
	}
}

func (a *app) keyList(ctx context.Context, db *postgres.DB) error {
	list := []keyView{}
	t := table{head: []string{"CLÉ", "NOM", "COMPTE", "PORTÉES", "ÉTAT", "QUOTA", "DERNIER APPEL", "ID"}, omit: []string{"QUOTA", "DERNIER APPEL", "PORTÉES"}}
	var ids []uuid.UUID
	for before := (*time.Time)(nil); ; {
		keys, next, err := db.Keys(ctx, before, keysOnPage)
		if err != nil {
			return err
		}
		for _, k := range keys {
			used := "jamais"
			if k.LastUsedAt != nil {
				used = moment(*k.LastUsedAt)
			}
			list, ids = append(list, keyViewOf(k)), append(ids, k.ID)
			t.add(k.Prefix+"…", k.Name, k.OwnerEmail, strings.Join(k.Scopes, ","), keyState(k), fmt.Sprintf("%d/min, %d/jour", k.PerMinute, k.PerDay), used, k.ID)
		}
		if before = next; next == nil {
			break
		}
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	var err error
	if t.ids, err = a.shortIDs(ctx, db, apiKeys, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucune clé. Faites la première : ingest keys create …")
}

// keyState returns the French name of a key's state, by this machine's clock.
func keyState(k postgres.APIKey) string {
	switch {
	case k.RevokedAt != nil:
		return "révoquée le " + moment(*k.RevokedAt)
	case time.Now().After(k.ExpiresAt):
		return "expirée le " + moment(k.ExpiresAt)
	}
	return "vaut jusqu’au " + moment(k.ExpiresAt)
}

func (a *app) keyRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Révoque une clé, à l’instant", Args: takes(1, 1, "l’identifiant de la clé"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := typedID(apiKeys, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				id, err := meant.find(c.Context(), db)
				if err != nil {
					return err
				}
				return a.keyRevoke(c.Context(), db, id)
			})
		},
	}
}

func (a *app) keyRevoke(ctx context.Context, db *postgres.DB, id uuid.UUID) error {
	err := db.RevokeKey(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return apiKeys.absent(id)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": id, "revoked": true})
	}
	_, err = fmt.Fprintln(a.outcome(), "La clé est révoquée.")
	return err
}
