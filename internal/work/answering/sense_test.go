package answering

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
)

// twins returns a passage with two sentences that state nearly the same rule about two
// things.
func twins() []llm.Passage {
	return []llm.Passage{{N: 1, Title: "Code du travail", Article: "27", Text: "Le contrat de l’ouvrier ne peut être rompu sans un préavis de deux mois. " +
		"Le contrat du cadre ne peut être rompu sans un préavis de trois mois, dans les cas de l’article 14.\n" +
		"L’employeur doit délivrer un certificat au plus tard le jour du départ. Le travail de nuit est interdit aux enfants."}}
}

func TestTurnedSenseIsTold(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		// The number occurs in the passage, but in another sentence than the one that is
		// repeated.
		"Le contrat de l’ouvrier ne peut être rompu sans un préavis de trois mois [1].":                           "Le sens",
		"Le contrat du cadre ne peut être rompu sans un préavis de trois mois, dans les cas de l’article 27 [1].": "Le sens",
		"Le contrat de l’ouvrier peut être rompu sans un préavis de deux mois [1].":                               "Le sens",
		"L’employeur peut délivrer un certificat au plus tard le jour du départ [1].":                             "Le sens",
		"L’employeur ne doit pas délivrer un certificat au plus tard le jour du départ [1].":                      "Le sens",
		"Le travail de nuit est autorisé aux enfants [1].":                                                        "Le sens",
		"Le contrat de l’ouvrier ne peut être rompu sans un préavis de deux mois [1].":                            "",
		"Le contrat de l’ouvrier ne peut être rompu sans un préavis de 2 mois [1].":                               "",
		"Selon le code, le contrat du cadre ne peut être rompu sans un préavis de trois (3) mois [1].":            "",
		"Un certificat est remis au salarié le jour où il part [1].":                                              "",
		"L’article 27 dispose : « Le travail de nuit est interdit aux enfants. » [1]":                             "",
		"Les enfants ne travaillent pas la nuit [1].":                                                             "",
	} {
		v := Check(said, "", twins())
		switch {
		case want == "" && !v.OK:
			t.Errorf("%q: %s", said, *v.Warning)
		case want != "" && (v.OK || !strings.Contains(*v.Warning, want)):
			t.Errorf("%q: %+v, want a warning with %q", said, v, want)
		}
	}
}

// A free paraphrase is compared by the few words that decide: modals before a verb, « avec » and « sans », maxima and minima,
// kinds of days. What the question says, counts of what a passage lists and simple products are known.
func TestParaphrasesAreCompared(t *testing.T) {
	t.Parallel()
	passages := []llm.Passage{{N: 1, Title: "Code du sel", Article: "5", Edition: "6 mars 2016", Text: "Le ministre peut, après avis du conseil, suspendre la vente. " +
		"Le congé est de huit jours au maximum ; il ne peut être pris qu’au moment de la récolte. Le saunier reçoit vingt jours ouvrables.\n" +
		"L’amende est de dix mille francs, sans possibilité de sursis ; elle est doublée pour une société.\n" +
		"Les principes sont : la clarté, la simplicité et la durée. Le recours est formé dans le mois de la vente.\n" +
		"Le conseil des sauniers fixe chaque année, sur proposition du préfet, le prix du sel de table.\n" +
		"Les marais sont inspectés par le maire, en présence des propriétaires voisins.\n" +
		"Le préfet a l’obligation de protéger les marais, sans pouvoir invoquer le manque de crédits. Les sauniers ont la faculté de clore leurs bassins.\n" +
		"Toute commune qui a un marais peut accorder aux sauniers qui le demandent le bénéfice du tarif ancien.\n" +
		"Lorsque la digue menace de rompre pendant les grandes marées, le saunier prévient par écrit la commune voisine.\n" +
		"Les ouvriers saisonniers embauchés avant juin reçoivent une prime de récolte. Le registre doit contenir au moins quarante pages. " +
		"Les bassins sont visités et décrits par le greffier. La concession est prolongée dans la limite d’une durée totale de trente mois."}}
	for said, want := range map[string]bool{
		"Le ministre doit suspendre la vente, une fois le conseil entendu [1].":                                                   false,
		"Le ministre ne peut suspendre la vente [1].":                                                                             false,
		"La vente, le ministre peut donc la suspendre [1].":                                                                       true,
		"Un congé de huit jours ouvrables est donné [1].":                                                                         false,
		"Le repos du saunier est de vingt jours calendaires [1].":                                                                 false,
		"Le repos du saunier est de vingt jours ouvrables [1].":                                                                   true,
		"Le congé doit être pris lorsque l’on récolte [1].":                                                                       true,
		"Une société paie trente mille francs [1].":                                                                               false,
		"Pour 4 sacs, l’amende est de quarante mille francs [1].":                                                                 true,
		"Le texte du 6 mars 2016 énonce trois principes [1].":                                                                     true,
		"Le texte énonce sept principes [1].":                                                                                     false,
		"Le recours se forme un mois après la vente [1].":                                                                         true,
		"Le recours se forme deux mois après la vente [1].":                                                                       false,
		"C’est le préfet qui fixe chaque année le prix du sel de table [1].":                                                      false,
		"C’est le conseil des sauniers qui fixe le prix du sel de table [1].":                                                     true,
		"Le préfet inspecte les marais en présence des propriétaires [1].":                                                        false,
		"Le maire inspecte les marais en présence des propriétaires [1].":                                                         true,
		"Les marais sont inspectés par les propriétaires voisins [1].":                                                            false,
		"Les marais sont inspectés par un maire [1].":                                                                             true,
		"C’est la gendarmerie qui inspecte les marais, en présence des propriétaires [1].":                                        false,
		"Les bassins sont clos avant que la récolte n’en sorte, si les sauniers le veulent [1].":                                  true,
		"La concession dure au moins trente mois [1].":                                                                            false,
		"La concession dure trente mois au plus [1].":                                                                             true,
		"Les bassins sont visités par le préfet [1].":                                                                             false,
		"Les bassins sont visités par le greffier [1].":                                                                           true,
		"Non. Le maire inspecte les marais [1].":                                                                                  true,
		"Pas toujours : une commune qui a un marais peut accorder aux sauniers qui le demandent le bénéfice du tarif ancien [1].": true,
		"Le préfet peut protéger les marais [1].":                                                                                 false,
		"Le préfet ne peut invoquer le manque de crédits [1].":                                                                    true,
		"Le préfet peut invoquer le manque de crédits [1].":                                                                       false,
		"Les sauniers ne peuvent clore leurs bassins [1].":                                                                        false,
		"Une commune qui a un marais doit laisser aux sauniers le bénéfice du tarif ancien [1].":                                  false,
		"Une commune qui a un marais peut laisser aux sauniers le bénéfice du tarif ancien [1].":                                  true,
		"Le saunier prévient par écrit la commune voisine [1].":                                                                   false,
		"Si la digue va rompre, le saunier prévient par écrit la commune voisine [1].":                                            true,
		"Tous les ouvriers saisonniers reçoivent une prime de récolte [1].":                                                       false,
		"Les ouvriers saisonniers reçoivent une prime de récolte [1].":                                                            true,
		"Le registre a quarante pages au plus [1].":                                                                               false,
		"Tous les artisans en profitent toujours [1].":                                                                            false,
		"Selon le code du sel, article 5 : « Le registre doit contenir au moins quarante pages. » [1]":                            true,
		"Le registre ne peut avoir moins de quarante pages [1].":                                                                  true,
		"Il peut [1].":        true,
		"Le saunier n’a [1].": true,
	} {
		if v := Check(said, "Que paie-t-on pour 4 sacs ?", passages); v.OK != want {
			t.Errorf("%q: %s", said, warning(v.Warning))
		}
	}
}

func TestAlignLaysAllOfASentenceAlong(t *testing.T) {
	t.Parallel()
	own, other := french.Analyze("le préavis dure trois mois"), french.Analyze("pour le cadre, le préavis dure deux longs mois en tout")
	path, same := align(own, other)
	if same != 4 {
		t.Errorf("%d alike, want le, préavis, dure, mois", same)
	}
	seen := 0
	for _, p := range path {
		if p.own >= 0 {
			if p.own != seen {
				t.Errorf("step %d out of order", p.own)
			}
			seen++
		}
	}
	if seen != len(own) {
		t.Errorf("%d of %d tokens laid", seen, len(own))
	}
	if path, same := align(nil, other); len(path) != 0 || same != 0 {
		t.Errorf("nothing along something: %v", path)
	}
	if path, same := align(own, nil); len(path) != len(own) || same != 0 {
		t.Errorf("something along nothing: %v", path)
	}
}
