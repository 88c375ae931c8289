package question

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Aspect{
		"La loi n° 2023-07 est-elle en vigueur ?":                                          Force | Alive,
		"Est-ce que la loi 2023-07 est toujours en vigueur ?":                              Force | Alive,
		"le décret 2000-190 est encore applicable ?":                                       Force | Alive,
		"La loi n° 2023-07 a-t-elle été abrogée ?":                                         Force | Ended,
		"La loi n° 2023-07 est-elle caduque ?":                                             Force | Ended,
		"A-t-on abrogé la loi n° 2020-1 ?":                                                 Force | Ended,
		"La loi n° 2023-07 n’est-elle plus en vigueur ?":                                   Force,
		"La loi n° 2023-07 n’a-t-elle pas été abrogée ?":                                   Force,
		"Quel est le statut de la loi n° 2023-07 ?":                                        Force,
		"La loi n° 2023-07 a-t-elle été modifiée ou abrogée ?":                             Changed,
		"Depuis quand la loi n° 2020-1 est-elle abrogée ?":                                 Force | Since,
		"L’acte uniforme relatif au droit de l’arbitrage est-il encore en vigueur ?":       Force | Alive,
		"Depuis quand la loi n° 2023-07 est-elle en vigueur ?":                             Force | Since,
		"Quelle est la date d’entrée en vigueur de la loi n° 2023-07 ?":                    Since,
		"La loi n° 2023-07 a-t-elle été modifiée ?":                                        Changed,
		"Par quoi la loi n° 2023-07 a-t-elle été modifiée ?":                               Changed | By,
		"L’article 5 du décret n° 2000-190 a-t-il été modifié ?":                           Changed,
		"Quels textes ont modifié le code du travail ?":                                    By,
		"Quelle loi abroge la loi n° 2020-1 ?":                                             By,
		"Quels textes abroge la loi n° 2020-1 ?":                                           Changes,
		"Que modifie la loi n° 2020-1 ?":                                                   Changes,
		"Quels textes citent la loi n° 2020-1 ?":                                           CitedBy,
		"Quels sont les textes d’application de la loi n° 2020-1 ?":                        CitedBy,
		"Quand le décret n° 2016-1098 a-t-il été signé ?":                                  Dated,
		"La loi n° 2023-07 s’applique-t-elle encore ?":                                     Force | Alive,
		"La loi n° 2023-07 s’applique-t-elle aux étrangers ?":                              0,
		"Je veux la liste des textes modifiant le décret n° 2023-283":                      By,
		"Quelles lois sont modifiées par la loi n° 2020-1 ?":                               Changes,
		"Qu’abroge la loi n° 2020-1 ?":                                                     Changes,
		"Qu’a changé la loi n° 2020-1 ?":                                                   Changes,
		"Qu’a modifié ou abrogé la loi n° 2020-1 ?":                                        Changes,
		"Qu’est-ce que la loi n° 2020-1 a changé ?":                                        Changes,
		"Qu’est-ce qui a changé avec la loi n° 2020-1 ?":                                   Changes,
		"Qu’est-ce qui change avec le décret n° 2020-1 ?":                                  Changes,
		"Qu’est-ce qui est modifié par la loi n° 2020-1 ?":                                 Changes,
		"Que change la loi n° 2020-1 ?":                                                    Changes,
		"Que remplace l’article 3 de la loi n° 2020-1 ?":                                   Changes,
		"Que remplace la loi 2020-1 ?":                                                     Changes,
		"La loi n° 2020-1 a changé quoi ?":                                                 Changes,
		"Quelles modifications apporte la loi n° 2020-1 ?":                                 Changes,
		"Quelles modifications la loi n° 2020-1 apporte-t-elle ?":                          Changes,
		"Quelles modifications a apportées la loi n° 2020-1 ?":                             Changes,
		"Quelles modifications la loi n° 2020-1 a-t-elle apportées ?":                      Changes,
		"Quels changements sont apportés par le décret n° 2020-1 ?":                        Changes,
		"Quelles sont les modifications introduites par la loi n° 2020-1 ?":                Changes,
		"Quelles réformes introduit la loi n° 2020-1 ?":                                    Changes,
		"Quels textes la loi n° 2020-1 a-t-elle abrogés ?":                                 Changes,
		"La loi n° 2020-1 a-t-elle modifié d’autres textes ?":                              Changes,
		"Quelles modifications ont été apportées à la loi n° 2020-1 ?":                     Changed,
		"Quelles modifications la loi n° 2020-1 a-t-elle subies ?":                         Changed,
		"Qu’est-ce qui a changé dans la loi n° 2020-1 ?":                                   Changed,
		"La loi n° 2020-1 a-t-elle été changée ?":                                          Changed,
		"Qui a changé la loi n° 2020-1 ?":                                                  By,
		"Qu’est-ce qui a changé la loi n° 2020-1 ?":                                        By,
		"Qu’a changé la loi n° 2020-1 pour les locataires ?":                               0,
		"Quelles obligations introduit la loi n° 2020-1 ?":                                 0,
		"Le décret n° 2017-320 a-t-il subi des changements ?":                              Changed,
		"Dans quels textes parle-t-on de la loi n° 2016-48 ?":                              CitedBy,
		"La loi n° 2023-07 est-elle applicable aux étrangers ?":                            0,
		"Quelle peine prévoit la loi n° 2023-07 pour qui modifie un contrat ?":             0,
		"Selon la loi n° 2023-07, quand le contrat est-il modifié ?":                       0,
		"Que dit l’article 5 de la loi n° 2023-07 ?":                                       0,
		"Quand le contrat de travail peut-il être modifié ?":                               0,
		"Est-elle encore en vigueur ?":                                                     0,
		"Quelle est la situation des réfugiés selon la loi n° 2023-07 du 3 janvier 2023 ?": 0,
		// Other words beside the text ask about its content, unless they say who speaks, name the text's
		// subject, or are in other sentences.
		"Combien de fois un président peut-il être réélu d’après la Constitution révisée en 2016 ?":   0,
		"Un commerçant subit-il les changements de la loi n° 2020-1 si elle est modifiée plus tard ?": 0,
		"Quels points aucune révision de la Constitution de 2016 ne peut-elle toucher ?":              0,
		"Quelle durée de bail fixe la loi n° 2020-1, qui a été modifiée ?":                            0,
		"Mon avocat dit que le code du travail sénégalais est abrogé, est-ce vrai ?":                  Force | Ended,
		"Mon patron me licencie. Il prétend que la loi n° 2020-1 est abrogée.":                        Force | Ended,
		"Pour mon mémoire, je dois savoir si la loi n° 2020-1 a été modifiée.":                        Changed,
		"Bonjour, je suis étudiante à Dakar. La loi n° 2020-1 est-elle en vigueur ?":                  Force | Alive,
		"La loi n° 2020-1 relative aux marchés publics est-elle encore en vigueur ?":                  Force | Alive,
		"Quel texte est venu modifier la loi n° 2020-1 ?":                                             By,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Read(text, Conversation{}).Status; got != want {
				t.Errorf("%q: %b, want %b", text, got, want)
			}
		})
	}
}

func TestCourtesy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Courtesy{
		"bonjour": Greeting, "Bonjour !": Greeting, "Bonsoir madame": Greeting, "Salut, ça va ?": Greeting, "As-salam aleykoum": NoCourtesy,
		"merci": Thanks, "Merci beaucoup pour votre aide.": Thanks, "ok merci": Thanks, "Bonjour et merci": Thanks, "Au revoir": Farewell,
		"Qui es-tu ?": Identity, "Bonjour, qui êtes-vous ?": Identity, "Que peux-tu faire ?": Identity, "aide": Identity,
		"Bonjour, quel est le préavis ?": NoCourtesy, "Merci de me dire le délai": NoCourtesy, "": NoCourtesy, "?": NoCourtesy, "Qui est le maire ?": NoCourtesy,
		"Le bonjour est-il obligatoire ?": NoCourtesy,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Read(text, Conversation{}).Courtesy; got != want {
				t.Errorf("%q: %d, want %d", text, got, want)
			}
		})
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Language{
		"dot burkina": French, "preavis cadre burkina": French, "cdd tunisie c encor permi ?": French, "é kel amend riske-t-il ?": French, "what is the maternity leave in Burkina": English,
		"What is the notice period in Côte d’Ivoire?":                       English,
		"On m’a refusé, quand puis-je redemander ?":                         French,
		"Mon ex-employé a effacé nos fichiers":                              French,
		"How long may a tenant stay after the landlord has sold the house?": English,
		"What is the notice period for an employee who resigns?":            English,
		"Naka lañuy def ngir am liggéey ci Senegaal ?":                      Wolof,
		"Ndax mën nañu ma dàq ci sama liggéey te kenn yégalu ma ko ?":       Wolof,
		"ما هي مدة الإشعار؟":                                                Arabic,
		"辞职的通知期是多长时间？":                                                      Unknown,
		"42 ?":                                                              Unknown,
		"Quel est le préavis d’un cadre qui démissionne ?":                  French,
		"jai ete vire sans preavis cest legal ?":                            French,
		"smig":                                                              French,
		"CDD, rupture anticipée":                                            French,
		"Le leasing et le crowdfunding sont-ils réglementés ?":              French,
		"Que dit l’article 5 du Finance Act ?":                              French,
		strings.Repeat("Mon bailleur a vendu la maison. ", 100):             French,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Read(text, Conversation{}).Language; got != want {
				t.Errorf("%.60q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Au 1er janvier 2020, quel était le préavis ?":                   "2020-01-01",
		"Quel est le préavis en vigueur le 3 mai 2015 ?":                 "2015-05-03",
		"Quelle était la durée du congé à la date du 03/05/2015 ?":       "2015-05-03",
		"En 2015, le décret n° 2000-190 était-il en vigueur ?":           "2015-12-31",
		"Embauché en 2015, quel est mon préavis ?":                       "",
		"J’ai travaillé du 3 mai 2015 au 4 juin 2016 : quelle prime ?":   "",
		"Que dit la loi du 3 mai 2010 ?":                                 "",
		"Que prévoyait la loi n° 2010-05 du 3 mai 2010 sur le préavis ?": "",
		"Quel est le préavis ?":                                          "",
	} {
		t.Run(text, func(t *testing.T) {
			day := Read(text, Conversation{}).Day
			if got := ""; day != nil {
				if got = day.Format(time.DateOnly); got != want {
					t.Errorf("%q: %s, want %s", text, got, want)
				}
			} else if want != "" {
				t.Errorf("%q: no day, want %s", text, want)
			}
		})
	}
}

func TestKindsAndFigures(t *testing.T) {
	t.Parallel()
	q := Read("Combien de jours de congé au Maroc ? Je suis ouvrier à l’ONCF.", Conversation{})
	if q.Figures&french.Time == 0 || !q.Kind.Has(Figured) || !slices.Equal(q.Countries, []country.Code{"ma"}) || q.Counted != "jour" || !q.Own || !q.Names["oncf"] {
		t.Errorf("%+v", q)
	}
	for text, want := range map[string]AnswerKind{
		"Quelles sont les pièces à fournir ?":                           Listed | Several,
		"Puis-je licencier sans préavis ?":                              Modal,
		"Qu’est-ce qu’un étranger ?":                                    Definition,
		"Que dit l’article 5 de la loi n° 2010-05 ?":                    Wording,
		"article 5 loi 2010-05":                                         Wording,
		"Quel délai prévoit l’article 5 de la loi n° 2010-05 ?":         Figured,
		"La loi n° 2010-05 est-elle en vigueur ?":                       Status,
		"Qui nomme le directeur ?":                                      0,
		"Donne-moi le texte intégral de l’article 3 du code du travail": Wording,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Read(text, Conversation{}).Kind; got != want {
				t.Errorf("%q: %b, want %b", text, got, want)
			}
		})
	}
	if q := Read("…?!", Conversation{}); !q.Empty {
		t.Error("signs alone are not empty")
	}
}
