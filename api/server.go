package main

import (
	"cmp"
	"log/slog"
	"time"

	"vigueur/api/web"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
)

// The issuer of tokens, and their audiences: access, the second step of a sign-in, and a
// fresh sign-in.
const (
	issuer   = "vigueur"
	audience = "vigueur-api"
	pending  = "vigueur-second-factor"
	fresh    = "vigueur-fresh-sign-in" // a fresh sign-in at an identity provider, which is accepted instead of a password
)

// newServer returns the server. Its stores have to be set afterwards.
func newServer(cfg config.API, log *slog.Logger) (*httpapi.Server, error) {
	files, err := blobs.Open(blobs.Settings{URL: cfg.BlobsURL, Key: cfg.BlobsKey})
	if err != nil {
		return nil, err
	}
	keys, err := readKeys(cfg)
	if err != nil {
		return nil, err
	}
	proxies, err := transport.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return nil, err
	}
	box, err := factor.NewBox([]byte(cfg.AddressSecret))
	if err != nil {
		return nil, err
	}
	providers, err := identities(cfg, keys)
	if err != nil {
		return nil, err
	}
	tokens := &auth.Tokens{Issuer: issuer, Audience: audience, Keys: keys, Now: time.Now, Life: cfg.AccessLife}
	programs, err := account.NewPrograms([]byte(cfg.AddressSecret), cfg.BaseURL, tokens)
	if err != nil {
		return nil, err
	}
	page, err := web.Page()
	if err != nil {
		return nil, err
	}
	return &httpapi.Server{
		Page:   page,
		Blobs:  files,
		Tokens: tokens,
		Lives:  account.Lives{Refresh: cfg.RefreshLife, Session: cfg.SessionLife, Grace: config.RefreshGrace},
		Factors: account.Factors{
			Box: box, Required: cfg.NeedFactor,
			Pending: &auth.Tokens{Issuer: issuer, Audience: pending, Keys: keys, Now: time.Now, Life: config.CodeLife},
		},
		Providers:     providers,
		Programs:      programs,
		Passwords:     auth.NewPasswords(),
		AddressSecret: []byte(cfg.AddressSecret),
		Proxies:       proxies,
		Origins:       cfg.CORSOrigins,
		BaseURL:       cfg.BaseURL,
		Signup:        account.Signup{Domains: cfg.SignupDomains},
		Alerts:        alerts.Settings{Webhooks: cfg.SendWebhooks, Allowed: cfg.WebhookHosts},
		Models:        conversations.ModelsOf(cfg.Names),
		Backlog:       postgres.Backlog{Wait: cfg.AnswerWait, Rows: cfg.AnswerQueue},
		Connections:   transport.Connections{All: cmp.Or(cfg.Connections, roomForConnections(memory())), Each: perNetwork},
		Bodies:        roomForBodies(memory()),
		Replies:       roomForReplies(memory()),
		Uploads:       uploads,
		Milvus:        cfg.MilvusURL != "",
		Meili:         cfg.MeiliURL != "",
		Log:           log,
		Now:           time.Now,
	}, nil
}
