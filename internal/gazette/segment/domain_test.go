package segment_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette"
)

func TestDomainByItsWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ object, words, want string }{
		{"portant code du travail", "Le salarié et l’employeur concluent un contrat de travail.", "travail"},
		{"portant loi de finances", "L’impôt et la taxe sont dus par le contribuable au fisc.", "impots"},
		{"relatif au tarif douanier", "Les marchandises importées sont déclarées en douane.", "douanes"},
		{"portant réforme foncière", "La parcelle est inscrite au cadastre et l’expropriation indemnisée.", "foncier"},
		{"modifiant le code pénal", "Est puni d’un emprisonnement l’auteur du délit.", "penal"},
		{"relatif à l’état civil", "La naissance et le mariage sont inscrits par l’officier.", "civil"},
		{"relatif aux marais", strings.Repeat("Les marais sont gérés par leur conseil et par le ministre de tutelle des salines de la côte. ", 14) + "Toute infraction est punie d’un emprisonnement.", "autre"},
		{"fixant le prix du sel", "Le sel est gris, il est vendu en sacs de jute.", "autre"},
		{"portant nomination d’un inspecteur du travail", "M. Personne, inspecteur du travail, est nommé.", "autre"},
	} {
		text := fmt.Sprintf("                 DÉCRET N° 2019-12 DU 1ER MARS 2019\n                 %s.\n\n  Vu la Constitution ;\n\n  Article 1er : %s\n  Article 2 : Le présent décret sera publié.\n",
			c.object, strings.Repeat(c.words+"\n", 3))
		x := split(t, text, gazette.Hints{})
		same(t, c.object, x.Document.Domain, c.want)
		if e := evidence(x, "domaine"); (e.Words == "") != (c.object == "fixant le prix du sel" || c.object == "relatif aux marais") || e.Confidence < 0.5 || e.Confidence > 1 {
			t.Errorf("%s: %+v", c.object, e)
		}
	}
}
