// Package idptest is an identity provider for tests: a server with the endpoints of OpenID
// Connect. It checks requests strictly (a code is valid once, for its verifier and its
// client), and a test can change every token that it issues.
//
// It exists because most tests need a hostile provider, and the available providers only
// issue valid tokens. It signs with another library than the client's library uses.
package idptest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// The service's registration at the provider.
const (
	Client = "vigueur"
	Secret = "le secret du client" //nolint:gosec // the provider runs only during a test
)

// keyID is the id of the provider's key.
const keyID = "1"

// Provider is a running provider. Its fields may be set between requests, under Set.
type Provider struct {
	*httptest.Server
	mu    sync.Mutex
	key   *rsa.PrivateKey
	codes map[string]url.Values // the requests for codes, by the code that was issued
	known Person

	// Bend changes the claims of the next identity tokens.
	Bend func(claims map[string]any)
	// Sign signs the claims of a token instead of the provider's own key; nil: the
	// provider's key signs.
	Sign func(claims map[string]any) string
	// Before runs before each request; it returns true if it has answered the request.
	Before func(w http.ResponseWriter, r *http.Request) bool
	// Info has the claims that userinfo returns besides the identifier; nil: the provider
	// has no userinfo endpoint.
	Info map[string]any
	// Asked is the last request for a code.
	Asked url.Values
}

// Person is the person who signs in at the provider.
type Person struct {
	Subject, Email, Name string
	Verified             bool
}

// New starts a provider, which stops when the test ends.
func New(t *testing.T) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userinfo)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		previous := p.Before
		p.mu.Unlock()
		if previous == nil || !previous(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// Set changes the provider between two requests.
func (p *Provider) Set(change func(p *Provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// Know sets the person who signs in from now on.
func (p *Provider) Know(who Person) { p.Set(func(p *Provider) { p.known = who }) }

// Visit follows, like a browser, an address of the service to the provider, where the
// person signs in. It returns the code and the state of the provider's redirect.
func (p *Provider) Visit(t *testing.T, address string, who Person) (code, state string) {
	t.Helper()
	p.Know(who)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	back, err := reply.Location()
	if err != nil {
		t.Fatalf("the provider answers %s: %v", reply.Status, err)
	}
	return back.Query().Get("code"), back.Query().Get("state")
}

func (p *Provider) describe(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"}, "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}}
	if p.Info != nil {
		said["userinfo_endpoint"] = p.URL + "/userinfo"
	}
	reply(w, http.StatusOK, said)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) } // RFC 7518, 6.3.1
	reply(w, http.StatusOK, map[string]any{"keys": []map[string]string{{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": keyID,
		"n": number(p.key.N), "e": number(big.NewInt(int64(p.key.E)))}}})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	if q.Get("client_id") != Client || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_request"})
		return
	}
	code := rand.Text()
	p.Asked, p.codes[code] = q, q
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_request"})
		return
	}
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound) //nolint:gosec // the service, the only client, has given this address
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	client, secret, ok := r.BasicAuth()
	if !ok {
		client, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	} else { // RFC 6749, 2.3.1: both are form-encoded before
		client, _ = url.QueryUnescape(client)
		secret, _ = url.QueryUnescape(secret)
	}
	if client != Client || secret != Secret {
		reply(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	asked, known := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{"iss": p.URL, "aud": Client, "sub": p.known.Subject, "nonce": asked.Get("nonce"), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
		"auth_time": now.Unix(), "email": p.known.Email, "email_verified": p.known.Verified, "name": p.known.Name}
	if p.Bend != nil {
		p.Bend(claims)
	}
	sign := p.Sign
	if sign == nil {
		sign = p.sign
	}
	reply(w, http.StatusOK, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60, "id_token": sign(claims)})
}

func (p *Provider) sign(claims map[string]any) string {
	return Sign(jwt.SigningMethodRS256, p.key, keyID, claims)
}

func (p *Provider) userinfo(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := map[string]any{"sub": p.known.Subject}
	maps.Copy(said, p.Info)
	reply(w, http.StatusOK, said)
}

// Sign signs a token with any key. Its header gives the key the given id.
func Sign(method jwt.SigningMethod, key any, id string, claims map[string]any) string {
	token := jwt.NewWithClaims(method, jwt.MapClaims(claims))
	token.Header["kid"] = id
	signed, err := token.SignedString(key)
	if err != nil {
		return fmt.Sprintf("no token: %v", err)
	}
	return signed
}

// Unsigned makes a token without a signature, whose header has the algorithm « none ».
func Unsigned(claims map[string]any) string {
	spell := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	return spell(map[string]string{"alg": "none", "typ": "JWT"}) + "." + spell(claims) + "."
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has left
}
