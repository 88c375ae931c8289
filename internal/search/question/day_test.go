package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/testkit/cost"
	"vigueur/internal/law"
)

// askedOn is the day of the made questions, a Wednesday.
var askedOn = time.Date(2026, time.November, 25, 0, 0, 0, 0, time.UTC)

// named are texts and articles as questions name them, with numbers, dates and years that are none of the question.
var named = []string{
	"l’article 36 de la loi n° 2023-07", "l’article 36 de la loi 2023-07", "l’article 5 du décret n° 2000-190 du 17 mai 2000", "l’article L. 1224-1 du code du travail",
	"l’article 3 bis de la loi n° 99-4 du 2 mai 1999", "les articles 3 à 7 du code pénal", "l’arrêté du 10 septembre 2004", "la loi de finances pour 2018", "l’article 12 de l’ordonnance n° 62-008",
}

// days are ways to write the 3rd of February 2015 and other days, as the time of a question.
var days = map[string]string{
	"au 3 février 2015": "2015-02-03", "au 03/02/2015": "2015-02-03", "au 03.02.2015": "2015-02-03", "au 3-2-2015": "2015-02-03", "au 2015-02-03": "2015-02-03", "au 03/02/15": "2015-02-03",
	"au 3 fév. 2015": "2015-02-03", "au mardi 3 février 2015": "2015-02-03", "le 3 février 2015": "2015-02-03", "à la date du 3 février 2015": "2015-02-03",
	"au trois février deux mille quinze": "2015-02-03", "au 1er janvier 2024": "2024-01-01", "au premier janvier 2024": "2024-01-01", "au premier janvier deux mille vingt-quatre": "2024-01-01",
	"au 1 er janvier 2024": "2024-01-01", "à compter du 1er janvier 2024": "2024-01-01", "à partir du 1er janvier 2024": "2024-01-01", "dès le 1er janvier 2024": "2024-01-01",
	"au jour du 3 février 2015": "2015-02-03", "jusqu’au 3 février 2015": "2015-02-03", "avant le 3 février 2015": "2015-02-02", "à la veille du 3 février 2015": "2015-02-02", "au lendemain du 3 février 2015": "2015-02-04",
	"en février 2015": "2015-02-28", "en février de l’année 2015": "2015-02-28", "au mois de février 2015": "2015-02-28", "courant février 2015": "2015-02-28", "début février 2015": "2015-02-01", "fin février 2015": "2015-02-28",
	"en 02/2015": "2015-02-28", "mi-mai 2015": "2015-05-16", "au cours du mois de mai 2015": "2015-05-31", "à la fin du mois de mai 2015": "2015-05-31", "en mai deux mille quinze": "2015-05-31", "pendant le mois d’octobre 2015": "2015-10-31",
	"en 2015": "2015-12-31", "en l’an 2015": "2015-12-31", "en l’année 2015": "2015-12-31", "au cours de l’année 2015": "2015-12-31", "pendant l’année 2015": "2015-12-31", "dans l’année 2015": "2015-12-31", "courant 2015": "2015-12-31",
	"fin 2015": "2015-12-31", "à la fin de 2015": "2015-12-31", "à la fin de l’année 2015": "2015-12-31", "début 2015": "2015-01-01", "au début de l’année 2015": "2015-01-01", "dès 2015": "2015-01-01", "mi-2015": "2015-07-02",
	"avant 2015": "2014-12-31", "jusqu’en 2015": "2015-12-31", "pour 2015": "2015-12-31", "pour l’année 2015": "2015-12-31", "au titre de l’année 2015": "2015-12-31", "en mille neuf cent quatre-vingt-dix-neuf": "1999-12-31", "en deux mille quinze": "2015-12-31",
	"au premier trimestre 2015": "2015-03-31", "au 2e trimestre 2015": "2015-06-30", "au second semestre de 2015": "2015-12-31", "au premier semestre de l’année 2015": "2015-06-30", "au printemps 2015": "2015-05-31",
	"hier": "2026-11-24", "avant-hier": "2026-11-23", "il y a deux ans": "2024-11-25", "il y a 10 ans": "2016-11-25", "il y a un an": "2025-11-25", "il y a trois mois": "2026-08-25", "il y a environ 2 semaines": "2026-11-11",
	"l’an dernier": "2025-12-31", "l’année dernière": "2025-12-31", "l’an passé": "2025-12-31", "le mois dernier": "2026-10-31", "la semaine dernière": "2026-11-22", "en mai dernier": "2026-05-31", "en décembre dernier": "2025-12-31",
	"le 3 mai dernier": "2026-05-03", "le 3 mai de l’an dernier": "2025-05-03", "en mai de l’année dernière": "2025-05-31",
}

// withoutDay are expressions of time that do not say which day.
var withoutDay = []string{"", "à l’époque", "autrefois", "jadis", "anciennement", "auparavant", "avant la réforme", "avant la loi n° 2025-09", "avant l’entrée en vigueur de la loi n° 2025-09", "entre 2015 et 2018", "entre mai 2015 et juin 2016",
	"du 3 au 5 mai 2015", "du 1er au 4 juin 2016", "de 2015 à 2018", "en 2015-2016", "après 2015", "dans les années 90", "il y a longtemps", "il y a quelques années", "au 3 mai", "par le passé", "à cette époque", "à ce moment-là"}

// frames are questions in the past about a text; %[1]s stands for the text, %[2]s for the time.
var frames = []string{
	"Que disait %[1]s %[2]s ?", "%[2]s, que disait %[1]s ?", "Que prévoyait %[1]s %[2]s ?", "Qu’est-ce que disait %[1]s %[2]s ?", "Quel était le contenu de %[1]s %[2]s ?", "que disait %[1]s %[2]s",
	"Je voudrais savoir ce que disait %[1]s %[2]s.", "Que pouvait-on faire selon %[1]s %[2]s ?", "Selon %[1]s, quelle était la peine %[2]s ?", "Combien de jours fallait-il attendre %[2]s selon %[1]s ?", "Bonjour, quelle durée fixait %[1]s %[2]s ? Merci",
	"Dites-moi ce que prévoyait %[1]s %[2]s", "Comment se calculait l’indemnité de %[1]s %[2]s ?", "Quelle amende encourait le vendeur %[2]s d’après %[1]s ?", "%[1]s s’appliquait %[2]s ?", "Le délai de %[1]s était de combien %[2]s ?",
}

// free are questions in the past without a text.
var free = []string{"Quel était le préavis d’un cadre %s ?", "%s, quel était le SMIG ?", "Combien coûtait un passeport %s ?", "Fallait-il un permis pour vendre du bois %s ?", "Quelle était la durée du congé %s au Bénin ?", "Quel fut le taux de la taxe %s ?",
	"Quel a été le SMIG %s ?", "L’employeur devait-il payer le transport %s ?", "Est-ce que le divorce était permis %s ?", "Quels impôts payaient les commerçants %s ?", "À quel âge pouvait-on se marier %s ?", "C’était combien le timbre %s ?"}

// madeQuestions returns a question of each frame about a time. Which text it names, and how it is typed, goes round.
func madeQuestions(moment string, turn int) (out []string) {
	for i, f := range frames {
		out = append(out, fmt.Sprintf(f, named[(turn+i)%len(named)], moment))
	}
	for _, f := range free {
		out = append(out, fmt.Sprintf(f, moment))
	}
	for i, text := range out {
		switch (turn + i) % 3 {
		case 0:
			out[i] = strings.ToUpper(text[:1]) + text[1:]
		case 1:
			out[i] = strings.ReplaceAll(text, "’", "'")
		}
	}
	return out
}

// readDay returns the day of a question, or « ? » if it is past and says none.
func readDay(text string) string {
	q := Read(text, Conversation{Today: askedOn})
	switch {
	case q.Day != nil && q.Undated:
		return "both"
	case q.Day != nil:
		return q.Day.Format(time.DateOnly)
	case q.Undated:
		return "?"
	}
	return ""
}

func TestMadeQuestionsAboutTheLawOfADay(t *testing.T) {
	t.Parallel()
	n := 0
	check := func(words, want string) {
		for _, text := range madeQuestions(words, n) {
			n++
			if got := readDay(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
	for words, want := range days {
		check(words, want)
	}
	for _, words := range withoutDay {
		check(words, "?")
	}
	if n < 2000 {
		t.Errorf("only %d questions", n)
	}
}

// A question in the present asks about the law of a day if it gives one as the time of the law, or in the clause that
// asks, where nothing happens.
func TestDayOfQuestionsInThePresent(t *testing.T) {
	t.Parallel()
	for _, frame := range []string{"Que dit %s %s ?", "%[2]s, que dit %[1]s ?", "Que prévoit %s %s ?", "%s %s", "Que dit %s, %s ?", "Donne-moi %s %s", "Je cherche %s tel qu’en vigueur %s", "Peut-on licencier sans motif selon %s %s ?"} {
		for i, n := range named {
			for _, words := range []string{"au 3 février 2015", "au 03/02/2015", "à la date du 3 février 2015", "au mardi 3 février 2015", "au 03/02/15", "au trois février deux mille quinze", "en vigueur le 3 février 2015", "applicable au 3 février 2015",
				"dans sa version du 3 février 2015", "dans sa rédaction en vigueur le 3 février 2015", "dans son état au 3 février 2015"} {
				if text := fmt.Sprintf(frame, n, words); i%3 == len(words)%3 && readDay(text) != "2015-02-03" {
					t.Errorf("%q: %q", text, readDay(text))
				}
			}
		}
	}
	for text, want := range map[string]string{
		"Quel est le SMIG en 2015 ?": "2015-12-31", "En 2015, quel est le préavis ?": "2015-12-31", "Quelle est la durée du congé le 3 mai 2015 ?": "2015-05-03", "Combien coûte un passeport en mai 2015 ?": "2015-05-31",
		"Quel est le préavis en vigueur en 2015 ?": "2015-12-31", "Quelle est la loi qui s’appliquait en 2015 ?": "2015-12-31", "Quel est le SMIG en 2015 et en 2016 ?": "?", "Que dit l’ancienne version de l’article 5 du code pénal ?": "?",
		"Que dit la rédaction antérieure de l’article 5 du code pénal ?": "?", "Donne l’article 5 du code pénal tel qu’il était en 2015": "2015-12-31", "Logement vide au 1er janvier : qui doit payer ?": "",
		// What happened in a case says nothing of the law that is asked about.
		"Embauché en 2015, quel est mon préavis ?": "", "Je suis salarié depuis 2015, quel est mon préavis ?": "", "Quel est le préavis d’un salarié embauché en 2015 ?": "", "Un contrat conclu le 3 mai 2015 est-il valable ?": "",
		"J’ai été licencié le 3 mars 2019 : quelle indemnité ?": "", "Le bail signé en mai 2015 est-il nul ?": "", "Quel préavis pour un contrat de 2015 ?": "", "Mon fils né en 2015 peut-il voyager ?": "", "Si je signe en 2015, quel est le délai ?": "",
		"J’ai travaillé du 3 mai 2015 au 4 juin 2016 : quelle prime ?": "", "Quelle est la retraite de qui travaillait en 2015 ?": "",
		"Combien de déclarations la cellule a-t-elle reçues en 2019 ?": "", "En 1986, de combien l’office a-t-il été doté ?": "", "À quel indice M. Sel fut-il titularisé en 1979 ?": "", "Combien de femmes sont mortes en 2014 ?": "",
		"J’ai reçu une lettre hier j’ai combien de temps ?": "", "L’État peut-il faire payer une taxe pour l’année passée ?": "", "Combien d’agents sont retenus pour 2022 et 2023 ?": "", "Qu’a prévu le Mali en 2008 ?": "",
		"Mon père avait une boutique, il est mort : je peux continuer ?": "", "Mon frère avait été condamné, puis-je demander sa grâce ?": "", "Puis-je savoir combien payait le locataire d’avant ?": "", "Et si c’était en plein jour ?": "",
		// The present, and this year.
		"Quel est le SMIG en 2026 ?": "", "Que dit aujourd’hui l’article 5 du code pénal ?": "", "Quel est le préavis depuis 2015 ?": "", "Quel est le préavis ?": "",
		// Courtesy, the asker's own past, and the past of what is subordinate are not the past of the law.
		"Je voulais savoir quel est le préavis.": "", "Je me demandais si le divorce est permis": "", "Je souhaitais connaître la durée du congé": "", "Bonjour, j’avais une question : quel est le SMIG ?": "",
		"Quel est le préavis quand on travaillait de nuit ?": "", "Mon patron ne payait pas mes heures, que dit la loi ?": "", "Mon patron ne payait pas mes heures. Que dit la loi ?": "", "Puis-je partir si mon patron ne payait pas ?": "",
		"Quelle peine risque celui qui conduisait sans permis ?": "", "Que signifie « était tenu de » ?": "", "Quel serait le préavis ?": "", "Que devrait payer le locataire ?": "", "Combien faudrait-il attendre ?": "", "Que fait le juge ?": "", "Qui connait le délai ?": "",
		// A question for a day is not asked for one.
		"Quand la loi n° 2023-07 était-elle en vigueur ?": "", "À quelle date fallait-il payer ?": "",
		// Several days and known ones.
		"Quel était le préavis d’un salarié embauché en 2010 et licencié en 2015 ?": "?", "Quel était le préavis en 2015 d’un salarié embauché en 2010 ?": "2015-12-31", "Embauché en 2010, quel était mon préavis en 2015 ?": "2015-12-31",
		"Mon employeur pouvait-il me licencier le 3 mai 2015 ?": "2015-05-03", "Mon employeur pouvait-il me licencier sans préavis ?": "?", "La loi n° 2023-07 était-elle en vigueur ?": "?", "La loi n° 2023-07 était-elle en vigueur aujourd’hui ?": "",
		"Que disait l’article 36 de la loi n° 2023-07 au 1er janvier 2024 ?": "2024-01-01", "Du 1er mai 2015 au 4 juin 2016, quel était le préavis ?": "?",
	} {
		if got := readDay(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The forms of verbs are made from their stems.
func TestImparfait(t *testing.T) {
	t.Parallel()
	forms := map[string][]string{ // infinitive: stem of the imparfait, stem of the conditional
		"donner": {"donn", "donner"}, "dire": {"dis", "dir"}, "être": {"ét", "ser"}, "avoir": {"av", "aur"}, "pouvoir": {"pouv", "pourr"}, "devoir": {"dev", "devr"}, "falloir": {"fall", "faudr"}, "prévoir": {"prévoy", "prévoir"},
		"savoir": {"sav", "saur"}, "vouloir": {"voul", "voudr"}, "recevoir": {"recev", "recevr"}, "valoir": {"val", "vaudr"}, "venir": {"ven", "viendr"}, "tenir": {"ten", "tiendr"}, "finir": {"finiss", "finir"}, "garantir": {"garantiss", "garantir"},
		"punir": {"puniss", "punir"}, "partir": {"part", "partir"}, "consentir": {"consent", "consentir"}, "prendre": {"pren", "prendr"}, "rendre": {"rend", "rendr"}, "mettre": {"mett", "mettr"}, "permettre": {"permett", "permettr"},
		"connaître": {"connaiss", "connaîtr"}, "paraître": {"paraiss", "paraîtr"}, "ouvrir": {"ouvr", "ouvrir"}, "couvrir": {"couvr", "couvrir"}, "offrir": {"offr", "offrir"}, "encourir": {"encour", "encourr"}, "mourir": {"mour", "mourr"}, "durer": {"dur", "durer"},
		"figurer": {"figur", "figurer"}, "assurer": {"assur", "assurer"}, "entrer": {"entr", "entrer"}, "montrer": {"montr", "montrer"}, "livrer": {"livr", "livrer"}, "encadrer": {"encadr", "encadrer"}, "administrer": {"administr", "administrer"},
		"considérer": {"considér", "considérer"}, "déclarer": {"déclar", "déclarer"}, "retirer": {"retir", "retirer"}, "instaurer": {"instaur", "instaurer"}, "consacrer": {"consacr", "consacrer"}, "élaborer": {"élabor", "élaborer"}, "suivre": {"suiv", "suivr"},
		"vivre": {"viv", "vivr"}, "conclure": {"conclu", "conclur"}, "exclure": {"exclu", "exclur"}, "rompre": {"romp", "rompr"}, "vaincre": {"vainqu", "vaincr"}, "coûter": {"coût", "coûter"}, "payer": {"pay", "payer"}, "appliquer": {"appliqu", "appliquer"},
		"exiger": {"exige", "exiger"}, "célébrer": {"célébr", "célébrer"}, "requérir": {"requér", "requerr"}, "établir": {"établiss", "établir"}, "bâtir": {"bâtiss", "bâtir"}, "servir": {"serv", "servir"}, "subir": {"subiss", "subir"}, "choisir": {"choisiss", "choisir"},
		"fournir": {"fourniss", "fournir"}, "croire": {"croy", "croir"}, "boire": {"buv", "boir"}, "faire": {"fais", "fer"}, "aller": {"all", "ir"}, "voir": {"voy", "verr"}, "envoyer": {"envoy", "enverr"}, "remplir": {"rempliss", "remplir"}, "obtenir": {"obten", "obtiendr"},
		"nourrir": {"nourriss", "nourrir"}, "interdire": {"interdis", "interdir"}, "avertir": {"avertiss", "avertir"}, "sortir": {"sort", "sortir"}, "mentir": {"ment", "mentir"}, "suffire": {"suffis", "suffir"}, "écrire": {"écriv", "écrir"}, "agir": {"agiss", "agir"},
		"investir": {"investiss", "investir"}, "vêtir": {"vêt", "vêtir"}, "saisir": {"saisiss", "saisir"}, "réussir": {"réussiss", "réussir"}, "courir": {"cour", "courr"}, "convertir": {"convertiss", "convertir"}, "anéantir": {"anéantiss", "anéantir"},
	}
	for verb, stems := range forms {
		for _, ending := range []string{"ait", "aient"} {
			if past := stems[0] + ending; !imparfait(law.Fold(past), past) {
				t.Errorf("%s: %q is not past", verb, past)
			}
			if would := stems[1] + ending; imparfait(law.Fold(would), would) {
				t.Errorf("%s: %q is past", verb, would)
			}
		}
	}
}

// Reading the time of a long message costs in proportion to its length.
func TestTimeIsLinear(t *testing.T) {
	for _, unit := range []string{"en 2015 ", "était ", "au 3 mai ", "du 3 au 5 mai 2015 ", "qui a été fixé ", "quel ", "il y a deux ans ", "l’an dernier, ", "mille ", "avant la ", "1 ", "« "} {
		t.Run(unit, func(t *testing.T) {
			cost.Linear(t, 16<<10, func(size int) string { return strings.Repeat(unit, size/len(unit)) }, func(text string) { timeIn(text, nil, askedOn) })
		})
	}
}
