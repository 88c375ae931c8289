package auth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/golang-jwt/jwt/v5"
)

// The algorithms of access tokens (RFC 7518 and RFC 8037).
const (
	HS256 = "HS256"
	EdDSA = "EdDSA"
	RS256 = "RS256"
)

const (
	// MinSecret is the least length of an HMAC key in bytes: that of its hash (RFC
	// 7518, 3.2).
	MinSecret = 32
	// minModulus is the least length of an RSA key in bits (RFC 7518, 3.3).
	minModulus = 2048
	// idBytes is how much of a key's hash names it.
	idBytes = 8
)

// Key signs or checks access tokens with one algorithm.
type Key struct {
	id     string
	method jwt.SigningMethod
	sign   any // what method signs with; nil: the key only verifies
	verify any // what method verifies with
}

// CanSign tells whether the key can sign, and not only verify.
func (k Key) CanSign() bool { return k.sign != nil }

// HMAC is a key of HS256 under the given id; "" makes one from the key, the
// same in every process. The secret has MinSecret bytes or more.
func HMAC(id string, secret []byte) (Key, error) {
	if len(secret) < MinSecret {
		return Key{}, fmt.Errorf("auth: a secret of %d bytes, at least %d are needed", len(secret), MinSecret)
	}
	if id == "" {
		// A guess at the secret can be checked against any token as well.
		id = fingerprint([]byte("vigueur HS256"), secret)
	}
	return Key{id: id, method: jwt.SigningMethodHS256, sign: secret, verify: secret}, nil
}

// PEM is a key of EdDSA (Ed25519) or RS256 from a PEM file: a private key in
// PKCS #8, or PKCS #1 for RSA, or a public key, which only verifies. An
// algorithm of "" takes either. Its id is made from the public key. The error says
// what is wrong, and nothing of the key.
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
		return Key{}, fmt.Errorf("auth: the key is one of %s, not of %s", key.method.Alg(), algorithm)
	}
	spelled, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return Key{}, fmt.Errorf("auth: name the key: %w", err)
	}
	key.id = fingerprint(spelled)
	return key, nil
}

// parsePEM reads the first block of a PEM file; private is nil for a public key.
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
		err = fmt.Errorf("auth: a PEM block of type %q is no key that is taken", block.Type)
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

// fingerprint names a key by its content.
func fingerprint(parts ...[]byte) string {
	hash := sha256.New()
	for _, part := range parts {
		hash.Write(part)
	}
	return hex.EncodeToString(hash.Sum(nil)[:idBytes])
}

// Keyring holds the keys in use: the first signs, every one verifies.
type Keyring []Key

var errNoKey = errors.New("auth: the token's key is not in use")

// find gives what to verify a parsed token with: the key its header names, or
// the first when it names none. The key decides the algorithm: a header that
// claims another finds nothing.
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

// algorithms lists those of the ring.
func (r Keyring) algorithms() []string {
	list := make([]string, len(r))
	for i, k := range r {
		list[i] = k.method.Alg()
	}
	return list
}
