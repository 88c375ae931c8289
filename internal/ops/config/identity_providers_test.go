package config

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestProvidersOfIdentities(t *testing.T) {
	t.Parallel()
	environ := good()
	if c, err := LoadAPI(environ); err != nil || len(c.Providers()) != 0 {
		t.Fatalf("without settings there are %v, %v", c.Providers(), err)
	}
	environ["VIGUEUR_OIDC_TRUST_EMAIL"] = "barreau"
	set := func(ids, issuers, names, clients, secrets, domains string) error {
		for name, value := range map[string]string{"PROVIDERS": ids, "ISSUERS": issuers, "NAMES": names, "CLIENT_IDS": clients, "CLIENT_SECRETS": secrets, "SIGNUP_DOMAINS": domains} {
			environ["VIGUEUR_OIDC_"+name] = value
		}
		c, err := LoadAPI(environ)
		if err == nil && (c.Providers()[0] != IdentityProvider{"ministere", "https://id.example/realms/a", "Le ministère", "vigueur", "s1", false} ||
			c.Providers()[1] != IdentityProvider{"barreau", "http://127.0.0.1:9", "barreau", "v2", "", true}) {
			t.Errorf("read %+v", c.Providers())
		}
		return err
	}
	const two, issuers, clients = "ministere,barreau", "https://id.example/realms/a,http://127.0.0.1:9", "vigueur,v2"
	if err := set(two, issuers, "Le ministère", clients, "s1", "justice.example"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a name in capitals":  {set("Ministere,barreau", issuers, "", clients, "", ""), "VIGUEUR_OIDC_PROVIDERS"},
		"a name twice":        {set("barreau,barreau", issuers, "", clients, "", ""), "déjà pris"},
		"no address":          {set(two, "https://id.example", "", clients, "", ""), "VIGUEUR_OIDC_ISSUERS : 1 valeurs pour les 2"},
		"no client":           {set(two, issuers, "", "vigueur", "", ""), "VIGUEUR_OIDC_CLIENT_IDS"},
		"an address in clear": {set(two, "http://id.example,http://127.0.0.1:9", "", clients, "", ""), "doit être en https"},
		"one address twice":   {set(two, "https://id.example,https://id.example", "", clients, "", ""), "deux fois"},
		"a name in it":        {set(two, "https://a:b@id.example,http://127.0.0.1:9", "", clients, "", ""), "ne doit porter ni nom"},
		"too many secrets":    {set(two, issuers, "", clients, "tresor-un,tresor-deux,tresor-trois", ""), "VIGUEUR_OIDC_CLIENT_SECRETS : 3 valeurs"},
		"no domain":           {set(two, issuers, "", clients, "", "Justice.example"), "VIGUEUR_OIDC_SIGNUP_DOMAINS"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.err == nil || !strings.Contains(errs.Public(c.err), c.want) || strings.Contains(errs.Public(c.err), "tresor") {
				t.Errorf("%s: %v", name, c.err)
			}
		})
	}
}
