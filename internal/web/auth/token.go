package auth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// leeway is the tolerated difference between the clocks of two machines.
const leeway = 30 * time.Second

// Bearer is the account of an access token.
type Bearer struct {
	User    uuid.UUID // identifies the account, because an address may pass to another account
	Email   string    // the claim sub
	Role    string    // role at sign-in; the role in the database is authoritative
	Version int       // the account's token version at sign-in
}

// Tokens issues and verifies access tokens. It is safe for use by many goroutines.
type Tokens struct {
	Issuer   string
	Audience string
	Keys     Keyring // not empty
	Now      func() time.Time
	Life     time.Duration // lifetime of a token
}

// claims is the signed content of a token.
type claims struct {
	jwt.RegisteredClaims
	User    uuid.UUID `json:"uid"`
	Role    string    `json:"role"`
	Version int       `json:"ver"`
}

// UnmarshalJSON rejects times in JSON strings, which the JWT library accepts as numbers.
func (c *claims) UnmarshalJSON(data []byte) error {
	var times map[string]json.RawMessage
	if err := json.Unmarshal(data, &times); err != nil {
		return err
	}
	for _, name := range []string{"exp", "iat", "nbf"} {
		if raw, given := times[name]; given && bytes.HasPrefix(raw, []byte(`"`)) {
			return fmt.Errorf("auth: %s is a text", name)
		}
	}
	type plain claims
	return json.Unmarshal(data, (*plain)(c))
}

// Issue signs a token for b that expires after Life.
func (t *Tokens) Issue(b Bearer) (string, error) {
	now, key := t.Now(), t.Keys[0]
	token := jwt.NewWithClaims(key.method, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    t.Issuer,
			Audience:  jwt.ClaimStrings{t.Audience},
			Subject:   b.Email,
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(t.Life)),
			ID:        uuid.NewString(),
		},
		User:    b.User,
		Role:    b.Role,
		Version: b.Version,
	})
	token.Header["kid"] = key.id
	signed, err := token.SignedString(key.sign)
	if err != nil {
		return "", fmt.Errorf("auth: sign with key %q: %w", key.id, err)
	}
	return signed, nil
}

// Read returns the bearer of a token. Unauthorized, always with the same text, if it is
// malformed, has another issuer, audience or algorithm, a wrong signature, or no expiry, or
// has expired.
func (t *Tokens) Read(token string) (Bearer, error) {
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, t.Keys.find,
		jwt.WithValidMethods(t.Keys.algorithms()),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithIssuer(t.Issuer),
		jwt.WithAudience(t.Audience),
		jwt.WithLeeway(leeway),
		jwt.WithStrictDecoding(), // one encoding per token: the last character cannot be varied
		jwt.WithTimeFunc(t.Now),
	)
	if err == nil && (c.Subject == "" || strings.ContainsRune(c.Subject, 0)) { // no store accepts NUL
		err = jwt.ErrTokenRequiredClaimMissing
	}
	if err != nil {
		return Bearer{}, errs.Wrap(errs.Unauthorized, "Jeton d’accès absent, invalide ou expiré.", fmt.Errorf("auth: read token: %w", err))
	}
	return Bearer{User: c.User, Email: c.Subject, Role: c.Role, Version: c.Version}, nil
}
