package web_test

import (
	"os"
	"strings"
	"testing"

	"vigueur/internal/rank"
)

// What is known of an article, and what decides, has French words on the screen that
// says why an answer is what it is.
func TestWordsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("src/admin/why-words.ts")
	if err != nil {
		t.Fatal(err)
	}
	names := rank.Names()
	var all rank.Evidence
	for i := range all {
		all[i] = 1
	}
	for name := range all.Told() {
		names = append(names, name)
	}
	for _, name := range names {
		if !strings.Contains(string(source), " "+name+": '") {
			t.Errorf("%s has no words in why-words.ts", name)
		}
	}
}
