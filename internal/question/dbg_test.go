package question

import (
	"fmt"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, s := range []string{
		"article 26 de la loi 2023-07", "La loi n° 2023-07 est-elle en vigueur ?", "Que dit l’article 12 de la loi sénégalaise n° 2020-12 ?", "art 26 loi 2023/07",
		"loi 2023-07, article 26", "AUSCGIE article 5", "Dans l'acte uniforme sur l'arbitrage, que dit l'article 3 ?", "L'acte uniforme relatif au droit de l'arbitrage est-il encore en vigueur ?",
		"Par quoi la loi n° 65-99 a-t-elle été modifiée ?", "Quels textes ont modifié le code du travail ?", "Quels textes modifie la loi n° 2020-1 ?", "Quelle loi abroge la loi n° 2020-1 ?",
		"Quels textes citent la loi n° 61-33 ?", "Depuis quand la loi 2024-15 est-elle en vigueur ?", "Est-elle encore en vigueur ?", "La loi 2024-15 est-elle applicable aux étrangers ?",
		"L'article 5 du décret n° 2000-190 a-t-il été modifié ?", "La loi béninoise de 2024 contre l'usure s'applique-t-elle aux prêts signés avant elle ?", "La loi de finances 2031 est-elle en vigueur ?", "Que dit l'arrêté du 10 septembre 2004 ?",
		"L. 1224-1", "Que disent les articles 3, 5 et 7 de la loi 2024-15 et l'article 2 du décret 2000-190 ?", "Au 1er janvier 2020, quel était le préavis ?", "En 2015, le décret 2000-190 était-il en vigueur ?", "Embauché en 2015, quel préavis ?",
		"Que dit l’article 9 de la Constitution ?", "Quels sont les textes d'application de la loi n° 2010-05 ?", "le 2000-192 est-il abrogé ?", "Quand le décret n° 2016-1098 a-t-il été signé ?", "Combien de jours, 10-15 jours ?",
		"How long may a tenant stay after the landlord has sold the house?", "Naka lañuy def ngir am liggéey ci Senegaal ?", "ما هي مدة الإشعار؟", "bonjour", "Bonjour, qui es-tu ?", "merci beaucoup !", "ok", "Bonjour, quel est le préavis ?", "Salut", "42", "?", "smig", "CDD préavis", "Quelle est la situation des réfugiés ?", "Qui a modifié la loi 65-99 ?", "loi n° 2031-05"} {
		q := Read(s, Conversation{Asked: []string{"Que dit la loi n° 5-2020 ?"}})
		fmt.Printf("%q\n   lang=%s court=%d empty=%v kind=%b status=%b day=%v lean=%v subst=%v ctry=%v\n", s, q.Language, q.Courtesy, q.Empty, q.Kind, q.Status, q.Day, q.Leans, q.Substance(), q.Countries)
		for _, r := range q.References {
			fmt.Printf("   - arts=%v type=%s num=%q title=%q phrase=%q year=%d date=%v alone=%v pointed=%v name=%q\n", r.Articles, r.Type, r.Number, r.Title, r.Phrase, r.Year, r.Date.Format("2006-01-02"), r.Alone, r.Pointed, r.Name)
		}
	}
}
