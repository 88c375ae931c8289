package french_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/french"
)

// What is hostile must not cost more than its length.
func TestHostileTextIsReadInLinearTime(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"1-", "1/", "1 000 ", "1.000.", "a.", "A. ", "article ", "articles 1, ", "mille ", "deux cent ", "vingt et ", "n° ",
		"l'", "L. 1-", ".[", "!  ", "«", "e\u0301", "quatre-vingt-", "1er ", "\xff", "[1] ", "deux mille ", "un ", "à ", "1 à ", "a'"} {
		text := strings.Repeat(part, 200_000/len(part))
		began := time.Now()
		french.Analyze(text)
		french.Sentences(text)
		french.Facts(text)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("200 kB of %q took %v", part, took)
		}
	}
}
