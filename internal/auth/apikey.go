package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// KeyPrefix is how an API key begins: people and secret scanners know one by it.
const KeyPrefix = "vig_"

const (
	secretBytes = 32 // random, before they are spelled
	keyDigits   = 43 // of base 62 for so many bytes
	checkDigits = 6  // of base 62 for a CRC-32
	shownDigits = 8  // what is shown of a key leaves 208 bits unknown

	keyLength = len(KeyPrefix) + keyDigits + checkDigits
)

// NewKey makes an API key, as its owner is shown it once: the prefix, 256 random
// bits in base 62, and the CRC-32 (IEEE) of these in base 62, by which a scanner of
// leaked secrets tells one from what merely looks like one, as it does for GitHub's.
// shown is its beginning, which may be seen by anybody; hash is what is kept.
//
// The hash is one round of SHA-256. A slow one such as argon2 protects what people
// choose and others can guess; 256 random bits nobody guesses, and a hash that takes
// 70 ms would have to be computed at every request.
func NewKey() (key, shown string, hash []byte) {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // it never fails: crypto/rand ends the process instead
	stem := KeyPrefix + base62(new(big.Int).SetBytes(secret), keyDigits)
	return stem + checksum(stem), stem[:len(KeyPrefix)+shownDigits], hashKey(stem + checksum(stem))
}

// HashKey gives the hash under which a key is kept; ok is false for what was never
// a key, which needs no look into the store.
func HashKey(key string) (hash []byte, ok bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, KeyPrefix) {
		return nil, false
	}
	stem := key[:keyLength-checkDigits]
	if checksum(stem) != key[len(stem):] { // a checksum is no secret
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

// base62 spells n in digits, then small and great letters, with zeros before it.
func base62(n *big.Int, width int) string {
	text := n.Text(62)
	return strings.Repeat("0", width-len(text)) + text
}
