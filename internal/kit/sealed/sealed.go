// Package sealed encrypts and authenticates data that is stored in the database or a
// browser, so that only the service can read or create it. Each purpose has a key, which is
// derived (HKDF, RFC 5869) from a secret of the settings. Data is bound to a context
// (about) and is invalid in any other context.
package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// ErrSealed means that data cannot be decrypted: it was encrypted with another key, for
// another purpose or context, or was modified.
var ErrSealed = errors.New("sealed: not sealed with this key")

// Box encrypts data for one purpose. It is safe for use by many goroutines.
type Box struct{ aead cipher.AEAD }

// NewBox returns the box for a purpose. Its key is derived from a secret of the settings.
func NewBox(secret []byte, purpose string) (*Box, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("sealed: derive a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	return &Box{aead}, nil
}

// Seal encrypts data. Only Open of a box with the same secret and purpose can decrypt the
// result, and only with the same about.
func (b *Box) Seal(data, about []byte) []byte {
	return b.aead.Seal(nil, nil, data, about) //nolint:gosec // this AEAD generates its nonce itself and takes none
}

// Open decrypts data. The error is ErrSealed if it cannot be decrypted.
func (b *Box) Open(sealed, about []byte) ([]byte, error) {
	data, err := b.aead.Open(nil, nil, sealed, about)
	if err != nil {
		return nil, ErrSealed
	}
	return data, nil
}

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
