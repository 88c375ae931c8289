package sealed

import (
	"bytes"
	"testing"
)

// FuzzOpen: what was changed by one bit, or sealed about something else, stays shut.
func FuzzOpen(f *testing.F) {
	box, err := NewBox([]byte("a secret of thirty-two bytes ...."), "fuzz")
	if err != nil {
		f.Fatal(err)
	}
	good := box.Seal([]byte("data"), []byte("about"))
	f.Add(good, []byte("about"))
	f.Add(good[:len(good)-1], []byte("about"))
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, kept, about []byte) {
		// Another process of the fuzzer seals the same otherwise, and that opens too.
		data, err := box.Open(kept, about)
		if err == nil && (string(data) != "data" || string(about) != "about") || err != nil && bytes.Equal(kept, good) && string(about) == "about" {
			t.Errorf("%x about %q: %q, %v", kept, about, data, err)
		}
	})
}
