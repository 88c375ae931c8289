package auth

import (
	"errors"
	"fmt"

	"github.com/golang-jwt/jwt/v5"
)

// MinSecret is the least length of an HMAC key in bytes: that of its hash (RFC
// 7518, 3.2).
const MinSecret = 32

// Key signs or checks access tokens with one algorithm.
type Key struct {
	id     string
	method jwt.SigningMethod
	sign   any // what method signs with
	verify any // what method verifies with
}

// HMAC is a key of HS256 under the given id. The secret has MinSecret bytes or
// more.
func HMAC(id string, secret []byte) (Key, error) {
	if len(secret) < MinSecret {
		return Key{}, fmt.Errorf("auth: a secret of %d bytes, at least %d are needed", len(secret), MinSecret)
	}
	return Key{id: id, method: jwt.SigningMethodHS256, sign: secret, verify: secret}, nil
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
