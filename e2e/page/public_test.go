package page

import (
	"strings"
	"testing"

	"vigueur/e2e/browser"
)

// TestPublicPages reads the catalogue as somebody without an account, from its countries down
// to an article that an act has changed. The pages have no script, so that they are the same
// in a browser that runs none.
func TestPublicPages(t *testing.T) {
	v := atPage(t)
	v.look(axe(t), []screen{
		{"droit-accueil", "/", func(v *visit) error { return v.See("se lisent sans compte") }},
		{"droit-recherche", "", func(v *visit) error {
			return first(v.Type("#find-title", "code du travail"), v.Key("\r"), v.Has(".texts li"))
		}},
		{"droit-pays", "/akn", nil},
		{"droit-annee", "/akn", func(v *visit) error {
			return first(v.Click(`a[href$="/2023"]`), v.Has(".texts li"))
		}},
		{"droit-texte", "", func(v *visit) error {
			return first(v.ClickOn(`[...document.querySelectorAll(".texts a")].find((a) => a.href.includes("2023-07"))`), v.Has("article h2"), v.See("consolidée par le service"))
		}},
		{"droit-ancien", "", func(v *visit) error {
			return first(v.Click(`nav[aria-label="Versions"] a`), v.See("Ce qui est en vigueur le"))
		}},
		{"droit-article", "", func(v *visit) error {
			return first(v.Back(), v.ClickOn(`[...document.querySelectorAll("article")].find((a) => a.innerText.includes("consolidé par le service")).querySelector("h2 a")`), v.See("Ses rédactions"))
		}},
		{"droit-absent", "/akn/bf/act/1999-01-01/1", func(v *visit) error { return v.See("Ce texte n’existe pas") }},
	})
	scripts, err := browser.Eval[int](v.Tab, `document.querySelectorAll("script:not([type='application/ld+json'])").length`)
	must(t, err)
	if scripts > 0 {
		t.Errorf("a public page has %d scripts", scripts)
	}
	v.blameless("404 (Not Found")
	pdf, err := func() ([]byte, error) { must(t, v.Open("/akn")); return v.PDF() }()
	must(t, err)
	if !strings.HasPrefix(string(pdf), "%PDF") {
		t.Error("it does not print")
	}
}
