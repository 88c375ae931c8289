package french

import (
	"reflect"
	"strings"
	"sync"
	"testing"
)

// The cache between calls changes no result, whatever was analyzed before or at the same
// time.
func TestCallsDoNotInfluenceOneAnother(t *testing.T) {
	t.Parallel()
	texts := []string{"", "l’article 5 de la loi n° 2010-05", "trois (3) mois", strings.Repeat("employeur salarié contrat ", 2000), "é\xff", "Le Code de commerce, art. L. 1224-1"}
	want := make([][]Token, len(texts))
	for i, text := range texts {
		want[i] = new(Analyzer).Append(nil, text)
	}
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for range 3 {
				for i, text := range texts {
					if got := Analyze(text); len(got) != len(want[i]) || len(got) > 0 && !reflect.DeepEqual(got, want[i]) {
						t.Errorf("%.20q is read in another way", text)
					}
					Terms(text)
				}
			}
		})
	}
	callers.Wait()
}

// A released reader keeps no text and none of the memory of a long one.
func TestReleasedReadersKeepLittle(t *testing.T) {
	t.Parallel()
	var words strings.Builder
	for i := range keptWords + 10 {
		for ; i > 0; i /= 26 {
			words.WriteByte(byte('a' + i%26))
		}
		words.WriteByte(' ')
	}
	r := new(reader)
	r.tokens = r.Append(nil, words.String())
	r.forget()
	if r.known != nil || r.lexes != nil || r.tokens != nil {
		t.Errorf("%d words, %d lexemes and %d tokens are kept", len(r.known), cap(r.lexes), cap(r.tokens))
	}
	r = new(reader)
	r.tokens = r.Append(nil, "contrat de travail")
	r.forget()
	if len(r.known) == 0 {
		t.Error("no words are kept")
	}
	for _, token := range r.tokens[:cap(r.tokens)] {
		if token != (Token{}) {
			t.Errorf("a token is kept: %v", token)
		}
	}
}
