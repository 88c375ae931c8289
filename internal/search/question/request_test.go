package question

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law/country"
)

// TestLawless checks questions that no law answers, and others that only sound alike.
func TestLawless(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]bool{
		"Est-ce que je vais gagner mon procès ?":                                 true,
		"Est-ce que je dois quitter mon mari ?":                                  true,
		"Dois-je épouser ma cousine ?":                                           true,
		"Que feriez-vous à ma place ?":                                           true,
		"Vaut-il mieux une SARL ou une SA ?":                                     true,
		"Qui est l’actuel président du Burkina Faso ?":                           true,
		"Comment s’appelle le ministre de la justice ?":                          true,
		"Quelle est la date de la prochaine élection ?":                          true,
		"Traduis bonjour en anglais":                                             true,
		"Écris-moi un poème":                                                     true,
		"Dois-je quitter mon logement à la fin du bail ?":                        false,
		"Dois-je quitter mon poste avant la fin du préavis ?":                    false,
		"Mon oncle peut-il plaider à ma place au tribunal ?":                     false,
		"Mon avocat veut 20 % de ce que je gagnerai au procès, est-ce permis ?":  false,
		"Je vais me remarier, est-ce que je vais perdre mon petit de cinq ans ?": false,
		"Vais-je gagner ?":                                                       true,
		"Est-ce que je dois voter ?":                                             false,
		"Dois-je acheter un timbre fiscal ?":                                     false,
		"Qui est le chef des armées ?":                                           false,
		"Comment s’appelle désormais le lycée de Matam ?":                        false,
		"À quelle date entre en vigueur la prochaine convention ?":               false,
		"Le contrat doit-il être écrit ?":                                        false,
		"Peut-on épouser sa cousine ?":                                           false,
		"Quelle traduction faut-il joindre au dossier ?":                         false,
	} {
		t.Run(question, func(t *testing.T) {
			if got := Read(question, Conversation{}).Request.Lawless(); got != want {
				t.Errorf("%q: %v", question, got)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Request{
		"Résume la loi n° 2010-05":                        Summary,
		"Peux-tu me faire un résumé du code du travail ?": Summary,
		"plus court":                                             Summary,
		"Peux-tu faire plus court ?":                             Summary,
		"Je veux mourir":                                         Despair,
		"Qui est le président du Sénégal ?":                      News,
		"Qui est le Premier ministre ?":                          News,
		"Qui est le président du conseil d’administration ?":     Told,
		"Qui est le chef des armées ?":                           Told,
		"En une phrase ?":                                        Summary,
		"Explique-moi simplement le préavis":                     Summary,
		"Écris-moi une lettre de démission":                      Draft,
		"Bonjour, pouvez-vous rédiger un contrat de bail ?":      Draft,
		"Je voudrais une lettre pour contester mon licenciement": Draft,
		"Calcule mon indemnité après 8 ans":                      Calculation,
		"Comment calculer l’indemnité de licenciement ?":         Told,
		"3 x 45 000":                     Arithmetic,
		"Combien font 12 + 30 ?":         Arithmetic,
		"Traduis bonjour en anglais":     Translation,
		"Écris-moi un poème":             OtherWork,
		"que pensez-vous du président ?": Opinion, "tu votes pour ki": Opinion, "Si vous votez par procuration, quels documents faut-il ?": Told, "crois-tu que mon patron peut me virer": Told, "tu crois que mon patron devrait me payer mes heures": Told, "penses-tu que la peine de mort devrait être abolie": Opinion, "vous trouvez que cette peine est injuste ?": Opinion,
		"est ce que la loi sur la polygamie est juste ?": Opinion, "le roi du maroc est-il un bon roi": Opinion, "une peine juste et motivée est-elle obligatoire ?": Told, "mon cousin ali a til fait de la prison": Private,
		"quel est le salaire de mon collègue": Private, "quel est le salaire minimum de mon patron ?": Told,
		"ton avis sur l'avortement":                                                            Opinion,
		"mon voisin a-t-il été condamné ?":                                                     Private,
		"Est-ce que mon patron a déjà été condamné par un tribunal ?":                          Private,
		"mon employeur a-t-il le droit de me licencier ?":                                      Told,
		"Mon ex a été condamné à me verser une pension, c'est puni ?":                          Told,
		"Mon fils a été arrêté, combien de temps peut-on le garder ?":                          Told,
		"Je demande l'avis sur la pension : quel délai pour le contester ?":                    Told,
		"Le délai est-il plus court quand la loi approuve un traité ?":                         Told,
		"Je veux faire un testament pour un ami, sur quelle part de mes biens j’ai le droit ?": Told,
		"Faire un recours suspend la sanction, n’est-ce pas ?":                                 Told,
		"Que doit contenir une lettre de licenciement ?":                                       Told,
		"Une lettre de licenciement est-elle obligatoire ?":                                    Told,
		"Le contrat doit-il être écrit ?":                                                      Told,
		"Donner des prospectus aux conducteurs, est-ce permis ?":                               Told,
		"Quel résumé l’avis de marché doit-il donner ?":                                        Told,
		"La demande de divorce : où la déposer ?":                                              Told,
		"Loi 2010-05": Told,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Read(text, Conversation{}).Request; got != want {
				t.Errorf("%d, want %d", got, want)
			}
		})
	}
}

func TestHurt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Mon mari me frappe, que faire ?":                            true,
		"Femme battue, à quelle protection ai-je droit ?":            true,
		"j'ai été violée hier":                                       true,
		"mon ex menace de me tuer":                                   true,
		"je veux mourir":                                             true,
		"Une candidate battue aux élections reste-t-elle protégée ?": false,
		"Une vieille tombe menace de tomber, qui la répare ?":        false,
		"Quelle est la peine du viol ?":                              false,
		"L’opérateur viole son cahier des charges":                   false,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Read(text, Conversation{}).Hurt; got != want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestUnnamed(t *testing.T) {
	t.Parallel()
	previous := Conversation{Asked: []string{"Que dit la loi n° 2010-05 ?"}}
	for text, want := range map[string]bool{
		"Que prévoit cet accord sur les congés ?":                                 true,
		"Quelles sont les sanctions prévues par cette loi ?":                      true,
		"Cette loi s’applique-t-elle aux mineurs ?":                               true,
		"Selon ce décret, qui signe ?":                                            true,
		"Que dit la loi sur le bail ?":                                            false,
		"J’ai payé mon voisin pour qu’il se taise, faut-il déclarer cet accord ?": false,
		"Un accord d’entreprise a été signé. Que dit cet accord ?":                false, // it speaks of it before
		"Que prévoit le code du travail ? Et selon ce code ?":                     false,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Read(text, Conversation{}).Unnamed; got != want {
				t.Errorf("%v", got)
			}
			if Read(text, previous).Unnamed && !strings.Contains(text, "accord") {
				t.Error("after a conversation that names a text")
			}
		})
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]country.Code{
		"Quelle est la durée du congé de paternité au Japon ?":                 "x-Japon",
		"En Espagne, combien de jours pour rendre un achat ?":                  "x-Espagne",
		"Et aux États-Unis ?":                                                  "x-États-Unis",
		"Quel est l’âge de la retraite en Corée du Sud ?":                      "x-Corée-du-Sud",
		"Je vis en Australie et je renonce à ma nationalité suisse, comment ?": "ch",
		"J’ai été poignardé en vacances en Espagne":                            "",
		"Comment faire reconnaître un diplôme obtenu en Espagne ?":             "",
		"Quels papiers pour exporter en Chine ?":                               "",
		"Combien coûte un appel depuis l’Espagne ?":                            "",
		"Quel est le préavis au Togo ?":                                        "tg",
		"Le salarié détaché en Allemagne reste-t-il assuré ?":                  "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := Read(text, Conversation{}).Countries
			if want == "" && got != nil || want != "" && !slices.Equal(got, []country.Code{want}) {
				t.Errorf("%q", got)
			}
		})
	}
	if got := Read("Quelle est la durée du congé de paternité au Japon ?", Conversation{Country: "sn"}).Countries; !slices.Equal(got, []country.Code{"x-Japon"}) {
		t.Errorf("with a country chosen: %q", got)
	}
}

func TestAgreements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Quelle prime prévoit la convention collective de la métallurgie ?":  "convention collective de la métallurgie",
		"convention collective nationale des transports routiers, préavis ?": "convention collective nationale des transports",
		"Que dit la convention collective Syntec sur le télétravail ?":       "convention collective Syntec",
		"préavis idcc 3248": "idcc 3248",
		"Une convention collective de branche peut-elle y déroger ?":     "",
		"La convention collective de l’entreprise peut-elle y déroger ?": "",
		"Comment dénoncer une convention collective du travail ?":        "",
		"Quelle est la durée d'une convention collective au Maroc ?":     "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, r := range References(text) {
				if r.Title != "" {
					got = r.Name
				}
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestWholeText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Résume le code du travail marocain":                  true,
		"Fais-moi un résumé de la loi n° 2010-05":             true,
		"Résume les règles du préavis dans la loi n° 2010-05": false,
		"Que dit la loi n° 2010-05 ?":                         false,
	} {
		if got := Read(text, Conversation{}).WholeText(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
