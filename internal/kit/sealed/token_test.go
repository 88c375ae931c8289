package sealed_test

import (
	"bytes"
	"testing"
	"vigueur/internal/kit/sealed"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	a, hash := sealed.NewToken()
	b, _ := sealed.NewToken()
	if a == b || len(a) != 43 || !bytes.Equal(sealed.HashToken(a), hash) || bytes.Equal(sealed.HashToken(b), hash) {
		t.Errorf("tokens %q and %q, hash %x", a, b, hash)
	}
}
