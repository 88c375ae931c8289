// Package auth proves who somebody is: passwords, access tokens and refresh
// tokens. It knows no store: it makes and checks values, and the caller keeps
// them.
//
// Passwords are hashed with argon2id. One hash takes about 70 ms of a core and
// 19 MB, so that only so many run at once; a few others wait, as long as their
// context allows, and further ones are refused. Whoever has no account is checked against a hash that matches
// nothing, so that an unknown e-mail takes the same time as a wrong password.
//
// An access token is a JWT that lives for as long as its maker says and is never stored: it is
// void before its time when its account is closed or its version is no longer
// the account's, which the caller compares. Its algorithm is pinned by the key
// that its header names, never by the header itself; a Keyring may hold several
// keys, so that a new one signs while tokens of the old one live on.
//
// An API key is 32 random bytes too, spelled so that it is known for one wherever it
// is found, and kept by its SHA-256.
//
// A refresh token is 32 random bytes, of which only the SHA-256 is stored: they
// need no slow hash, because nobody can guess them.
package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// refreshBytes is the length of a refresh token before it is spelled.
const refreshBytes = 32

// NewRefresh makes a refresh token, as the client keeps it, and its hash, as
// the database keeps it.
func NewRefresh() (token string, hash []byte) {
	secret := make([]byte, refreshBytes)
	_, _ = rand.Read(secret) // it never fails: crypto/rand ends the process instead
	token = base64.RawURLEncoding.EncodeToString(secret)
	return token, HashRefresh(token)
}

// HashRefresh is the hash under which a refresh token is kept. Anything may be
// given: what was never a token has a hash that nobody keeps.
func HashRefresh(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
