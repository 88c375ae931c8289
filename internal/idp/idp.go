// Package idp asks a provider of identities who somebody is: OpenID Connect's
// authorization code flow with PKCE (RFC 7636), state and nonce. It knows no account and
// no store: it begins an attempt, which the browser keeps sealed, and makes of the code
// that comes back an identity, or an error.
//
// A provider is asked for its description when it is first needed, so that one that is
// away keeps no process from starting; it and its keys are kept. Every exchange has a
// deadline and a bound on what is read. Of a token everything is checked that OpenID
// Connect Core 1.0, 3.1.3.7, asks: signature by an asymmetric algorithm, issuer, audience,
// authorized party, end, nonce, and for an attempt that asks for it that the person has
// just signed in there.
package idp

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"vigueur/internal/errs"
)

const (
	// patience is how long one exchange with a provider may take.
	patience = 4 * time.Second
	// replyLimit is how many bytes of a reply of a provider are read.
	replyLimit = 1 << 20
	// describedFor is for how long what a provider says of itself is believed.
	describedFor = time.Hour
	// restTime is how long a provider that could not be asked is left alone.
	restTime = 3 * time.Second
	// leeway is how far the clocks of provider and service may differ.
	leeway = 30 * time.Second
	// subjectLimit is the longest identifier of a person in bytes (OpenID Connect Core
	// 1.0, 2).
	subjectLimit = 255
)

// algorithms are those by which tokens may be signed: with a key that only the provider
// has. None at all, and one with the client's own secret, are not among them.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// Settings are what the operator says of a provider.
type Settings struct {
	ID       string // in addresses
	Name     string // for people
	Issuer   string // its address, which its tokens name exactly so
	Client   string // what the service is registered under
	Secret   string // "": a public client
	Return   string // where it sends people back to
	Patience time.Duration
	Now      func() time.Time
}

// Provider is a provider of identities. It is safe for use by many goroutines.
type Provider struct {
	Settings
	wire   *wire
	client *http.Client
	asking singleflight.Group

	mu    sync.Mutex
	known *oidc.Provider // nil: it was not asked yet
	asked time.Time      // when it said what it is, or could not be asked
}

// New makes a provider; it is not asked for anything yet.
func New(s Settings) *Provider {
	if s.Patience == 0 {
		s.Patience = patience
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	w := &wire{next: http.DefaultTransport.(*http.Transport).Clone()} //nolint:errcheck,forcetypeassert // the standard library's own
	return &Provider{Settings: s, wire: w, client: &http.Client{
		Transport: w, Timeout: s.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a secret goes where it was meant to
	}}
}

// Close ends the connections that are kept.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

// away is the error of a provider that cannot be asked.
func (p *Provider) away(err error) error {
	return errs.Wrap(errs.Unavailable, "", fmt.Errorf("idp: %s: %w", p.ID, err))
}

// refused is the error of a code or a token that proves nothing.
func (p *Provider) refused(err error) error {
	return errs.Wrap(errs.Unauthorized, "Le fournisseur d’identité n’a pas confirmé qui vous êtes. Recommencez la connexion.", fmt.Errorf("idp: %s: %w", p.ID, err))
}

// describe gives what the provider says of itself, asking it when that is not known or
// long ago. Unavailable when it cannot be asked and has never been.
func (p *Provider) describe(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	known, age := p.known, p.Now().Sub(p.asked)
	resting := !p.asked.IsZero() && age < restTime
	p.mu.Unlock()
	switch {
	case known != nil && (age < describedFor || resting):
		return known, nil
	case resting:
		return nil, p.away(errors.New("could not be asked a moment ago"))
	}
	select {
	case r := <-p.asking.DoChan("", func() (any, error) { return p.ask() }):
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*oidc.Provider), nil //nolint:errcheck,forcetypeassert // ask gives nothing else
	case <-ctx.Done():
		return nil, p.away(ctx.Err())
	}
}

// ask is describe's question, for all who wait for it at once. A provider that was known
// stays so when it cannot be asked again.
func (p *Provider) ask() (*oidc.Provider, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(context.Background(), p.client), p.Issuer)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = p.Now()
	if err == nil {
		p.known = found
	}
	if p.known == nil {
		return nil, p.away(err)
	}
	return p.known, nil
}

func (p *Provider) flow(known *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{ClientID: p.Client, ClientSecret: p.Secret, RedirectURL: p.Return, Endpoint: known.Endpoint(),
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
}

// Begin makes an attempt, and the address to which the browser is sent. again is the
// account whose owner is to sign in there once more, whatever session the provider has of
// them; zero for whoever comes. Unavailable when the provider cannot be asked.
func (p *Provider) Begin(ctx context.Context, again uuid.UUID) (address string, a Attempt, err error) {
	known, err := p.describe(ctx)
	if err != nil {
		return "", a, err
	}
	a = Attempt{Provider: p.ID, State: oauth2.GenerateVerifier(), Nonce: oauth2.GenerateVerifier(), Verifier: oauth2.GenerateVerifier(), Again: again, Began: p.Now()}
	options := []oauth2.AuthCodeOption{oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)}
	if again != uuid.Nil {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return p.flow(known).AuthCodeURL(a.State, options...), a, nil
}

// Identity is who somebody is to a provider.
type Identity struct {
	Issuer, Subject string // together they name one person for good
	Email           string // may be another's tomorrow; "": it is not said
	Verified        bool   // the provider has seen that the person has that address
	Name            string // as it is shown; may be empty
}

// Finish makes an identity of the code that came back with an attempt. Unauthorized when
// it proves nothing, Unavailable when the provider cannot be asked.
func (p *Provider) Finish(ctx context.Context, a Attempt, code string) (who Identity, err error) {
	known, err := p.describe(ctx)
	if err != nil {
		return who, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	troubles := p.wire.troubles.Load()
	token, err := p.flow(known).Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return who, p.blame(err, troubles)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return who, p.refused(errors.New("no identity token"))
	}
	id, err := known.Verifier(&oidc.Config{ClientID: p.Client, SupportedSigningAlgs: algorithms, Now: p.Now}).Verify(ctx, raw)
	if err != nil {
		return who, p.blame(err, troubles)
	}
	if who, err = p.read(id, a); err != nil {
		return Identity{}, p.refused(err)
	}
	if who.Email != "" {
		return who, nil
	}
	return p.complete(ctx, known, who, token)
}

// blame says whether an exchange failed by the provider's or the operator's fault
// (Unavailable) or by that of what came back (Unauthorized). troubles is how many
// exchanges had failed before it.
func (p *Provider) blame(err error, troubles int64) error {
	var told *oauth2.RetrieveError
	switch {
	case p.wire.troubles.Load() != troubles:
		return p.away(err)
	case errors.As(err, &told) && told.ErrorCode != "invalid_grant":
		// The client's registration, not the person's code.
		return p.away(fmt.Errorf("the client is refused: %w", err))
	}
	return p.refused(err)
}

// claims are what is read of an identity token beyond what the library checks.
type claims struct {
	Email    string          `json:"email"`
	Verified json.RawMessage `json:"email_verified"`
	Name     string          `json:"name"`
	Party    string          `json:"azp"`
	AuthTime int64           `json:"auth_time"`
}

// read makes an identity of a token whose signature, issuer, audience and end were found
// good.
func (p *Provider) read(id *oidc.IDToken, a Attempt) (who Identity, err error) {
	var c claims
	if err := id.Claims(&c); err != nil {
		return who, err
	}
	switch {
	case a.Nonce == "" || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) != 1:
		return who, errors.New("another nonce")
	case c.Party != "" && c.Party != p.Client, c.Party == "" && len(id.Audience) > 1:
		return who, errors.New("made for another party")
	case id.Subject == "" || len(id.Subject) > subjectLimit || strings.ContainsRune(id.Subject, 0):
		return who, errors.New("no identifier of the person")
	case id.IssuedAt.After(p.Now().Add(leeway)):
		return who, errors.New("made in the future")
	case a.Again != uuid.Nil && time.Unix(c.AuthTime, 0).Before(a.Began.Add(-leeway)):
		return who, errors.New("the person has not signed in again")
	}
	return Identity{Issuer: id.Issuer, Subject: id.Subject, Email: c.Email, Verified: isTrue(c.Verified), Name: c.Name}, nil
}

// isTrue reads a boolean that some providers spell as a text.
func isTrue(raw json.RawMessage) bool {
	return string(raw) == "true" || string(raw) == `"true"`
}

// complete asks the provider for what its token did not say.
func (p *Provider) complete(ctx context.Context, known *oidc.Provider, who Identity, token *oauth2.Token) (Identity, error) {
	if known.UserInfoEndpoint() == "" {
		return who, nil
	}
	troubles := p.wire.troubles.Load()
	info, err := known.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return Identity{}, p.blame(err, troubles)
	}
	if info.Subject != who.Subject { // OpenID Connect Core 1.0, 5.3.2
		return Identity{}, p.refused(errors.New("the person is another to userinfo"))
	}
	var c claims
	if err := info.Claims(&c); err != nil {
		return Identity{}, p.refused(err)
	}
	who.Email, who.Verified = info.Email, info.EmailVerified
	if who.Name == "" {
		who.Name = c.Name
	}
	return who, nil
}

// wire bounds what is read of a provider, and counts what went wrong between it and the
// service: libraries do not always say which of the two an error is of.
type wire struct {
	next     *http.Transport
	troubles atomic.Int64
}

// RoundTrip is http.RoundTripper's.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := w.next.RoundTrip(r)
	if err != nil {
		w.troubles.Add(1)
		return nil, err
	}
	if reply.StatusCode >= http.StatusInternalServerError || reply.StatusCode == http.StatusTooManyRequests {
		w.troubles.Add(1)
	}
	reply.Body = &bounded{reply.Body, replyLimit, &w.troubles}
	return reply, nil
}

// CloseIdleConnections lets http.Client close what is kept.
func (w *wire) CloseIdleConnections() { w.next.CloseIdleConnections() }
