package main

import (
	"strings"
	"time"

	"vigueur/internal/ops/config"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/idp"
)

// identities returns the configured identity providers, without contacting them. Their rate
// limit still lacks its store.
func identities(cfg config.API, keys auth.Keyring) (out account.Providers, err error) {
	for _, p := range cfg.Providers() {
		out.List = append(out.List, idp.New(idp.Settings{
			ID: p.ID, Name: p.Name, Issuer: p.Issuer, Client: p.Client, Secret: p.Secret,
			TrustEmail: p.TrustEmail,
			Return:     strings.TrimRight(cfg.BaseURL, "/") + account.ReturnPage(p.ID),
		}))
	}
	out.Signup = account.Signup{Domains: cfg.OIDCDomains}
	out.Fresh = &auth.Tokens{Issuer: issuer, Audience: fresh, Keys: keys, Now: time.Now, Life: config.CodeLife}
	out.Attempts, err = idp.NewAttempts([]byte(cfg.AddressSecret), config.AttemptLife, time.Now)
	return out, err
}
