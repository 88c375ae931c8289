package extractive_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
)

// unitsOf makes passages of articles of one text, best first.
func unitsOf(texts ...string) (out []llm.Passage) {
	for i, text := range texts {
		number, body, _ := strings.Cut(text, "|")
		out = append(out, llm.Passage{N: i + 1, Title: "Loi des moulins", Article: number, Score: 0.9 - 0.01*float64(i), Text: body})
	}
	return out
}

// filler makes an article too long to be quoted whole.
var filler = strings.Repeat("\nLes registres de la meule sont tenus dans la forme que fixe un arrêté des ministres compétents en la matière.", 7)

// TestWhichSentenceAnswers checks which of the found sentences is quoted.
func TestWhichSentenceAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		question   string
		passages   []llm.Passage
		want, left string
	}{
		"what the rule is about stands first in it": { // neither is the first of the article, which is worth more
			"À qui est confiée la vanne du moulin ?",
			unitsOf("4|Le bief se parcourt en ordre et en silence, à l’heure dite.\nEst déchu, s’il se tait, celui à qui est confiée la vanne du moulin sans titre.\nLa vanne du moulin est confiée au meunier, sous serment." + filler),
			"« La vanne du moulin est confiée au meunier, ", "",
		},
		"also behind what it reserves": {
			"Les apprentis ont-ils le droit de pêcher ?",
			unitsOf("6|Le bief se parcourt en ordre et en silence, à l’heure dite.\nLes apprentis ne peuvent pêcher en barque.\nSauf en temps de crue, les apprentis sont autorisés à pêcher du bord." + filler),
			"Sauf en temps de crue", "",
		},
		"an item of a long list, with the line that leads to it, and what is left out between them said": {
			"Qui vend le godet de la roue ?",
			unitsOf("8|Est puni de dix jours de cachot :\n1. celui qui laisse le bief sans garde" + strings.Repeat(" de nuit comme de jour, en toute saison,", 11) + " ;\n2. quiconque tait une crue" + strings.Repeat(" au meunier ou à son commis, ", 12) +
				" ;\n3. quiconque vend le godet de la roue sans y être autorisé." + filler),
			"« Est puni de dix jours de cachot : […] 3. quiconque vend le godet de la roue", "",
		},
		"the rule before the case": {
			"Quelle peine pour le vol de grain ?",
			unitsOf("8|Si le grain est volé au roi, le vol de grain est puni de vingt ans d’exil.\nLe vol de grain est puni de dix jours de cachot." + filler),
			"Le vol de grain est puni de dix jours de cachot. »", "",
		},
		"the case when it is asked about": {
			"Quelle peine pour le vol de grain qui a entraîné la ruine du meunier ?",
			unitsOf("8|Le vol de grain est puni de dix jours de cachot.\nSi le vol de grain a entraîné la ruine du meunier, il est puni de vingt ans d’exil." + filler),
			"exil", "",
		},
		"the case that is asked about, in the law's many words": {
			"Que doit faire le meunier dont les réserves de grain tombent sous la moitié de la récolte ?",
			unitsOf("8|Il peut être procédé à la vente de réserves de grain lorsque la moitié de la récolte est battue.\nSi les comptes du moulin arrêtés à la Saint-Jean ont révélé que les réserves de grain sont devenues inférieures à la moitié de la récolte, le bailli est saisi par le meunier dans les dix jours." + filler),
			"le bailli est saisi", "",
		},
		"what follows on a breach": {
			"Que risque le meunier qui ne tient pas le registre annuel de la meule ?",
			unitsOf("8|Le meunier a l’obligation de tenir chaque année le registre annuel de la meule.\nEn cas de défaut du registre, le meunier s’expose aux suites que voici : la radiation, puis l’exil." + filler),
			"la radiation", "",
		},
		"how many make it up": {
			"Combien de jurés au tribunal des eaux ?",
			unitsOf("8|Les débats du tribunal des eaux sont ouverts par deux jurés.\nLe tribunal des eaux est composé de sept jurés." + filler),
			"sept jurés", "",
		},
		"a list when several things are asked for": {
			"Quels grains sont exclus du moulin ?",
			unitsOf("8|Les grains exclus du moulin sont rendus.\nSont exclus du moulin les grains : - germés ; - mouillés ; - moisis." + filler),
			"germés", "",
		},
		"a short article speaks as a whole": {
			"Combien de temps par jour pour allaiter au moulin ?",
			unitsOf("9|La meunière a droit à des repos pour allaiter son enfant.\nLeur durée ne passe pas une heure.", "10|La durée du repos des apprentis du moulin est de douze heures par jour."),
			"une heure", "",
		},
		"a term without a number": {
			"Dans quel délai faut-il renouveler le droit d’eau ?",
			unitsOf("11|La durée du droit d’eau est fixée par le bailli.\nLe droit d’eau doit être renouvelé dans le mois qui précède la Saint-Jean." + filler),
			"dans le mois", "",
		},
		"a definition": {
			"Définition du moulin banal en droit coutumier ?",
			unitsOf("15|Le moulin banal ouvert contre le droit est fermé par le bailli.\nLe moulin banal est le moulin où ceux du fief font moudre." + filler),
			"où ceux du fief", "",
		},
		"pay is a sum": {
			"Quel est le montant de l’indemnité du meunier renvoyé ?",
			unitsOf("13|Le meunier renvoyé demande son indemnité au bailli.\nLe meunier renvoyé reçoit une indemnité de trois mois de salaire." + filler),
			"trois mois de salaire", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := answer(t, llm.Prompt{Verdict: sure, Question: tt.question, Passages: tt.passages})
			if first, _, _ := strings.Cut(got, "\n"); !strings.Contains(first, tt.want) || tt.left != "" && strings.Contains(got, tt.left) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestListsAreQuotedWhole checks that broken lines, and items that end with a full stop,
// stay in their list.
func TestListsAreQuotedWhole(t *testing.T) {
	t.Parallel()
	list := "Le meunier s’absente comme suit :\n1) Noces :\n- de lui-même : quatre jours ;\n- d’un enfant ou d’un enfant de\nson épouse : deux jours.\n2) Deuil :\n- d’un frère : un jour.\nIl prévient le bailli."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien de jours pour les noces du meunier ?", Passages: unitsOf("3|" + list + filler)})
	if !strings.Contains(got, "suit : 1) Noces : - de lui-même : quatre jours ; - d’un enfant ou d’un enfant de son épouse : deux jours. 2) Deuil : - d’un frère : un jour.") {
		t.Errorf("%q", got)
	}
}

// TestAnItemIsLedTo checks that an item of a list too long to be quoted whole is quoted
// with the line that introduces the list.
func TestAnItemIsLedTo(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("3|Sont interdits aux moulins :\n")
	for range 12 {
		b.WriteString("- les travaux de la meule que le règlement des eaux et des vannes ne nomme pas ;\n")
	}
	b.WriteString("- la garde des ours blancs.")
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Les ours blancs ?", Passages: unitsOf(b.String())})
	if !strings.Contains(got, "« Sont interdits aux moulins : […] - la garde des ours blancs. » [1]") {
		t.Errorf("%q", got)
	}
}

// TestWhatIsTakenBackIsSaid checks that a rule is quoted with the next sentence if that
// limits it, even if it has no word of the question.
func TestWhatIsTakenBackIsSaid(t *testing.T) {
	t.Parallel()
	text := "17|Le recours contre le bailli est ouvert au meunier.\nIl cesse de l’être à la Saint-Jean.\nLe greffe est à la tour." + filler +
		"\nLe recours contre le bailli est ouvert par écrit."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "À qui le recours contre le bailli est-il ouvert ?", Passages: unitsOf(text)})
	if !strings.Contains(got, "au meunier. Il cesse de l’être à la Saint-Jean. »") || strings.Contains(got, "greffe") {
		t.Errorf("%q", got)
	}
}

// TestTheFigureIsFetched checks that an article to which the best one refers is quoted if
// it has the figure that is asked for.
func TestTheFigureIsFetched(t *testing.T) {
	t.Parallel()
	best := "234|La durée des services qui ouvre droit au congé d’ancienneté du meunier défini à l’article 232 est appréciée au départ."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien de jours de congé d’ancienneté pour le meunier ?",
		Passages: unitsOf(best, "232|Le congé est augmenté d’un jour et demi par période de cinq années.", "233|Le congé court pendant six mois.")})
	if !strings.Contains(got, "un jour et demi") || strings.Contains(got, "six mois") {
		t.Errorf("%q", got)
	}
}

// TestASureAnswerIsOfTheFirstArticle checks that no sentence of another article takes the
// place of the first one's, however well it fits: what is sure is that the first answers.
func TestASureAnswerIsOfTheFirstArticle(t *testing.T) {
	t.Parallel()
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien d’années dure la charge du bailli d’un fief du roi ?", Passages: unitsOf(
		"2|La charge de bailli est à vie."+filler, "7|La charge du bailli d’un fief du roi dure six années.")})
	if !strings.Contains(got, "à vie") || strings.Contains(got, "six années") {
		t.Errorf("%q", got)
	}
}

// TestExceptionsFollowAWholeArticle checks that an exception to an article that is quoted
// whole is quoted however many sentences that has, and one to another article is not.
func TestExceptionsFollowAWholeArticle(t *testing.T) {
	t.Parallel()
	question := "Le meunier doit-il prévenir ses voisins des crues ?"
	whole := "3|Le meunier avertit des crues les voisins du bief.\nLe bief se parcourt en silence.\nLa vanne reste ouverte à la Saint-Jean."
	for to, want := range map[string]bool{"3": true, "9": false} {
		t.Run(to, func(t *testing.T) {
			got, _ := answer(t, llm.Prompt{Verdict: sure, Question: question, Passages: unitsOf(whole, "4|Par dérogation à l’article "+to+", le meunier qui dort n’avertit pas des crues."+filler)})
			if !strings.Contains(got, "à la Saint-Jean. » [1]") || strings.Contains(got, "qui dort") != want {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestExceptionsToOtherTextsAreNot checks that an article of the same number of another text
// is not taken for the rule.
func TestExceptionsToOtherTextsAreNot(t *testing.T) {
	t.Parallel()
	passages := unitsOf("3|Le meunier avertit des crues les voisins du bief."+filler, "4|Par dérogation à l’article 3, le meunier qui dort n’avertit pas des crues."+filler)
	passages[1].Title = "Loi des ponts"
	if got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Le meunier avertit-il des crues ?", Passages: passages}); strings.Contains(got, "qui dort") {
		t.Errorf("%q", got)
	}
}

// TestAnswersAreBounded checks that a question for a list gets at most five sentences of a
// long article with what introduces and limits them, and another one at most three.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("3|")
	for _, who := range strings.Fields("bailli meunier péager berger marin tonnelier charron forgeron boulanger potier") {
		b.WriteString("Le " + who + " doit au roi dix florins de taxe pour les jours de foire au bord du bief, à payer à la Saint-Jean par devant le greffe.\n")
	}
	for question, limit := range map[string]int{"Qui doit une taxe au roi ?": 3, "Quelles sont les personnes qui doivent une taxe au roi ?": 5} {
		t.Run(question, func(t *testing.T) {
			got, _ := answer(t, llm.Prompt{Verdict: sure, Question: question, Passages: unitsOf(b.String())})
			if n := strings.Count(got, "dix florins"); n < 1 || n > limit {
				t.Errorf("%d sentences: %q", n, got)
			}
		})
	}
}
