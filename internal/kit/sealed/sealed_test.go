package sealed

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWhatWasSealedElsewhereStaysShut(t *testing.T) {
	t.Parallel()
	box := func(secret, purpose string) *Box {
		b, err := NewBox([]byte(secret), purpose)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	secret := strings.Repeat("s", 32)
	b := box(secret, "letters")
	kept := b.Seal([]byte("words"), []byte("awa"))
	if data, err := box(secret, "letters").Open(kept, []byte("awa")); err != nil || string(data) != "words" {
		t.Errorf("%q, %v", data, err)
	}
	if bytes.Equal(kept, b.Seal([]byte("words"), []byte("awa"))) {
		t.Error("the same twice: a nonce is used again")
	}
	changed := bytes.Clone(kept)
	changed[len(changed)-1] ^= 1
	for name, c := range map[string]struct {
		box   *Box
		data  []byte
		about string
	}{
		"another secret":  {box(strings.Repeat("t", 32), "letters"), kept, "awa"},
		"another purpose": {box(secret, "cookies"), kept, "awa"},
		"another's":       {b, kept, "eve"},
		"changed":         {b, changed, "awa"},
		"cut":             {b, kept[:10], "awa"},
		"nothing":         {b, nil, "awa"},
	} {
		if _, err := c.box.Open(c.data, []byte(c.about)); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
