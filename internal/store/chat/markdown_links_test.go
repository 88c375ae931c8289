package chat

import "testing"

func TestAnswersOfAnExportPointNowhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Dix jours [1]. **Oui**, « *non* » [2][3].":    `Dix jours [1]. **Oui**, « *non* » [2]\[3].`,
		"![x](https://a.example/?q=secret)":            `!\[x]\(https\://a.example/?q=secret)`,
		"[ici](HTTP://a.example) et [là][1]":           `[ici]\(HTTP\://a.example) et [là]\[1]`,
		"[1]: https://a.example":                       `[1]\: https\://a.example`,
		"<img src=x> <https://a.example>":              `\<img src=x> \<https\://a.example>`,
		"www.a.example, Www.b.example, a@b.example":    `www\.a.example, Www\.b.example, a\@b.example`,
		`\<img> \\<img> !\[x]\(y) \\\<b>`:              `\<img> \\\<img> !\[x]\(y) \\\<b>`,
		"article 12 : dix jours. Voir l’article 3 (2)": "article 12 : dix jours. Voir l’article 3 (2)",
		"bad \xff<b>": "bad \xff\\<b>",
	} {
		if got := stripLinks(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
