package extractive_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/search/decide"
)

// articlesOf makes passages from articles of one text, best first. Each argument is the
// number, a « | » and the text.
func articlesOf(texts ...string) (out []llm.Passage) {
	for i, text := range texts {
		number, body, _ := strings.Cut(text, "|")
		out = append(out, llm.Passage{N: i + 1, Title: "Loi des moulins", Article: number, Score: 0.9 - 0.01*float64(i), Text: body})
	}
	return out
}

// filler makes an article too long to be quoted whole.
var filler = strings.Repeat("\nLes registres de la meule sont tenus dans la forme que fixe un arrêté des ministres compétents en la matière.", 12)

// TestBestSentence checks which of the sentences found is quoted first.
func TestBestSentence(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		question      string
		passages      []llm.Passage
		want, omitted string
	}{
		"a rule that begins with its subject": { // neither sentence is the first of the article, which would raise its score
			"À qui est confiée la vanne du moulin ?",
			articlesOf("4|Le bief se parcourt en ordre et en silence, à l’heure dite.\nEst déchu, s’il se tait, celui à qui est confiée la vanne du moulin sans titre.\nLa vanne du moulin est confiée au meunier, sous serment." + filler),
			"La vanne du moulin est confiée au meunier, sous serment.", "",
		},
		"a rule with a condition before its subject": {
			"Les apprentis ont-ils le droit de pêcher ?",
			articlesOf("6|Le bief se parcourt en ordre et en silence, à l’heure dite.\nLes apprentis ne peuvent pêcher en barque.\nSauf en temps de crue, les apprentis sont autorisés à pêcher du bord." + filler),
			"Sauf en temps de crue", "",
		},
		"an item of a long list, with what introduces it": {
			"Qui vend le godet de la roue ?",
			articlesOf("8|Est puni de dix jours de cachot :\n1. celui qui laisse le bief sans garde" + strings.Repeat(" de nuit comme de jour, en toute saison,", 11) + " ;\n2. quiconque tait une crue" + strings.Repeat(" au meunier ou à son commis, ", 12) +
				" ;\n3. quiconque vend le godet de la roue sans y être autorisé." + filler),
			"3. quiconque vend le godet de la roue", "",
		},
		"the rule, not a special case": {
			"Quelle peine pour le vol de grain ?",
			articlesOf("8|Si le grain est volé au roi, le vol de grain est puni de vingt ans d’exil.\nLe vol de grain est puni de dix jours de cachot." + filler),
			"Le vol de grain est puni de dix jours de cachot.", "",
		},
		"the special case that is asked about": {
			"Quelle peine pour le vol de grain qui a entraîné la ruine du meunier ?",
			articlesOf("8|Le vol de grain est puni de dix jours de cachot.\nSi le vol de grain a entraîné la ruine du meunier, il est puni de vingt ans d’exil." + filler),
			"exil", "",
		},
		"a special case in many words": {
			"Que doit faire le meunier dont les réserves de grain tombent sous la moitié de la récolte ?",
			articlesOf("8|Il peut être procédé à la vente de réserves de grain lorsque la moitié de la récolte est battue.\nSi les comptes du moulin arrêtés à la Saint-Jean ont révélé que les réserves de grain sont devenues inférieures à la moitié de la récolte, le bailli est saisi par le meunier dans les dix jours." + filler),
			"le bailli est saisi", "",
		},
		"the penalty for a breach": {
			"Que risque le meunier qui ne tient pas le registre annuel de la meule ?",
			articlesOf("8|Le meunier a l’obligation de tenir chaque année le registre annuel de la meule.\nEn cas de défaut du registre, le meunier s’expose aux suites que voici : la radiation, puis l’exil." + filler),
			"la radiation", "",
		},
		"a number of members": {
			"Combien de jurés au tribunal des eaux ?",
			articlesOf("8|Les débats du tribunal des eaux sont ouverts par deux jurés.\nLe tribunal des eaux est composé de sept jurés." + filler),
			"sept jurés", "",
		},
		"a list if several things are asked for": {
			"Quels grains sont exclus du moulin ?",
			articlesOf("8|Les grains exclus du moulin sont rendus.\nSont exclus du moulin les grains : - germés ; - mouillés ; - moisis." + filler),
			"germés", "",
		},
		"a short article as a whole": {
			"Combien de temps par jour pour allaiter au moulin ?",
			articlesOf("9|La meunière a droit à des repos pour allaiter son enfant.\nLeur durée ne passe pas une heure.", "10|La durée du repos des apprentis du moulin est de douze heures par jour."),
			"une heure", "",
		},
		"a time limit without a number": {
			"Dans quel délai faut-il renouveler le droit d’eau ?",
			articlesOf("11|La durée du droit d’eau est fixée par le bailli.\nLe droit d’eau doit être renouvelé dans le mois qui précède la Saint-Jean." + filler),
			"dans le mois", "",
		},
		"a definition": {
			"Définition du moulin banal en droit coutumier ?",
			articlesOf("15|Le moulin banal ouvert contre le droit est fermé par le bailli.\nLe moulin banal est le moulin où ceux du fief font moudre." + filler),
			"où ceux du fief", "",
		},
		"a sum in months of pay": {
			"Quel est le montant de l’indemnité du meunier renvoyé ?",
			articlesOf("13|Le meunier renvoyé demande son indemnité au bailli.\nLe meunier renvoyé reçoit une indemnité de trois mois de salaire." + filler),
			"trois mois de salaire", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := answer(t, llm.Prompt{Verdict: sure, Question: tt.question, Passages: tt.passages})
			if first, _, _ := strings.Cut(got, "\n\n"); !strings.Contains(strings.ReplaceAll(first, "\n", " "), tt.want) || tt.omitted != "" && strings.Contains(got, tt.omitted) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestListsAreQuotedWhole checks that items that end with a full stop remain part of their
// list, that each is on a line of its own, and that broken lines are joined.
func TestListsAreQuotedWhole(t *testing.T) {
	t.Parallel()
	list := "Le meunier s’absente comme suit :\n1) Noces :\n- de lui-même : quatre jours ;\n- d’un enfant ou d’un enfant de\nson épouse : deux jours.\n2) Deuil :\n- d’un frère : un jour.\nIl prévient le bailli."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien de jours pour les noces du meunier ?", Passages: articlesOf("3|" + list + filler)})
	if !strings.Contains(got, "suit :\n1) Noces :\n- de lui-même : quatre jours ;\n- d’un enfant ou d’un enfant de son épouse : deux jours.\n2) Deuil :\n- d’un frère : un jour.") {
		t.Errorf("%q", got)
	}
}

// TestItemFollowsItsIntroduction checks that an item of a list too long to be quoted
// whole is quoted with the line that introduces the list.
func TestItemFollowsItsIntroduction(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("3|Sont interdits aux moulins :\n")
	for range 20 {
		b.WriteString("- les travaux de la meule que le règlement des eaux et des vannes ne nomme pas ;\n")
	}
	b.WriteString("- la garde des ours blancs.")
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Les ours blancs ?", Passages: articlesOf(b.String())})
	if !strings.Contains(got, "« Sont interdits aux moulins : […]\n- les travaux") || !strings.Contains(got, "- la garde des ours blancs. » [1]") {
		t.Errorf("%q", got)
	}
}

// TestRuleIsQuotedWithItsLimit checks that a rule is quoted with the next sentence if
// that limits the rule, even if it has no word of the question.
func TestRuleIsQuotedWithItsLimit(t *testing.T) {
	t.Parallel()
	text := "17|Le recours contre le bailli est ouvert au meunier.\nIl cesse de l’être à la Saint-Jean.\nLe greffe est à la tour." + filler +
		"\nLe recours contre le bailli est ouvert par écrit."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "À qui le recours contre le bailli est-il ouvert ?", Passages: articlesOf(text)})
	if !strings.Contains(got, "au meunier.\nIl cesse de l’être à la Saint-Jean.") {
		t.Errorf("%q", got)
	}
}

// TestFigureOfACitedArticle checks that an article to which the best one refers is quoted
// if it has the figure that is asked for.
func TestFigureOfACitedArticle(t *testing.T) {
	t.Parallel()
	best := "234|La durée des services qui ouvre droit au congé d’ancienneté du meunier défini à l’article 232 est appréciée au départ."
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien de jours de congé d’ancienneté pour le meunier ?",
		Passages: articlesOf(best, "232|Le congé est augmenté d’un jour et demi par période de cinq années.", "233|Le congé court pendant six mois.")})
	if !strings.Contains(got, "un jour et demi") || strings.Contains(got, "six mois") {
		t.Errorf("%q", got)
	}
}

// TestSureAnswerIsFromTheFirstArticle checks that a sentence of another article never
// replaces that of the first article, however well it matches: the search is sure only of
// the first article.
func TestSureAnswerIsFromTheFirstArticle(t *testing.T) {
	t.Parallel()
	got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Combien d’années dure la charge du bailli d’un fief du roi ?", Passages: articlesOf(
		"2|La charge de bailli est à vie."+filler, "7|La charge du bailli d’un fief du roi dure six années.")})
	if !strings.Contains(got, "à vie") || strings.Contains(got, "six années") {
		t.Errorf("%q", got)
	}
}

// TestExceptionToAWholeArticle checks that an exception to an article that is quoted
// whole is quoted too, however many sentences the article has, and that an exception to
// another article is not.
func TestExceptionToAWholeArticle(t *testing.T) {
	t.Parallel()
	question := "Le meunier doit-il prévenir ses voisins des crues ?"
	whole := "3|Le meunier avertit des crues les voisins du bief.\nLe bief se parcourt en silence.\nLa vanne reste ouverte à la Saint-Jean."
	for target, want := range map[string]bool{"3": true, "9": false} {
		t.Run(target, func(t *testing.T) {
			got, _ := answer(t, llm.Prompt{Verdict: sure, Question: question, Passages: articlesOf(whole, "4|Par dérogation à l’article "+target+", le meunier qui dort n’avertit pas des crues."+filler)})
			if !strings.Contains(got, "à la Saint-Jean. » [1]") || strings.Contains(got, "qui dort") != want {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestExceptionToAnotherText checks that an article with the right number but of another
// text does not count as the rule.
func TestExceptionToAnotherText(t *testing.T) {
	t.Parallel()
	passages := articlesOf("3|Le meunier avertit des crues les voisins du bief."+filler, "4|Par dérogation à l’article 3, le meunier qui dort n’avertit pas des crues."+filler)
	passages[1].Title = "Loi des ponts"
	if got, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Le meunier avertit-il des crues ?", Passages: passages}); strings.Contains(got, "qui dort") {
		t.Errorf("%q", got)
	}
}

// TestAnswersAreBounded checks that no more of a long article is quoted than of a short
// one, and that nothing is left out within what is quoted.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("3|")
	for range 5 {
		for _, who := range strings.Fields("bailli meunier péager berger marin tonnelier charron forgeron boulanger potier") {
			b.WriteString("Le " + who + " doit au roi dix florins de taxe pour les jours de foire au bord du bief, à payer à la Saint-Jean par devant le greffe.\n")
		}
	}
	for _, verdict := range []decide.Verdict{sure, unsure} {
		got, _ := answer(t, llm.Prompt{Verdict: verdict, Question: "Quelles sont les personnes qui doivent une taxe au roi ?", Passages: articlesOf(b.String())})
		if n := utf8.RuneCountInString(got); n < 900 || n > 1300 || strings.Contains(got, "[…]") {
			t.Errorf("%d code points: %q", n, got)
		}
	}
}
