package openai

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// FuzzCompletion: an event of a model's stream gives text within the limit, or a known error; counts of tokens are
// bounded.
func FuzzCompletion(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"delta":{"content":"Le préavis"},"finish_reason":null}]}`, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"completion_tokens":99999999999}}`,
		`{"error":{"message":"no"}}`, `{"error":null,"choices":[]}`, `{"choices":[{"delta":{"content":["a"]}}]}`, `{`, `null`, "\xff", `{"choices":[{"delta":{"content":"\ud83d"}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := ""
		w := &writer{marker: marker{known: map[int]int{1: 1}}, yield: func(delta string) error { got += delta; return nil }, limit: 1 << 10}
		_, err := read(data, w)
		if err != nil && !errors.Is(err, errBroken) && !w.ended(err) {
			t.Errorf("%q: %v", data, err)
		}
		if len(got) > w.limit || !utf8.ValidString(got) || w.in < 0 || w.out < 0 || w.in > 10_000_000 || w.out > 10_000_000 {
			t.Errorf("%q: %d bytes, %d and %d tokens", data, len(got), w.in, w.out)
		}
	})
}
