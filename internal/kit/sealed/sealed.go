// Package sealed encrypts and authenticates data that is stored in the database or a
// browser, so that only the service can read or create it. Keys are derived (HKDF, RFC
// 5869) from one of the settings' secrets, one per purpose; data is bound to a context
// (about), so that it is invalid in any other.
package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// ErrSealed means that data cannot be decrypted: it was encrypted with another key, for
// another purpose or context, or was modified.
var ErrSealed = errors.New("sealed: not sealed with this key")

// Box encrypts for one purpose. It is safe for use by many goroutines.
type Box struct{ aead cipher.AEAD }

// NewBox returns the box of a purpose, with a key derived from a secret of the settings.
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

// Seal encrypts data. Only Open of a box with the same secret and purpose can decrypt it,
// and only with the same about.
func (b *Box) Seal(data, about []byte) []byte {
	return b.aead.Seal(nil, nil, data, about) //nolint:gosec // this AEAD generates its nonce itself and takes none
}

// Open decrypts data; ErrSealed if it cannot.
func (b *Box) Open(sealed, about []byte) ([]byte, error) {
	data, err := b.aead.Open(nil, nil, sealed, about)
	if err != nil {
		return nil, ErrSealed
	}
	return data, nil
}
