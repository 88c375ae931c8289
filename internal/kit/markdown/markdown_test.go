package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Dix jours [1]. **Oui**, « *non* » [2][3].":    `Dix jours [1]. **Oui**, « *non* » [2][3].`,
		"![x](https://a.example/?q=secret)":            `!\[x]\(https\://a.example/?q=secret)`,
		"[ici](HTTP://a.example) et [là][1]":           `[ici]\(HTTP\://a.example) et [là][1]`,
		"[1]: https://a.example":                       `[1]\: https\://a.example`,
		"<img src=x> <https://a.example>":              `\<img src=x> \<https\://a.example>`,
		"www.a.example, Www.b.example, a@b.example":    `www\.a.example, Www\.b.example, a\@b.example`,
		`\<img> \\<img> !\[x]\(y) \\\<b>`:              `\<img> \\\<img> !\[x]\(y) \\\<b>`,
		"article 12 : dix jours. Voir l’article 3 (2)": "article 12 : dix jours. Voir l’article 3 (2)",
		"bad \xff<b>":                               "bad \xff\\<b>",
		"Oui [1].\n\nSources :\n[1] Loi":            "Oui [1].\n\n" + notOurs + "\n[1] Loi",
		"## **So\u00adURCE**":                       notOurs,
		"« Les sources : »\nLes sources d’eau\ns\n": "« Les sources : »\nLes sources d’eau\ns\n",
	} {
		var got string
		for s, i := (&Stream{}), 0; i < len(text); { // one by one
			_, size := utf8.DecodeRuneInString(text[i:])
			got += s.Write(text[i:i+size], i+size == len(text))
			i += size
		}
		if whole := Inert(text); whole != want || got != want {
			t.Errorf("%q becomes %q, in pieces %q, want %q", text, whole, got, want)
		}
	}
	if long := strings.Repeat("-", 300); Inert(long+"sources") != long+"sources" {
		t.Error("a long line is a heading")
	}
}

// What is decided is not held back.
func TestStreamIsPrompt(t *testing.T) {
	t.Parallel()
	var s Stream
	for _, c := range []struct{ piece, want string }{{"So", ""}, {"ir [1].", "Soir [1]."}, {" Voir http:", " Voir http"}, {"/", ""}, {"/x", `\://x`}, {"\nS", "\n"}, {"ources", ""}, {" d’eau", "Sources d’eau"}} {
		if got := s.Write(c.piece, false); got != c.want {
			t.Errorf("%q after %q, want %q", got, c.piece, c.want)
		}
	}
}
