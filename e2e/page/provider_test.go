package page

import (
	"net/http"
	"net/url"
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/internal/web/idp/idptest"
)

// atProviders opens a tab at a service of the one that answers at once whose people may
// come by a provider of identities.
func atProviders(t *testing.T, p *idptest.Provider) *visit {
	t.Helper()
	v := atPage(t)
	settings := map[string]string{
		"VIGUEUR_OIDC_PROVIDERS": "ministere", "VIGUEUR_OIDC_NAMES": "le ministère", "VIGUEUR_OIDC_ISSUERS": p.URL,
		"VIGUEUR_OIDC_CLIENT_IDS": idptest.Client, "VIGUEUR_OIDC_CLIENT_SECRETS": idptest.Secret, "VIGUEUR_OIDC_SIGNUP_DOMAINS": signupDomain,
	}
	for name, value := range settings {
		v.service.Set(name, value)
	}
	var api *stage.Process
	api, err := v.service.API(t.Context())
	for name := range settings {
		v.service.Set(name, "")
	}
	must(t, err)
	tab, err := world.chrome.Tab(api.URL)
	must(t, err)
	t.Cleanup(tab.Close)
	return &visit{Tab: tab, t: t, service: v.service}
}

// A person signs in by a provider: the browser goes there and comes back, to where it was
// to go; what comes back is good once, and whoever may not enter is told why.
func TestSigningInByAProvider(t *testing.T) {
	p := idptest.New(t)
	v, source := atProviders(t, p), axe(t)
	const button = "Se connecter par le ministère"

	p.Know(idptest.Person{Subject: "1", Email: "ada@ailleurs.example", Verified: true})
	must(t, v.Open("/connexion"), v.See(button))
	v.judge(source, screen{name: "connexion par un fournisseur"})
	must(t, v.Press(button), v.See("Revenir à la connexion"), v.See("administrateur"))

	p.Set(func(p *idptest.Provider) {
		p.Before = func(w http.ResponseWriter, r *http.Request) bool { // the person gives it up
			back, err := url.Parse(r.URL.Query().Get("redirect_uri"))
			if r.URL.Path != "/authorize" || err != nil {
				return false
			}
			back.RawQuery = url.Values{"error": {"access_denied"}, "state": {r.URL.Query().Get("state")}}.Encode()
			http.Redirect(w, r, back.String(), http.StatusFound)
			return true
		}
	})
	must(t, v.Open("/connexion"), v.Press(button), v.See("n’a laissé entrer personne"))
	p.Set(func(p *idptest.Provider) { p.Before = nil })

	p.Know(idptest.Person{Subject: "2", Email: "maud@" + signupDomain, Name: "Maud Lancel", Verified: true})
	must(t, v.Open("/compte"), v.Press(button), v.See("maud@"+signupDomain), v.Await(`location.pathname === "/compte" && location.search === ""`))
	must(t, v.Open("/compte"), v.See("maud@"+signupDomain)) // a reload: the session is the cookie's
	must(t, v.Press("Quitter"), v.See("Se connecter"))
	must(t, v.Open("/connexion/retour/ministere?code=x&state="+url.QueryEscape(p.Asked.Get("state"))), v.See("La connexion a trop duré"))
	cookies, err := browser.Eval[string](v.Tab, `document.cookie`)
	must(t, err)
	if cookies != "" {
		t.Errorf("scripts read the cookies %q", cookies)
	}
	v.blameless("400 (Bad Request", "403 (Forbidden", "request to another host: "+p.URL)
}
