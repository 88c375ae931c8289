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

// TestCandidates checks that if it is doubtful which article answers, the rules of the
// first three are quoted verbatim.
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
	if !strings.HasPrefix(text, "Réponses possibles :") {
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
	if utf8.RuneCountInString(first) > 1400 {
		t.Errorf("%q quotes a long article whole", first)
	}
	p.Passages = list[:1]
	if text, _ := answer(t, p); !strings.HasPrefix(text, "Réponse possible :") {
		t.Errorf("one article: %q", text)
	}
	p.Passages = list[1:2]
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	if err := g.Generate(t.Context(), p, func(string) error { return nil }); !errors.Is(err, llm.ErrAbstained) {
		t.Errorf("no sentences: %v", err)
	}
}

// TestAsManyArticlesAsItTakes checks that articles are quoted until the right one is
// probably among them.
func TestAsManyArticlesAsItTakes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		scores []float64
		want   int
	}{
		"one far ahead":     {[]float64{0.85, 0.05, 0.05, 0.02}, 1},
		"two":               {[]float64{0.5, 0.4, 0.05, 0.05}, 2},
		"three alike":       {[]float64{0.3, 0.3, 0.3, 0.1}, 3},
		"never more":        {[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 3},
		"nothing is likely": {[]float64{0, 0}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []llm.Passage
			for i, score := range tt.scores {
				list = append(list, llm.Passage{N: i + 1, Title: "Code des moulins", Article: string(rune('1' + i)), Text: "Le préavis du meunier est de " + strings.Repeat("deux ", i+1) + "mois.", Score: score})
			}
			text, _ := answer(t, llm.Prompt{Verdict: likely, Question: "Quel est le préavis du meunier ?", Passages: list})
			if got := strings.Count(text, "dispose"); got != tt.want {
				t.Errorf("%d articles, want %d: %q", got, tt.want, text)
			}
			if lead := "Réponses possibles :\n\n"; tt.want > 1 != strings.HasPrefix(text, lead) {
				t.Errorf("%q", text)
			}
		})
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
	text, _ = answer(t, llm.Prompt{Verdict: sure, Question: "Quel est le préavis du meunier ?", Passages: list, Country: "Bénin"})
	if !strings.HasPrefix(text, "Droit cité : Bénin (la question ne nomme pas de pays) :") {
		t.Fatalf("%q", text)
	}
	text, _ = answer(t, llm.Prompt{Verdict: decide.Verdict{Grade: decide.Unsure, Unplaced: true}, Question: "Quel est le préavis du meunier au Togo ?", Passages: list})
	if !strings.HasPrefix(text, "Rien de sûr ne dit de quel pays est le premier texte cité. Réponse possible :") {
		t.Fatalf("%q", text)
	}
}

// What is set apart, such as the law of another country, is not quoted beside the best passage.
func TestNothingIsQuotedOfWhatIsApart(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis du meunier est de deux mois.", Score: 0.4},
		{N: 2, Title: "Code des fours", Article: "2", Text: "Le préavis du meunier est de trois mois.", Score: 0.4, Apart: true},
		{N: 3, Title: "Code des moulins", Article: "3", Text: "Le préavis du meunier est doublé la nuit.", Score: 0.3}}
	text, _ := answer(t, llm.Prompt{Verdict: decide.Verdict{Grade: decide.Likely}, Question: "Quel est le préavis du meunier au Togo ?", Passages: list})
	if !strings.Contains(text, "[1]") || strings.Contains(text, "[2]") || !strings.Contains(text, "[3]") {
		t.Errorf("%q", text)
	}
}

// TestAnswersByCountry checks that a question that names no country is answered from the law of each country that may
// answer, once.
func TestAnswersByCountry(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis du meunier est de deux mois.", Score: 0.4, Country: "Bénin"},
		{N: 2, Title: "Code des moulins", Article: "2", Text: "Le préavis du meunier est écrit.", Score: 0.3, Country: "Bénin"},
		{N: 3, Title: "Loi sur les moulins", Article: "2", Text: "Le préavis du meunier est d’un mois.", Score: 0.3, Country: "Togo"}}
	p := llm.Prompt{Verdict: likely, Question: "Quel est le préavis du meunier ?", Passages: list, Country: "Bénin", Others: []string{"Togo"}}
	text, _ := answer(t, p)
	if !strings.HasPrefix(text, "La question ne nomme pas de pays ; réponses possibles pour chacun de ceux-ci, Bénin, Togo :") || strings.Contains(text, "[2]") || !strings.Contains(text, "Droit cité : Togo") {
		t.Errorf("%q", text)
	}
	p.Passages[2].Score = 0.04
	if text, _ = answer(t, p); !strings.Contains(text, "textes peuvent répondre aussi pour : Togo") || strings.Contains(text, "[3]") {
		t.Errorf("an unlikely country: %q", text)
	}
	p.Question = "Quel est le préavis du meunier au Bénin et au Togo ?"
	if text, _ = answer(t, p); !strings.HasPrefix(text, "La question nomme plusieurs pays ; réponses possibles pour chacun de ceux-ci, Bénin, Togo :") || strings.Contains(text, "[2]") || !strings.Contains(text, "[3]") {
		t.Errorf("two countries that the question names: %q", text)
	}
}

// TestCandidatesNameTheirCountries checks that candidates from several countries are
// labeled with theirs, and candidates from one country are not.
func TestCandidatesNameTheirCountries(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis du meunier est de deux mois.", Score: 1, Country: "Bénin"},
		{N: 2, Title: "Loi sur les moulins", Article: "2", Text: "Le préavis du meunier est d’un mois.", Score: 1, Country: "Astrevalle"},
		{N: 3, Title: "Recueil des moulins", Article: "3", Text: "Le préavis du meunier est libre.", Score: 1}}
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
// quoted, and that only those worth reading are named, of a country that is asked about, and that there are none is said.
func TestUnlikelyPassagesAreNotQuoted(t *testing.T) {
	t.Parallel()
	list := []llm.Passage{{N: 1, Title: "Code des moulins", Article: "1", Text: "Le préavis est long."},
		{N: 2, Title: "Code des forges", Article: "2", Text: "Le préavis est court.", Readable: true}}
	text, _ := answer(t, llm.Prompt{Verdict: refused, Question: "Quel est le préavis ?", Passages: list})
	if strings.Contains(text, "[") || strings.Contains(text, "moulins") || !strings.Contains(text, "forges") {
		t.Errorf("%q", text)
	}
	for home, named := range map[string]bool{"": false, "Togo": true} {
		list[1].Home = home
		text, _ = answer(t, llm.Prompt{Verdict: refused, Question: "Quel est le préavis au Togo ?", Passages: list})
		if strings.Contains(text, "forges") != named || strings.Contains(text, "ni aucun qui en soit assez proche") == named {
			t.Errorf("of %q: %q", home, text)
		}
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
