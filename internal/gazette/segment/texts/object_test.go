package texts

import (
	"testing"

	"vigueur/internal/law"
)

func TestObjectOf(t *testing.T) {
	t.Parallel()
	for article, want := range map[string]string{ // "" if no object is found
		"Le présent décret fixe le statut général des établissements publics de l’Etat à caractère professionnel conformément aux dispositions de l’article 18 de la loi n°010-2013/AN.": "fixant le statut général des établissements publics de l’Etat à caractère professionnel",
		"La présente loi organique détermine la composition de la Cour suprême, son siège et ses chambres.":                                                                              "déterminant la composition de la Cour suprême",
		"La présente loi régit le commerce du sel gris ; elle ne régit pas celui du poivre.":                                                                                             "régissant le commerce du sel gris",
		"Le present arrete reglemente la vente du sel en sacs de jute.":                                                                                                                  "réglementant la vente du sel en sacs de jute",
		"La présente loi a pour objet la protection des sauniers.\nElle est d’ordre public.":                                                                                             "ayant pour objet la protection des sauniers",
		"La présente loi a pour objet de protéger les sauniers.":                                                                                                                         "ayant pour objet de protéger les sauniers",
		"Le présent décret fixe le prix.":                                     "",
		"Le présent décret sera publié.":                                      "",
		"Le prix du sel est fixé par la loi":                                  "",
		"Au sens du présent décret, le sel fixe l’eau de mer dans les marais": "",
	} {
		got, ok := objectOf([]law.Article{{Text: "Vu la Constitution"}, {Number: "1er", Text: article, Page: 2}, {Number: "2", Text: "Le présent décret fixe le prix du poivre noir."}})
		if ok != (want != "") || got.Title != want || ok && got.Page != 2 {
			t.Errorf("%q: %+v", article, got)
		}
	}
	if got, ok := objectOf(nil); ok {
		t.Errorf("of no articles: %+v", got)
	}
}
