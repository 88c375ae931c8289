package extractive_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
)

// TestCandidates checks that if it is doubtful which article answers, the best sentences
// of each of the first three are quoted verbatim, and a short article as a whole.
func TestCandidates(t *testing.T) {
	t.Parallel()
	var list []llm.Passage
	for n, text := range []string{
		"Le meunier paie une taxe. Le préavis du meunier est de deux mois." + filler, "", "Le préavis du boulanger est d’un mois. Il est écrit.",
		"Le préavis du marin est d’un an.", "Le préavis du berger est d’un jour.",
	} {
		list = append(list, llm.Passage{N: n + 1, Title: "Code des moulins", Article: string(rune('1' + n)), Text: text, Score: 0.4})
	}
	p := llm.Prompt{Verdict: unsure, Question: "Quel est le préavis du meunier ?", Passages: list}
	text, _ := answer(t, p)
	if !strings.HasPrefix(text, "Ces articles peuvent répondre :") {
		t.Fatalf("%q", text)
	}
	for _, want := range []string{"Le préavis du meunier est de deux mois.", "[1]", "« Le préavis du boulanger est d’un mois. Il est écrit. » [3]", "[4]"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q lacks %q", text, want)
			}
		})
	}
	if strings.Contains(text, "[5]") {
		t.Errorf("%q quotes more than three articles", text)
	}
	first, _, _ := strings.Cut(text, "[1]")
	if utf8.RuneCountInString(first) > 900 {
		t.Errorf("%q quotes a long article whole", first)
	}
	p.Passages = list[:1]
	if text, _ := answer(t, p); !strings.HasPrefix(text, "Cet article peut répondre :") {
		t.Errorf("one article: %q", text)
	}
	p.Passages = list[1:2]
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	if err := g.Generate(t.Context(), p, func(string) error { return nil }); !errors.Is(err, llm.ErrAbstained) {
		t.Errorf("no sentences: %v", err)
	}
}

// TestLikely checks that an answer that is only likely quotes the best article and names the
// next ones, each article once, a line each.
func TestLikely(t *testing.T) {
	t.Parallel()
	var list []llm.Passage
	for n, article := range []string{"3", "4", "4", "6", "7"} {
		list = append(list, llm.Passage{N: n + 1, Title: "Code des moulins", Article: article, Text: "Le préavis du meunier est de deux mois." + filler, Score: 0.4})
	}
	p := llm.Prompt{Verdict: likely, Question: "Quel est le préavis du meunier ?", Passages: list}
	text, _ := answer(t, p)
	for _, part := range []string{"Réponse probable :\n\nL’article 3 du Code des moulins dispose : « ", "» [1]", "\n\nÀ lire aussi :\n- L’article 4 du même texte [2]\n- L’article 6 du même texte [4]"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
	if !strings.HasSuffix(text, "[4]") || strings.Contains(text, "[3]") {
		t.Errorf("%q", text)
	}
	list[1].Country = "Bénin" // of another country's code with this title
	if text, _ := answer(t, p); !strings.Contains(text, "- L’article 4 du Code des moulins (Bénin) [2]\n- L’article 6 du Code des moulins [4]") {
		t.Errorf("two countries: %q", text)
	}
	p.Verdict.Probability = 0.6 // nearer to 1/2 than to 3/4
	if text, _ := answer(t, p); !strings.HasPrefix(text, "Réponse probable (environ une chance sur deux) :\n\nL’article 3 ") {
		t.Errorf("about as likely as not: %q", text)
	}
	p.Passages = list[:1]
	if text, _ := answer(t, p); strings.Contains(text, "À lire aussi") {
		t.Errorf("one article: %q", text)
	}
}

// TestFalsePremise checks that an answer says so if the named article lacks what is asked for.
func TestFalsePremise(t *testing.T) {
	t.Parallel()
	p := llm.Prompt{Verdict: decide.Verdict{Grade: decide.Unsure, Why: decide.FalsePremise}, Question: "Quelle est la peine prévue par l’article 3 du Code des moulins ?",
		Passages: []llm.Passage{{N: 1, Title: "Code des moulins", Article: "3", Text: "La peine du meunier est prise par le bailli.", Named: true, Score: 1}}}
	if text, _ := answer(t, p); !strings.HasPrefix(text, "L’article nommé ne donne pas ce qui est demandé ; voici ce qu’il dit") || !strings.HasSuffix(text, "[1]") {
		t.Errorf("%q", text)
	}
}

// TestCountryIsNamed checks that an answer names the country whose law it quotes if law
// of other countries may answer too.
func TestCountryIsNamed(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis du meunier est de deux mois.", Score: 1}}
	text, _ := answer(t, llm.Prompt{Verdict: sure, Question: "Quel est le préavis du meunier ?", Passages: list, Country: "Bénin", Others: []string{"Togo", "Niger"}})
	if !strings.Contains(text, "Droit cité : Bénin") || !strings.Contains(text, "Togo, Niger") {
		t.Fatalf("%q", text)
	}
}

// TestCandidatesNameTheirCountries checks that candidates from several countries are
// labeled with theirs, and candidates from one country are not.
func TestCandidatesNameTheirCountries(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis du meunier est de deux mois.", Score: 1, Country: "Bénin"},
		{N: 2, Title: "Loi sur les moulins", Article: "2", Text: "Le préavis du meunier est d’un mois.", Country: "Astrevalle"},
		{N: 3, Title: "Recueil des moulins", Article: "3", Text: "Le préavis du meunier est libre."}}
	p := llm.Prompt{Verdict: unsure, Question: "Quel est le préavis du meunier ?", Passages: list}
	text, _ := answer(t, p)
	if strings.Count(text, "Droit cité : ") != 2 || !strings.Contains(text, "Droit cité : Bénin – l’article 1 ") || !strings.Contains(text, "Droit cité : Astrevalle – l’article 2 ") {
		t.Errorf("two countries: %q", text)
	}
	p.Passages = []llm.Passage{list[0], list[2]}
	if text, _ = answer(t, p); strings.Contains(text, "Droit cité") {
		t.Errorf("one country: %q", text)
	}
}

// TestUnlikelyPassagesAreNotQuoted checks that passages that hardly answer are not
// quoted, and that only those worth reading are named.
func TestUnlikelyPassagesAreNotQuoted(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis est long."},
		{N: 2, Title: "Code des forges", Article: "2", Text: "Le préavis est court.", Readable: true}}
	text, _ := answer(t, llm.Prompt{Verdict: refused, Question: "Quel est le préavis ?", Passages: list})
	if strings.Contains(text, "[") || strings.Contains(text, "moulins") || !strings.Contains(text, "forges") {
		t.Errorf("%q", text)
	}
}

// TestExceptionFollowsItsRule checks that an exception is quoted after its rule,
// whichever has the higher score, as a candidate and in an answer. It also checks that a
// rule is quoted with the sentence that limits it.
func TestExceptionFollowsItsRule(t *testing.T) {
	t.Parallel()
	passages := articlesOf("13|Par dérogation à l’article 12, le meunier qui démissionne en hiver respecte un préavis d’un an."+filler,
		"12|Le meunier qui démissionne respecte un préavis de deux mois.\nToutefois, le bailli en dispense qui il veut."+filler,
		"20|Le meunier qui démissionne rend la clé."+filler)
	p := llm.Prompt{Verdict: sure, Question: "Quel préavis respecte le meunier qui démissionne en hiver ?", Passages: passages}
	for _, p.Verdict = range []decide.Verdict{unsure, sure} {
		text, _ := answer(t, p)
		rule, exception := strings.Index(text, "préavis de deux mois"), strings.Index(text, "préavis d’un an")
		if rule < 0 || exception < 0 || rule > exception {
			t.Errorf("%v: rule at %d, exception at %d: %q", p.Verdict.Grade, rule, exception, text)
		}
		if !strings.Contains(text, "préavis de deux mois.\nToutefois, le bailli en dispense qui il veut.") {
			t.Errorf("%v, without the limit of the rule: %q", p.Verdict.Grade, text)
		}
	}
	passages[0].Title = "Loi des ponts" // its article 12 is another one
	p.Verdict = unsure
	if text, _ := answer(t, p); strings.Index(text, "préavis de deux mois") < strings.Index(text, "préavis d’un an") {
		t.Errorf("an article of another text counts as the rule: %q", text)
	}
}

// TestCandidatesDoNotRepeat checks that an article with the same words as another
// candidate is skipped, and that of the two the annex is skipped.
func TestCandidatesDoNotRepeat(t *testing.T) {
	t.Parallel()
	passages := articlesOf("1|Le préavis du meunier est de deux mois.", "2|Le  préavis du meunier\nest de deux mois.", "3|Le préavis du boulanger est d’un mois.",
		"4|Le préavis du marin est d’un an.", "5|Le préavis du berger est d’un jour.")
	text, _ := answer(t, llm.Prompt{Verdict: unsure, Question: "Quel est le préavis du meunier ?", Passages: passages})
	if !strings.Contains(text, "[1]") || strings.Contains(text, "[2]") || !strings.Contains(text, "[3]") || !strings.Contains(text, "[4]") || strings.Contains(text, "[5]") {
		t.Errorf("%q", text)
	}
	passages[0].Article = "Annexe, article 2"
	text, _ = answer(t, llm.Prompt{Verdict: unsure, Question: "Quel est le préavis du meunier ?", Passages: passages})
	if strings.Contains(text, "[1]") || !strings.Contains(text, "[2]") || !strings.Contains(text, "[3]") || !strings.Contains(text, "[4]") {
		t.Errorf("want the article, not the annex: %q", text)
	}
}
