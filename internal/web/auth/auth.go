// Package auth authenticates: passwords, access tokens, refresh tokens and API keys. It has
// no store: it generates and checks values, and the caller stores them.
//
// Passwords are hashed with argon2id. One hash takes about 70 ms of a core and 19 MB, so
// the number of concurrent hashes is limited; a few more wait, as long as their context
// allows, and further ones are refused. Without an account, the password is checked against
// a hash that matches nothing, so that an unknown e-mail takes the same time as a wrong
// password.
//
// An access token is a JWT with a configured lifetime and is never stored: it becomes
// invalid earlier if its account is closed or its version differs from the account's, which
// the caller checks. Its algorithm is determined by the key that its header names, never by
// the header itself; a Keyring may hold several keys, so that a new key signs while tokens
// of the old key stay valid.
//
// An API key is 32 random bytes in a recognizable encoding, and is stored as its SHA-256.
//
// A refresh token is a token of package sealed.
package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// KeyPrefix is the prefix by which people and secret scanners recognize an API key.
const KeyPrefix = "vig_"

const (
	secretBytes = 32 // random bytes, before encoding
	keyDigits   = 43 // base 62 digits of secretBytes bytes
	checkDigits = 6  // base 62 digits of a CRC-32
	shownDigits = 8  // digits of the public part; about 208 bits stay secret

	keyLength = len(KeyPrefix) + keyDigits + checkDigits
)

// NewKey generates an API key, which is shown to its owner once: the prefix, 256 random
// bits in base 62, and their CRC-32 (IEEE) in base 62, by which a scanner of leaked secrets
// distinguishes a key from similar strings, as in GitHub's keys. shown is the beginning,
// which is public; hash is what is stored.
//
// The hash is one round of SHA-256. A slow hash such as argon2 protects guessable secrets
// that people choose; 256 random bits cannot be guessed, and a hash of 70 ms would have to
// be computed at every request.
func NewKey() (key, shown string, hash []byte) {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the process instead
	stem := KeyPrefix + base62(new(big.Int).SetBytes(secret), keyDigits)
	return stem + checksum(stem), stem[:len(KeyPrefix)+shownDigits], hashKey(stem + checksum(stem))
}

// HashKey returns the hash under which a key is stored; ok is false if key is not
// well-formed, so that it need not be looked up.
func HashKey(key string) (hash []byte, ok bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, KeyPrefix) {
		return nil, false
	}
	stem := key[:keyLength-checkDigits]
	if checksum(stem) != key[len(stem):] { // a checksum is not a secret
		return nil, false
	}
	return hashKey(key), true
}

func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

func checksum(stem string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(stem)))), checkDigits)
}

// base62 encodes n in base 62, lower case before upper case, zero-padded to width.
func base62(n *big.Int, width int) string {
	text := n.Text(62)
	return strings.Repeat("0", width-len(text)) + text
}
