package httpapi

import (
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Examples are articles in force from the largest domains. Each is the second article of
// the domain's newest text with numbered articles.
func TestExamplesAreOfTheCatalogue(t *testing.T) {
	b := setup(t)
	type examples struct{ Items []exampleBody }
	equal(t, "of an empty catalogue", decode[examples](t, b.get(t, prefix+"/examples")).Items, []exampleBody{})
	older, newer, bare := newText("Loi sur l’été", "2023-05-02"), newText("Loi sur l’hiver", "2024-05-02"), newText("Loi sur l’automne", "2025-05-02")
	bare.Articles[0].Number, bare.Articles[1].Number = "Annexe", ""
	taxes, waiting := newText("Loi de finances", "2022-05-02"), newText("Loi sur les sels", "2025-06-02")
	taxes.Document.Domain, waiting.Document.Domain = "impots", "impots"
	taxes.Articles, taxes.Passages = taxes.Articles[:1], taxes.Passages[:1]
	waiting.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.addTexts(t, older, newer, bare, taxes, waiting)
	of := func(text postgres.Text, i int) exampleBody {
		return exampleBody{text.Document.Domain, text.Document.ID, text.Document.Title, text.Articles[i].ID, text.Articles[i].Number}
	}
	equal(t, "of two domains", decode[examples](t, b.get(t, prefix+"/examples")).Items, []exampleBody{of(newer, 1), of(taxes, 0)})
}
