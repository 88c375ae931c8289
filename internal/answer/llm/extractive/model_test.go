package extractive_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
)

// TestEmbeddedModelNamesItsSources checks that the embedded weights say from which files
// they were learned.
func TestEmbeddedModelNamesItsSources(t *testing.T) {
	t.Parallel()
	m, err := extractive.New()
	if err != nil {
		t.Fatal(err)
	}
	if m.Made == "" || len(m.Sources) == 0 {
		t.Errorf("made by %q of %v", m.Made, m.Sources)
	}
	for _, f := range m.Sources {
		if len(f.SHA256) != 64 || f.Licence == "" || f.Holds == "" {
			t.Errorf("%+v", f)
		}
	}
}

// TestInvalidModels checks which files Read rejects, and that the error says why.
func TestInvalidModels(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ data, says string }{
		"no JSON":                     {"{", "cannot be read"},
		"empty":                       {"{}", "missing"},
		"no weights of offers":        {`{"best":{"own":1}}`, "missing"},
		"an unknown feature":          {`{"best":{"owl":1},"further":{"bias":1}}`, `"owl"`},
		"a feature of the other part": {`{"best":{"own":1},"further":{"own":1}}`, `"own"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := extractive.Read([]byte(tt.data))
			if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
	if _, err := extractive.Read([]byte(`{"best":{"own":1},"further":{"bias":-2}}`)); err != nil {
		t.Errorf("minimal model: %v", err)
	}
}

// generatorWith returns a generator with a model of the given weights.
func generatorWith(best, further extractive.Weights) *extractive.Generator {
	return &extractive.Generator{Lexicon: french.NewLexicon(), Learned: &extractive.Learned{Best: best, Further: further}}
}

// noFurther are weights by which no further sentence is quoted.
var noFurther = extractive.Weights{"bias": -9}

// TestModelDecides checks that the weights decide what is quoted: with other weights,
// another sentence of the same prompt is the best.
func TestModelDecides(t *testing.T) {
	t.Parallel()
	p := llm.Prompt{Verdict: sure, Question: "Combien de jours dure le préavis du meunier ?", Passages: articlesOf(
		"3|Le préavis du meunier est écrit et remis au bailli devant le greffe." + filler + "\nCela prend dix jours de plus pour qui passe le pont en hiver, et autant au retour.")}
	for feature, want := range map[string]string{"own": "Le préavis du meunier est écrit", "figure": "dix jours"} {
		t.Run(feature, func(t *testing.T) {
			got := generatorWith(extractive.Weights{feature: 1}, noFurther).Chosen(p)
			if len(got) != 1 || !strings.Contains(got[0].Text, want) {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestThresholdOfFurtherSentences checks the probability from which a further sentence is
// quoted: one over the maximum number of quotations, that is, 1/3, or 1/5 if a list is
// asked for.
func TestThresholdOfFurtherSentences(t *testing.T) {
	t.Parallel()
	passages := articlesOf("3|Le préavis du meunier est de deux mois." + filler)
	for name, tt := range map[string]struct {
		question string
		logOdds  float64
		want     int
	}{
		"a third":                       {"Quel est le préavis du meunier ?", -0.68, 3},
		"less than a third":             {"Quel est le préavis du meunier ?", -0.71, 1},
		"a fifth, for a list":           {"Quelles sont les étapes du préavis du meunier ?", -1.37, 5},
		"less than a fifth, for a list": {"Quelles sont les étapes du préavis du meunier ?", -1.40, 1},
		"never":                         {"Quel est le préavis du meunier ?", -9, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := generatorWith(extractive.Weights{"own": 1}, extractive.Weights{"bias": tt.logOdds}).Chosen(llm.Prompt{Verdict: sure, Question: tt.question, Passages: passages})
			if len(got) != tt.want {
				t.Errorf("%d sentences, want %d", len(got), tt.want)
			}
		})
	}
}

// TestFeatures checks the features of sentences.
func TestFeatures(t *testing.T) {
	t.Parallel()
	names := extractive.FeatureNames()
	for name, tt := range map[string]struct {
		question, sentence string
		has, lacks         []string
	}{
		"a figure":       {"Quel est le délai de préavis du meunier ?", "Le préavis du meunier est de deux mois.", []string{"figure", "own", "topic", "first"}, []string{"other_figure", "case"}},
		"another kind":   {"Quel est le montant de la taxe du meunier ?", "La taxe du meunier se paie en deux mois.", []string{"other_figure"}, []string{"figure"}},
		"a case":         {"Quel est le préavis du meunier ?", "En cas de crue, le préavis du meunier est libre.", []string{"case", "untold"}, []string{"case_asked"}},
		"a reserve":      {"Quel est le préavis du meunier ?", "Toutefois, le bailli en dispense le meunier.", []string{"reserve", "points_back"}, nil},
		"a definition":   {"Qu’est-ce qu’un meunier ?", "On entend par meunier celui qui tient la meule.", []string{"defines"}, nil},
		"a duty":         {"Le meunier doit-il avertir ses voisins ?", "Le meunier doit avertir ses voisins.", []string{"rules", "pairs"}, nil},
		"a form":         {"Quel est le nom du meunier ?", "Nom du meunier : ______ fait à …", []string{"blank"}, nil},
		"an age":         {"À quel âge devient-on meunier ?", "Le meunier a dix-huit ans révolus.", []string{"age", "figure"}, nil},
		"a reference":    {"Quel meunier vise l’article 12 ?", "Le meunier de l’article 12 est banni.", []string{"cites"}, []string{"article_named"}},
		"a near meaning": {"Le salaire du meunier ?", "La rémunération est payée au greffe.", []string{"cosine"}, []string{"own"}},
	} {
		t.Run(name, func(t *testing.T) {
			all := generatorWith(extractive.Weights{"first": 1}, noFurther).Sentences(llm.Prompt{Verdict: sure, Question: tt.question, Passages: articlesOf("3|" + tt.sentence + "\nLe greffe du meunier est à la tour." + filler)})
			f := all[0].Features
			for i, feature := range names {
				if slices.Contains(tt.has, feature) && f[i] <= 0 {
					t.Errorf("%s is %v", feature, f[i])
				}
				if slices.Contains(tt.lacks, feature) && f[i] != 0 {
					t.Errorf("%s is %v, not 0", feature, f[i])
				}
			}
		})
	}
}

// TestSharesAddUp checks that each word of the question counts once, whether a sentence
// has it or its context.
func TestSharesAddUp(t *testing.T) {
	t.Parallel()
	names := extractive.FeatureNames()
	passages := articlesOf("3|Le meunier paie.\nLe meunier paie la taxe du bief.\nLa taxe du pont est libre." + filler)
	passages[0].Heading = "De la taxe du pont"
	for _, s := range generatorWith(extractive.Weights{"own": 1}, noFurther).Sentences(llm.Prompt{Verdict: sure, Question: "Le meunier paie-t-il la taxe du pont en hiver ?", Passages: passages}) {
		total := 0.0
		for i, name := range names {
			if slices.Contains([]string{"own", "legal", "headings", "beside", "around", "near"}, name) {
				if s.Features[i] < 0 {
					t.Errorf("%q: %s is %v", s.Text, name, s.Features[i])
				}
				total += s.Features[i]
			}
		}
		if total > 1+1e-9 {
			t.Errorf("%q: shares add up to %v", s.Text, total)
		}
	}
}

// TestStepsOfferTheRestOfTheArticle checks that Steps offers the sentences of the first
// article that are not quoted, and no others, until none is left.
func TestStepsOfferTheRestOfTheArticle(t *testing.T) {
	t.Parallel()
	p := llm.Prompt{Verdict: sure, Question: "Quel est le préavis du meunier ?", Passages: articlesOf("3|Le préavis du meunier est de deux mois."+filler, "4|Le préavis du meunier est libre.")}
	rounds, quotedBefore := 0, 0
	generatorWith(extractive.Weights{"own": 1}, noFurther).Steps(p, func(quoted []extractive.Sentence, offers []extractive.Offer) int {
		rounds++
		if len(quoted) <= quotedBefore || len(quoted)+len(offers) != 8 {
			t.Errorf("%d quoted, %d offered", len(quoted), len(offers))
		}
		quotedBefore = len(quoted)
		for _, o := range offers {
			if o.Passage.N != 1 || len(o.Features) != len(extractive.OfferNames()) {
				t.Errorf("offered %+v", o)
			}
		}
		return 0
	})
	if rounds != 7 {
		t.Errorf("%d rounds", rounds)
	}
	generatorWith(extractive.Weights{"own": 1}, noFurther).Steps(llm.Prompt{Verdict: sure, Question: "Et ?", Passages: p.Passages}, func([]extractive.Sentence, []extractive.Offer) int {
		t.Error("Steps offers sentences for a question without words")
		return -1
	})
}

// TestSameQuestionHasTheSameAnswer checks that no result depends on the order of maps.
func TestSameQuestionHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("weights.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := extractive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	g := &extractive.Generator{Lexicon: french.NewLexicon(), Learned: m}
	p := llm.Prompt{Verdict: sure, Question: "Combien de temps dure le préavis d’un meunier ?", Passages: passages()}
	first := g.Sentences(p)
	for range 20 {
		for i, s := range g.Sentences(p) {
			if s.Text != first[i].Text || s.Features != first[i].Features {
				t.Fatalf("%q, then %q", first[i].Text, s.Text)
			}
		}
	}
}
