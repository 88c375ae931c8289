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
		"no JSON":            {"{", "cannot be read"},
		"empty":              {"{}", "missing"},
		"an unknown feature": {`{"best":{"owl":1}}`, `"owl"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := extractive.Read([]byte(tt.data))
			if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
	if _, err := extractive.Read([]byte(`{"best":{"own":1}}`)); err != nil {
		t.Errorf("minimal model: %v", err)
	}
}

// generatorWith returns a generator with a model of the given weights.
func generatorWith(best extractive.Weights) *extractive.Generator {
	return &extractive.Generator{Lexicon: french.NewLexicon(), Learned: &extractive.Learned{Best: best}}
}

// TestModelDecides checks that the weights decide what is quoted: with other weights,
// another sentence of the same prompt is the best.
func TestModelDecides(t *testing.T) {
	t.Parallel()
	p := llm.Prompt{Verdict: sure, Question: "Combien de jours dure le préavis du meunier ?", Passages: articlesOf(
		"3|Le préavis du meunier est écrit et remis au bailli devant le greffe." + filler + "\nCela prend dix jours de plus pour qui passe le pont en hiver, et autant au retour.")}
	for feature, want := range map[string][2]string{"own": {"Le préavis du meunier est écrit", "dix jours"}, "figure": {"dix jours", "Le préavis du meunier est écrit"}} {
		t.Run(feature, func(t *testing.T) {
			var got strings.Builder
			for _, s := range generatorWith(extractive.Weights{feature: 1}).Chosen(p) {
				got.WriteString(s.Text)
			}
			if !strings.Contains(got.String(), want[0]) || strings.Contains(got.String(), want[1]) {
				t.Errorf("%s", got.String())
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
			all := generatorWith(extractive.Weights{"first": 1}).Sentences(llm.Prompt{Verdict: sure, Question: tt.question, Passages: articlesOf("3|" + tt.sentence + "\nLe greffe du meunier est à la tour." + filler)})
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
	for _, s := range generatorWith(extractive.Weights{"own": 1}).Sentences(llm.Prompt{Verdict: sure, Question: "Le meunier paie-t-il la taxe du pont en hiver ?", Passages: passages}) {
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
