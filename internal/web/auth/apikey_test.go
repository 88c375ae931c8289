package auth

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func TestAKeyIsKnownByItsFormAndChecksum(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^vig_[0-9A-Za-z]{49}$`)
	seen := map[string]bool{}
	for range 200 {
		key, shown, hash := NewKey()
		if !form.MatchString(key) || !strings.HasPrefix(key, shown) || len(shown) != 12 || seen[key] {
			t.Fatalf("%q, shown as %q", key, shown)
		}
		seen[key] = true
		sum := sha256.Sum256([]byte(key))
		if !bytes.Equal(hash, sum[:]) {
			t.Error("the hash is not the key's SHA-256")
		}
		if again, ok := HashKey(key); !ok || !bytes.Equal(again, hash) {
			t.Errorf("%q is not taken for a key", key)
		}
		for _, bad := range []string{key[1:], key + "0", key[:len(key)-1], "Vig_" + key[4:], key[:20] + flip(key[20]) + key[21:], key[:52] + flip(key[52])} {
			if _, ok := HashKey(bad); ok {
				t.Errorf("%q is taken for a key", bad)
			}
		}
	}
	for _, bad := range []string{"", "vig_", strings.Repeat("a", 53), "vig_" + strings.Repeat("é", 49), "vig_" + strings.Repeat("\x00", 49)} {
		if _, ok := HashKey(bad); ok {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

// flip returns a digit other than c.
func flip(c byte) string {
	if c == 'x' {
		return "y"
	}
	return "x"
}

func TestBase62FillsItsWidth(t *testing.T) {
	t.Parallel()
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for _, n := range []*big.Int{big.NewInt(0), big.NewInt(61), most} {
		text := base62(n, keyDigits)
		back, ok := new(big.Int).SetString(text, 62)
		if len(text) != keyDigits || !ok || back.Cmp(n) != 0 {
			t.Errorf("%v is spelled %q", n, text)
		}
	}
	if got := len(base62(big.NewInt(1<<32-1), checkDigits)); got != checkDigits {
		t.Errorf("the greatest checksum has %d digits", got)
	}
}
