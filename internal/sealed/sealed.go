// Package sealed keeps what may lie in others' hands, in the database or in a browser, so
// that only the service can read or make it. Keys are derived (HKDF, RFC 5869) from one of
// the settings' secrets, one for each purpose; what is sealed is bound to what it is about,
// so that it opens nothing in another's place.
package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// ErrSealed says that something cannot be opened: it was made with another key, for
// another purpose or about something else, or changed since.
var ErrSealed = errors.New("sealed: not sealed with this key")

// Box seals for one purpose. It is safe for use by many goroutines.
type Box struct{ aead cipher.AEAD }

// NewBox makes the box of a purpose, with a key derived from a secret of the settings.
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

// Seal gives data as only Open of a box of the same secret and purpose reads it, and only
// for the same about.
func (b *Box) Seal(data, about []byte) []byte {
	return b.aead.Seal(nil, nil, data, about) //nolint:gosec // this one makes its nonce itself, and takes none
}

// Open gives what was sealed; ErrSealed when it cannot.
func (b *Box) Open(sealed, about []byte) ([]byte, error) {
	data, err := b.aead.Open(nil, nil, sealed, about)
	if err != nil {
		return nil, ErrSealed
	}
	return data, nil
}
