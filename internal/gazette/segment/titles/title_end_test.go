package titles

import (
	"testing"
)

func TestTitlesEnd(t *testing.T) {
	t.Parallel()
	const title = "portant organisation des salines"
	for _, right := range []string{
		"", " L'ASSEMBLEE NATIONALE A DELIBERE ET ADOPTE", ". L’Assemblée nationale et le Sénat ont adopté,", " LE PRESIDENT DE LA REPUBLIQUE PROMULGUE LA LOI DONT LA TENEUR SUIT :",
		" Vu la Constitution ;", " TITRE I DISPOSITIONS GENERALES CHAPITRE I", " Chapitre premier : Du sel", " SOMMAIRE TITRE I", " Table des matières", " Le Parlement a adopté ;",
		" LOUANGE A DIEU SEUL ! (Grand Sceau de Sa Majesté)", " article 1er ............ 3 article 2 ........ 4", " Le Président de la République, sur le rapport du ministre du sel, décrète :",
	} {
		t.Run(right, func(t *testing.T) {
			t.Parallel()
			got := TrimObject(title + right)
			if got != title && got != title+" article 1er" {
				t.Errorf("%q", got)
			}
		})
	}
	for _, whole := range []string{
		"modifiant le titre I du code du sel", "MODIFIANT LE TITRE I DU CODE", "abrogeant les articles 1er et 2", "fixant les attributions du Président de la République",
		"portant règlement de l’Assemblée nationale", "relatif au Conseil économique et social", "complétant le livre premier, TITRE II, du code", "",
		"portant approbation du règlement que le Conseil a adopté",
	} {
		t.Run(whole, func(t *testing.T) {
			t.Parallel()
			if got := TrimObject(whole); got != whole {
				t.Errorf("%q", got)
			}
		})
	}
}
