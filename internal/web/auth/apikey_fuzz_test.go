package auth

import (
	"bytes"
	"testing"
)

// FuzzHashKey: a key is looked up only if it has the form of one, and each has a hash of its own.
func FuzzHashKey(f *testing.F) {
	good, _, stored := NewKey()
	f.Add(good)
	f.Add("vig_")
	f.Add(good[:len(good)-1] + "\xff")
	f.Fuzz(func(t *testing.T, key string) {
		hash, ok := HashKey(key)
		if ok != (len(hash) > 0) || ok && (len(key) != keyLength || checksum(key[:keyLength-checkDigits]) != key[keyLength-checkDigits:]) {
			t.Errorf("%q: %x, %v", key, hash, ok)
		}
		if bytes.Equal(hash, stored) != (key == good) {
			t.Errorf("%q has the hash of %q", key, good)
		}
	})
}
