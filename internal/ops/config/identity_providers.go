package config

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Identities are the identity providers with which people can sign in. All lists have one
// value per provider, in the same order.
type Identities struct {
	OIDCIDs     []string `env:"VIGUEUR_OIDC_PROVIDERS" help:"fournisseurs d’identité (OpenID Connect) où l’on peut se connecter : un nom court pour chacun, comme ministere ; vide : aucun"`
	OIDCIssuers []string `env:"VIGUEUR_OIDC_ISSUERS" help:"leurs adresses (issuer), dans le même ordre : https://…"`
	OIDCNames   []string `env:"VIGUEUR_OIDC_NAMES" help:"ce que disent leurs boutons, dans le même ordre ; vide : le nom court"`
	OIDCClients []string `env:"VIGUEUR_OIDC_CLIENT_IDS" help:"sous quel identifiant le service y est inscrit, dans le même ordre"`
	OIDCSecrets []string `env:"VIGUEUR_OIDC_CLIENT_SECRETS" secret:"all" help:"les secrets qui vont avec, dans le même ordre ; vide : aucun"`
	OIDCTrusted []string `env:"VIGUEUR_OIDC_TRUST_EMAIL" help:"les noms courts de ceux qui ne disent pas si une adresse est vérifiée (email_verified) et dont toutes sont tenues pour telles : qui peut y écrire une adresse ouvre le compte qui l’a ; vide : aucun"`
	OIDCDomains []string `env:"VIGUEUR_OIDC_SIGNUP_DOMAINS" help:"domaines des adresses qu’un fournisseur dit vérifiées et qui ouvrent un compte : justice.example,… ; * : tous ; vide : aucun"`
}

// IdentityProvider is one identity provider.
type IdentityProvider struct {
	ID, Issuer, Name, Client, Secret string
	TrustEmail                       bool // an address is verified unless the provider says that it is not
}

// Providers returns the providers in order.
func (c Identities) Providers() []IdentityProvider {
	out := make([]IdentityProvider, len(c.OIDCIDs))
	for i, id := range c.OIDCIDs {
		out[i] = IdentityProvider{ID: id, Issuer: nth(c.OIDCIssuers, i), Name: strings.TrimSpace(nth(c.OIDCNames, i)), Client: nth(c.OIDCClients, i), Secret: nth(c.OIDCSecrets, i), TrustEmail: slices.Contains(c.OIDCTrusted, id)}
		if out[i].Name == "" {
			out[i].Name = id
		}
	}
	return out
}

// providerID is the form of a provider's short name, which is part of URLs.
var providerID = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

func (c Identities) identityFaults(f *faults) {
	for i, id := range c.OIDCIDs {
		if !providerID.MatchString(id) || slices.Contains(c.OIDCIDs[:i], id) {
			f.add("VIGUEUR_OIDC_PROVIDERS : « %s » n’est pas un nom de lettres minuscules, chiffres et tirets, ou est déjà pris", id)
		}
	}
	for _, list := range []struct {
		name   string
		n      int
		needed bool
	}{{"VIGUEUR_OIDC_ISSUERS", len(c.OIDCIssuers), true}, {"VIGUEUR_OIDC_CLIENT_IDS", len(c.OIDCClients), true},
		{"VIGUEUR_OIDC_NAMES", len(c.OIDCNames), false}, {"VIGUEUR_OIDC_CLIENT_SECRETS", len(c.OIDCSecrets), false}} {
		if list.n > len(c.OIDCIDs) || list.needed && list.n < len(c.OIDCIDs) {
			f.add("%s : %d valeurs pour les %d fournisseurs de VIGUEUR_OIDC_PROVIDERS", list.name, list.n, len(c.OIDCIDs))
		}
	}
	for i, issuer := range c.OIDCIssuers {
		f.issuer(issuer)
		if slices.Contains(c.OIDCIssuers[:i], issuer) {
			f.add("VIGUEUR_OIDC_ISSUERS : %s y est deux fois", issuer)
		}
	}
	for _, client := range c.OIDCClients {
		if strings.TrimSpace(client) == "" {
			f.add("VIGUEUR_OIDC_CLIENT_IDS : un identifiant est vide")
		}
	}
	for _, id := range c.OIDCTrusted {
		if !slices.Contains(c.OIDCIDs, id) {
			f.add("VIGUEUR_OIDC_TRUST_EMAIL : « %s » n’est pas dans VIGUEUR_OIDC_PROVIDERS", id)
		}
	}
	f.domains("VIGUEUR_OIDC_SIGNUP_DOMAINS", c.OIDCDomains)
}

// issuer checks that an issuer is a URL as OpenID Connect Discovery requires: https,
// without a query. On loopback, where nobody can eavesdrop, http is accepted.
func (f *faults) issuer(value string) {
	f.server("VIGUEUR_OIDC_ISSUERS", value)
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "https" {
		return
	}
	if a, err := netip.ParseAddr(u.Hostname()); u.Hostname() != "localhost" && (err != nil || !a.IsLoopback()) {
		f.add("VIGUEUR_OIDC_ISSUERS : %s doit être en https", value)
	}
}

// domains checks a list of e-mail domains.
func (f *faults) domains(name string, list []string) {
	for _, domain := range list {
		if domain != "*" && (domain != strings.ToLower(domain) || !strings.Contains(domain, ".") || strings.ContainsAny(domain, "@*/ ")) {
			f.add("%s : « %s » n’est pas un domaine en minuscules, comme justice.example", name, domain)
		}
	}
}
