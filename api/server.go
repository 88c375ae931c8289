package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"vigueur/api/web"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/search/finding"
	"vigueur/internal/search/milvus"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/idp"
	"vigueur/internal/work/titles"
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
		Page:    page,
		MailDir: cfg.MailDir,
		Blobs:   files,
		Tokens:  tokens,
		Lives:   account.Lives{Refresh: cfg.RefreshLife, Session: cfg.SessionLife, Grace: config.RefreshGrace},
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
		ModelTokens:   cfg.ModelTokens,
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

// modelChecks returns checks of the model servers for /readyz. They use no keys, because
// only the workers have the keys.
func modelChecks(cfg config.API) (checks []httpapi.Check) {
	type server struct{ name, url string }
	var servers []server
	for i, url := range cfg.ModelURL { // names: « model », « model-2 », …
		name := "model"
		if i > 0 {
			name = fmt.Sprintf("model-%d", i+1)
		}
		servers = append(servers, server{name, url})
	}
	servers = append(servers, server{"embedder", cfg.EmbedderURL})
	for _, server := range servers {
		if server.url != "" {
			client := &openai.Client{URL: server.url}
			checks = append(checks, httpapi.Check{Name: server.name, Ping: client.Ping})
		}
	}
	return checks
}

// errFilling reports that the collection still lacks many texts of the catalogue.
var errFilling = errors.New("the passage index is behind the catalogue")

// searchable checks whether searches use Milvus. Its error says what they use instead.
// Package finding makes the same decision in a worker.
func searchable(ctx context.Context, store *milvus.Store, db *postgres.DB) error {
	err := store.Ping(ctx)
	if err != nil && !milvus.Lost(err) {
		return &httpapi.Degraded{Detail: "Milvus ne répond pas ; les questions sont cherchées par les mots.", Err: err}
	}
	texts, failed := db.PassageIndex().Behind(ctx, finding.Behind)
	if failed != nil {
		return errors.Join(err, failed)
	}
	if err == nil && texts < finding.Behind {
		return nil
	}
	return &httpapi.Degraded{Detail: "L’index des passages se remplit ; les questions sont cherchées par les mots.", Err: cmp.Or(err, errFilling)}
}

// titleChecks makes the database use the title index for searches by title, if an index is
// configured, and returns the check of the index for /readyz.
func titleChecks(cfg config.API, db *postgres.DB, log *slog.Logger) ([]httpapi.Check, error) {
	if cfg.MeiliURL == "" {
		return nil, nil
	}
	index, err := meili.Open(cfg.MeiliURL, cfg.MeiliKey)
	if err != nil {
		return nil, err
	}
	searcher := &titles.Searcher{Index: index, Log: log, Now: time.Now}
	db.UseNearest(searcher.Nearest)
	return []httpapi.Check{{Name: "meilisearch", Ping: index.Ping}}, nil
}

// enableFiles lets the server render pages of gazettes and read files that are to be checked,
// each in a child process. It
// compiles the PDF engine once in the background, so that the first page does not wait for
// it. end ends the idle child processes.
func enableFiles(ctx context.Context, server *httpapi.Server, log *slog.Logger) (end func()) {
	spares := &pdftext.Spares{}
	reader := pdftext.Reader{Spares: spares}
	server.OpenPDF = func(ctx context.Context, path string) (catalogue.PDF, error) { return reader.Open(ctx, path) }
	server.ReadFile = verify.Files{PDF: reader}.Read
	ctx, stop := context.WithCancel(ctx)
	var warming sync.WaitGroup
	warming.Go(func() {
		if err := reader.Warm(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "start the engine that draws pages: the first page may be late", "error", err)
		}
	})
	return func() {
		stop()
		warming.Wait()
		spares.Close()
	}
}

// readKeys reads the key that signs tokens. An error contains the name of the setting.
func readKeys(cfg config.API) (auth.Keyring, error) {
	key, err := readKey("VIGUEUR_JWT_SECRET", cfg.JWTSecret, "VIGUEUR_JWT_KEY_FILE", cfg.JWTAlgorithm, cfg.JWTKeyFile)
	if err != nil {
		return nil, err
	}
	if !key.CanSign() {
		return nil, errs.New(errs.Invalid, "VIGUEUR_JWT_KEY_FILE : "+cfg.JWTKeyFile+" est une clé publique, une clé privée est attendue")
	}
	return auth.Keyring{key}, nil
}

// readKey returns an HS256 key from a secret, or a key from a file. secretName and fileName
// are the names of the settings.
func readKey(secretName, secret, fileName, algorithm, path string) (auth.Key, error) {
	if algorithm == auth.HS256 {
		key, err := auth.HMAC("", []byte(secret))
		return key, badKey(secretName, err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return auth.Key{}, badKey(fileName, err)
	}
	key, err := auth.PEM(algorithm, file)
	return key, badKey(fileName+" ("+path+")", err)
}

// badKey adds the name of the setting to an error, and the cause as far as the operator may
// see it.
func badKey(name string, err error) error {
	if err == nil {
		return nil
	}
	reason := "une clé Ed25519 ou RSA (2048 bits au moins) au format PEM, non chiffrée, est attendue : " + err.Error()
	var path *os.PathError
	if errors.As(err, &path) {
		reason = "le fichier ne peut pas être lu : " + err.Error()
	}
	return errs.Wrap(errs.Invalid, name+" : "+reason, err)
}
