// Package idp authenticates people at identity providers with OpenID Connect's
// authorization code flow, with PKCE (RFC 7636), state and nonce. It has no accounts and no
// store: it begins an attempt, which the browser stores encrypted, and exchanges the
// returned code for an identity, or an error.
//
// A provider's metadata is fetched on first use, so that an unreachable provider does not
// prevent a process from starting; metadata and keys are cached. Every exchange has a
// timeout and a size limit. Tokens are validated as OpenID Connect Core 1.0, 3.1.3.7,
// requires: signature by an asymmetric algorithm, issuer, audience, authorized party,
// expiry, nonce, and on request that the person has just signed in.
package idp

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
)

const (
	// patience is the timeout of one exchange with a provider.
	patience = 4 * time.Second
	// replyLimit is the maximum size of a provider's reply in bytes.
	replyLimit = 1 << 20
	// describedFor is how long a provider's metadata is cached.
	describedFor = time.Hour
	// restTime is the delay before an unreachable provider is tried again.
	restTime = 3 * time.Second
	// leeway is the tolerated difference between the clocks of provider and service.
	leeway = 30 * time.Second
	// subjectLimit is the maximum length of a subject identifier in bytes (OpenID Connect
	// Core 1.0, 2).
	subjectLimit = 255
)

// algorithms are the accepted signature algorithms: those whose signing key only the
// provider has. « none » and algorithms that sign with the client's own secret are not
// accepted.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// Settings are the operator's settings of a provider.
type Settings struct {
	ID     string // used in URLs
	Name   string // shown to users
	Issuer string // issuer URL, exactly as in its tokens
	Client string // client id of the service
	Secret string // "": a public client
	Return string // redirect URL
	// TrustEmail takes an address as verified if the provider does not say whether it is. Then
	// whoever can enter an address at the provider can open the account with that address.
	TrustEmail bool
	Patience   time.Duration
	Now        func() time.Time
}

// Provider is an identity provider. It is safe for use by many goroutines.
type Provider struct {
	Settings
	wire   *wire
	client *http.Client
	asking singleflight.Group

	mu    sync.Mutex
	known *oidc.Provider // metadata; nil: not fetched yet
	asked time.Time      // time of the last attempt to fetch the metadata
}

// New returns a provider without contacting it.
func New(s Settings) *Provider {
	if s.Patience == 0 {
		s.Patience = patience
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	w := &wire{next: http.DefaultTransport.(*http.Transport).Clone()} //nolint:errcheck,forcetypeassert // the standard library's own type
	return &Provider{Settings: s, wire: w, client: &http.Client{
		Transport: w, Timeout: s.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // secrets are not sent to a redirect's target
	}}
}

// Close closes idle connections.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

// away returns the error for an unreachable provider.
func (p *Provider) away(err error) error {
	return errs.Wrap(errs.Unavailable, "", fmt.Errorf("idp: %s: %w", p.ID, err))
}

// refusal returns the error for an invalid code or token.
func (p *Provider) refusal(err error) error {
	return errs.Wrap(errs.Unauthorized, "Le fournisseur d’identité n’a pas confirmé qui vous êtes. Recommencez la connexion.", fmt.Errorf("idp: %s: %w", p.ID, err))
}

// describe returns the provider's metadata, and fetches it if it is not cached or too old.
// Unavailable if it was never fetched and cannot be now.
func (p *Provider) describe(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	known, age := p.known, p.Now().Sub(p.asked)
	resting := !p.asked.IsZero() && age < restTime
	p.mu.Unlock()
	switch {
	case known != nil && (age < describedFor || resting):
		return known, nil
	case resting:
		return nil, p.away(errors.New("it could not be reached a moment ago"))
	}
	select {
	case r := <-p.asking.DoChan("", func() (any, error) { return p.ask() }):
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*oidc.Provider), nil //nolint:errcheck,forcetypeassert // the only type that ask returns
	case <-ctx.Done():
		return nil, p.away(ctx.Err())
	}
}

// ask fetches the metadata for all concurrent callers of describe. If it fails, older
// metadata stays in use.
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

// Begin begins an attempt and returns the URL to redirect the browser to. again is the
// account whose owner must sign in once more, even with an open session at the provider;
// zero for any account. Unavailable if the provider cannot be reached.
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

// Identity is a person's identity at a provider.
type Identity struct {
	Issuer, Subject string // together they identify one person permanently
	Email           string // may pass to another person; "": not given
	Verified        bool   // the provider has verified the address
	Name            string // display name; may be empty
}

// Finish exchanges the code of an attempt for an identity. Unauthorized if the code or
// token is invalid, Unavailable if the provider cannot be reached.
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
		return who, p.refusal(errors.New("no identity token"))
	}
	id, err := known.Verifier(&oidc.Config{ClientID: p.Client, SupportedSigningAlgs: algorithms, Now: p.Now}).Verify(ctx, raw)
	if err != nil {
		return who, p.blame(err, troubles)
	}
	if who, err = p.read(id, a); err != nil {
		return Identity{}, p.refusal(err)
	}
	if who.Email != "" {
		return who, nil
	}
	return p.complete(ctx, known, who, token)
}

// blame decides whether the provider or the operator is the cause of a failed exchange
// (Unavailable), or the code or token (Unauthorized). troubles is the number of failures
// that were counted before the exchange.
func (p *Provider) blame(err error, troubles int64) error {
	var reply *oauth2.RetrieveError
	switch {
	case p.wire.troubles.Load() != troubles:
		return p.away(err)
	case errors.As(err, &reply) && reply.ErrorCode != "invalid_grant":
		// The client registration is at fault, not the person's code.
		return p.away(fmt.Errorf("the client is refused: %w", err))
	}
	return p.refusal(err)
}

// claims are the claims of an ID token besides those that the library checks.
type claims struct {
	Email    string          `json:"email"`
	Verified json.RawMessage `json:"email_verified"`
	Name     string          `json:"name"`
	Party    string          `json:"azp"`
	AuthTime int64           `json:"auth_time"`
}

// read returns the identity of an ID token whose signature, issuer, audience and expiry
// were verified.
func (p *Provider) read(id *oidc.IDToken, a Attempt) (who Identity, err error) {
	var c claims
	if err := id.Claims(&c); err != nil {
		return who, err
	}
	switch {
	case a.Nonce == "" || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) != 1:
		return who, errors.New("the nonce is not the attempt's")
	case c.Party != "" && c.Party != p.Client, c.Party == "" && len(id.Audience) > 1:
		return who, errors.New("issued to another party")
	case id.Subject == "" || len(id.Subject) > subjectLimit || strings.ContainsRune(id.Subject, 0):
		return who, errors.New("no valid identifier of the person")
	case id.IssuedAt.After(p.Now().Add(leeway)):
		return who, errors.New("issued in the future")
	case a.Again != uuid.Nil && time.Unix(c.AuthTime, 0).Before(a.Began.Add(-leeway)):
		return who, errors.New("the person has not signed in again")
	}
	return Identity{Issuer: id.Issuer, Subject: id.Subject, Email: c.Email, Verified: p.verified(c.Verified), Name: c.Name}, nil
}

// verified reads the claim email_verified, which some providers do not send.
func (p *Provider) verified(claim json.RawMessage) bool {
	absent := len(claim) == 0 || string(claim) == "null"
	return isTrue(claim) || absent && p.TrustEmail
}

// isTrue parses a boolean, which some providers encode as a string.
func isTrue(raw json.RawMessage) bool {
	return string(raw) == "true" || string(raw) == `"true"`
}

// complete asks the provider's userinfo endpoint for claims that the token lacks.
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
		return Identity{}, p.refusal(errors.New("userinfo describes another person"))
	}
	var c claims
	if err := info.Claims(&c); err != nil {
		return Identity{}, p.refusal(err)
	}
	who.Email, who.Verified = info.Email, p.verified(c.Verified)
	if who.Name == "" {
		who.Name = c.Name
	}
	return who, nil
}

// wire is a transport that limits replies and counts failures between service and provider,
// because the errors of the libraries do not always distinguish these failures from invalid
// tokens.
type wire struct {
	next     *http.Transport
	troubles atomic.Int64
}

// RoundTrip implements http.RoundTripper.
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

// CloseIdleConnections is called by http.Client.
func (w *wire) CloseIdleConnections() { w.next.CloseIdleConnections() }

// Attempt is a sign-in at a provider that has begun; the browser stores it encrypted until
// the provider redirects back.
type Attempt struct {
	Provider string    `json:"p"`
	State    string    `json:"s"` // returned with the code: binds the redirect to this browser
	Nonce    string    `json:"n"` // returned in the token: binds the token to this attempt
	Verifier string    `json:"v"` // PKCE verifier: nobody else can use the code
	Again    uuid.UUID `json:"a"` // account whose owner must sign in once more; zero: any account
	Began    time.Time `json:"b"`
	ReturnTo string    `json:"r"` // a path of the page, for the caller
}

// Attempts encrypts attempts.
type Attempts struct {
	Life time.Duration // maximum duration of an attempt
	box  *sealed.Box
	now  func() time.Time
}

// NewAttempts returns an Attempts with a key derived from a secret of the settings.
func NewAttempts(secret []byte, life time.Duration, now func() time.Time) (*Attempts, error) {
	box, err := sealed.NewBox(secret, "vigueur sign-in at a provider")
	if err != nil {
		return nil, err
	}
	return &Attempts{life, box, now}, nil
}

// Seal encrypts an attempt for the browser.
func (k *Attempts) Seal(a Attempt) string {
	data, err := json.Marshal(a)
	if err != nil {
		return "" // an attempt can always be encoded
	}
	return base64.RawURLEncoding.EncodeToString(k.box.Seal(data, []byte(a.Provider)))
}

// errOver returns the error for an attempt that did not begin in this browser, or that
// began too long ago.
func errOver(cause error) error {
	return errs.Wrap(errs.Invalid, "La connexion a trop duré, ou a été commencée dans un autre navigateur ou un autre onglet. Recommencez.", cause)
}

// Open decrypts the attempt that the browser kept and checks that it belongs to the
// provider, to the state that was returned and to the given account; Invalid otherwise.
func (k *Attempts) Open(kept, provider, state string, again uuid.UUID) (a Attempt, err error) {
	data, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return a, errOver(err)
	}
	if data, err = k.box.Open(data, []byte(provider)); err != nil {
		return a, errOver(err)
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return Attempt{}, errOver(err)
	}
	age := k.now().Sub(a.Began)
	if age > k.Life || age < -leeway || a.State == "" || a.Again != again || subtle.ConstantTimeCompare([]byte(a.State), []byte(state)) != 1 {
		return Attempt{}, errOver(errors.New("idp: the attempt is another one, or has expired"))
	}
	return a, nil
}

// bounded is the body of a reply, limited in size; it counts failed reads in troubles.
type bounded struct {
	io.ReadCloser
	left     int64
	troubles *atomic.Int64
}

var errLong = errors.New("idp: the provider's reply is too long")

// Read implements io.Reader; a body that is too long or truncated is an error.
func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		b.troubles.Add(1)
		return 0, errLong
	}
	if int64(len(into)) > b.left {
		into = into[:b.left]
	}
	n, err := b.ReadCloser.Read(into)
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.troubles.Add(1)
	}
	return n, err
}
