package main

import (
	"regexp"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/admin"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	run := func(args ...string) result {
		t.Helper()
		return d.runWith(t.Context(), "", nil, append([]string{"keys"}, args...)...)
	}
	run("list").want(t, exitDone, "Aucune clé.")
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin").want(t, exitDone, "est créé")
	made := run("create", "--owner", "lise@vigueur.local", "--name", " Intranet ", "--scope", "chat,documents", "--days", "90")
	made.want(t, exitDone, "vig_")
	key := strings.TrimSpace(made.out)
	if !regexp.MustCompile(`^vig_[0-9A-Za-z]{49}$`).MatchString(key) || !strings.Contains(made.err, "« Intranet » de lise@vigueur.local (chat, documents)") || strings.Contains(made.err, key) {
		t.Errorf("made %q, told %q", made.out, made.err)
	}
	hash, _ := auth.HashKey(key)
	k, u, err := d.db(t).UseKey(t.Context(), hash)
	if err != nil || u.Email != "lise@vigueur.local" || k.Name != "Intranet" || k.PerMinute != 60 || k.PerDay != 10_000 {
		t.Errorf("%+v of %+v, %v", k, u, err)
	}
	run("create", "--owner", k.Owner.String(), "--name", "B", "--scope", "chat", "--json").want(t, exitDone, `"key": "vig_`, `"scopes": [`)
	run("list").want(t, exitDone, key[:12]+"…", "Intranet", "chat,documents", "60/min, 10000/jour", "vaut jusqu’au")
	if list := items[admin.ApiKeyBody](t, run("list", "--json")); len(list) != 2 || list[1].ID != k.ID || list[1].LastUsedAt == nil {
		t.Errorf("%+v", list)
	}
	run("revoke", k.ID.String()).want(t, exitDone, "La clé est révoquée.")
	run("list").want(t, exitDone, "révoquée le")
	if _, _, err := d.db(t).UseKey(t.Context(), hash); !errs.Is(err, errs.NotFound) {
		t.Errorf("a key that was revoked: %v", err)
	}
	run("revoke", k.ID.String(), "--json").want(t, exitDone, `"revoked": true`)
	run("revoke", "ffffffff").want(t, exitFailed, "Aucune clé")
	run("revoke", "ffffffff-ffff-4fff-bfff-ffffffffffff").want(t, exitFailed, "Aucune clé")
}

func TestKeysThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin").want(t, exitDone, "est créé")
	for told, args := range map[string][]string{
		"Il manque --owner":            {"--name", "N", "--scope", "chat"},
		"Il manque --name":             {"--owner", "lise@vigueur.local", "--scope", "chat"},
		"Il manque --scope":            {"--owner", "lise@vigueur.local", "--name", "N"},
		"--scope : Valeur attendue":    {"--owner", "lise@vigueur.local", "--name", "N", "--scope", "root"},
		"donnée deux fois":             {"--owner", "lise@vigueur.local", "--name", "N", "--scope", "chat", "--scope", "chat"},
		"--days : ":                    {"--owner", "lise@vigueur.local", "--name", "N", "--scope", "chat", "--days", "0"},
		"--per-minute : ":              {"--owner", "lise@vigueur.local", "--name", "N", "--scope", "chat", "--per-minute", "6001"},
		"Aucun compte pour personne@x": {"--owner", "personne@x.fr", "--name", "N", "--scope", "chat"},
		"il faut un éditeur":           {"--owner", "lise@vigueur.local", "--name", "N", "--scope", "ingest"},
	} {
		t.Run(told, func(t *testing.T) {
			r := d.runWith(t.Context(), "", nil, append([]string{"keys", "create"}, args...)...)
			if r.code == exitDone || !strings.Contains(r.err, told) {
				t.Errorf("%q: %d, %q", told, r.code, r.err)
			}
		})
	}
	d.runWith(t.Context(), "", nil, "keys", "create", "--owner", operator, "--name", "N", "--scope", "chat").want(t, exitFailed, "Aucun compte")
}
