package sealed

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenBytes is the length of a token before encoding.
const tokenBytes = 32

// NewToken generates a token for a client (a refresh token, or a link in a mail) that
// nobody can guess, and the hash under which the database stores it.
func NewToken() (token string, hash []byte) {
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the process instead
	token = base64.RawURLEncoding.EncodeToString(secret)
	return token, HashToken(token)
}

// HashToken returns the hash under which a token is stored. It also accepts invalid tokens:
// the database has no row with their hash. A plain SHA-256 suffices, because a token cannot
// be guessed.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
