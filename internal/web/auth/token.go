package auth

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
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
	Session uuid.UUID // session of the token; zero if it is of none
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
	Session uuid.UUID `json:"sid,omitzero"`
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
		Session: b.Session,
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
	return Bearer{User: c.User, Email: c.Subject, Role: c.Role, Version: c.Version, Session: c.Session}, nil
}

// The algorithms of access tokens (RFC 7518 and RFC 8037).
const (
	HS256 = "HS256"
	EdDSA = "EdDSA"
	RS256 = "RS256"
)

const (
	// MinSecret is the minimum length of an HMAC key in bytes: the length of the hash (RFC
	// 7518, 3.2).
	MinSecret = 32
	// minModulus is the minimum length of an RSA key in bits (RFC 7518, 3.3).
	minModulus = 2048
	// idBytes is the number of bytes of a key's hash that are its id.
	idBytes = 8
)

// Key signs or checks access tokens with one algorithm.
type Key struct {
	id     string
	method jwt.SigningMethod
	sign   any // signing key; nil: the key only verifies
	verify any // verification key
}

// CanSign reports whether the key can sign, not only verify.
func (k Key) CanSign() bool { return k.sign != nil }

// HMAC returns an HS256 key with the given id; "" derives the id from the secret, the same
// in every process. The secret must have at least MinSecret bytes.
func HMAC(id string, secret []byte) (Key, error) {
	if len(secret) < MinSecret {
		return Key{}, fmt.Errorf("auth: a secret of %d bytes, at least %d are needed", len(secret), MinSecret)
	}
	if id == "" {
		// The id reveals nothing new: a guess at the secret can be checked against any
		// token, too.
		id = fingerprint([]byte("vigueur HS256"), secret)
	}
	return Key{id: id, method: jwt.SigningMethodHS256, sign: secret, verify: secret}, nil
}

// PEM returns an EdDSA (Ed25519) or RS256 key from a PEM file: a private key in PKCS #8, or
// PKCS #1 for RSA, or a public key, which only verifies. The algorithm "" accepts either.
// The id is derived from the public key. The error says what is wrong without revealing the
// key.
func PEM(algorithm string, file []byte) (Key, error) {
	private, public, err := parsePEM(file)
	if err != nil {
		return Key{}, err
	}
	key := Key{verify: public}
	if private != nil {
		key.sign = private
	}
	switch public := public.(type) {
	case ed25519.PublicKey:
		key.method = jwt.SigningMethodEdDSA
	case *rsa.PublicKey:
		key.method = jwt.SigningMethodRS256
		if bits := public.N.BitLen(); bits < minModulus {
			return Key{}, fmt.Errorf("auth: an RSA key of %d bits, at least %d are needed", bits, minModulus)
		}
	default:
		return Key{}, errors.New("auth: the key is neither Ed25519 nor RSA")
	}
	if algorithm != "" && key.method.Alg() != algorithm {
		return Key{}, fmt.Errorf("auth: the key is for %s, not for %s", key.method.Alg(), algorithm)
	}
	spelled, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return Key{}, fmt.Errorf("auth: name the key: %w", err)
	}
	key.id = fingerprint(spelled)
	return key, nil
}

// parsePEM parses the first block of a PEM file; private is nil for a public key.
func parsePEM(file []byte) (private crypto.Signer, public crypto.PublicKey, err error) {
	block, _ := pem.Decode(file)
	if block == nil {
		return nil, nil, errors.New("auth: no key in PEM format")
	}
	var parsed any
	switch block.Type {
	case "PRIVATE KEY":
		parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "PUBLIC KEY":
		public, err = x509.ParsePKIXPublicKey(block.Bytes)
	default:
		err = fmt.Errorf("auth: a PEM block of type %q is not a supported key", block.Type)
	}
	if err != nil || public != nil {
		return nil, public, err
	}
	private, ok := parsed.(crypto.Signer)
	if !ok {
		return nil, nil, errors.New("auth: the key cannot sign")
	}
	return private, private.Public(), nil
}

// fingerprint derives a key's id from its content.
func fingerprint(parts ...[]byte) string {
	hash := sha256.New()
	for _, part := range parts {
		hash.Write(part)
	}
	return hex.EncodeToString(hash.Sum(nil)[:idBytes])
}

// Keyring holds the keys in use: the first one signs, all verify.
type Keyring []Key

var errNoKey = errors.New("auth: the token's key is not in use")

// find returns the verification key of a parsed token: the key that its header names, or
// the first if it names none. The key determines the algorithm: a header with another
// algorithm finds no key.
func (r Keyring) find(t *jwt.Token) (any, error) {
	id, named := t.Header["kid"]
	for _, k := range r {
		if named && id != any(k.id) {
			continue
		}
		if t.Method.Alg() != k.method.Alg() {
			return nil, errNoKey
		}
		return k.verify, nil
	}
	return nil, errNoKey
}

// algorithms lists the algorithms of the keys.
func (r Keyring) algorithms() []string {
	list := make([]string, len(r))
	for i, k := range r {
		list[i] = k.method.Alg()
	}
	return list
}
