package layout

import (
	"errors"
	"testing"

	"vigueur/internal/law"
)

// FuzzWords checks that words that can be read are encoded as they were, and that everything else is an
// error.
func FuzzWords(f *testing.F) {
	f.Add(AppendWords(nil, []Word{{Text: "Loi", Rect: law.Rect{1, 2, 3, 4}, Size: 9, Bold: true, Turn: Down, Covered: true}, {Text: "2", Raised: true, Other: true}}))
	f.Add([]byte{255, 255, 255, 255, 15})
	f.Add([]byte{1, 3, 'a'})
	f.Fuzz(func(t *testing.T, b []byte) {
		words, err := ReadWords(b)
		if err != nil {
			if !errors.Is(err, ErrWords) {
				t.Error(err)
			}
			return
		}
		again, err := ReadWords(AppendWords(nil, words))
		if err != nil || len(again) != len(words) {
			t.Fatalf("%d words, then %d: %v", len(words), len(again), err)
		}
		for i := range words {
			if words[i] != again[i] {
				t.Errorf("%+v, then %+v", words[i], again[i])
			}
		}
	})
}
