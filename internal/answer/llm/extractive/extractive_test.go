package extractive_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
)

var update = flag.Bool("update", false, "write the golden files")

func passages() []llm.Passage {
	const code = "Loi n° 2031-04 du 2 mai 2031 portant Code des moulins"
	list := []llm.Passage{
		{N: 1, Title: code, Type: law.Code, Number: "2031-04", Article: "12", Path: []string{"TITRE II — DU PRÉAVIS"}, Score: 0.9,
			Text: "Le meunier qui quitte son moulin respecte un préavis de trois (3) mois.\nIl est réduit à un mois pour l’apprenti. Le préavis est écrit."},
		{N: 2, Title: code, Type: law.Code, Number: "2031-04", Article: "14", Path: []string{"TITRE II — DU PRÉAVIS"}, Score: 0.7,
			Text: "Le meulage de nuit est interdit :\n1° aux apprentis ;\n2° aux enfants de moins de seize ans ;\n3° en temps de sécheresse.\nL’infraction est punie d’une amende de 200 florins."},
		{N: 3, Title: "Décret n° 2032-7 du 1er mars 2032 modifiant le Code des moulins", Type: law.Decret, Number: "2032-7", Article: "1er", Score: 0.6,
			Text: "L’article 15 est remplacé par les dispositions suivantes :\n« Art. 15. — La taxe de mouture est fixée à 4 % du grain.\nElle est payée au mois de juin. »"},
		{N: 4, Title: "Avis de la corporation", Heading: "Préambule", Score: 0.2, Text: "La corporation se réunit chaque année."},
	}
	for i := range list {
		list[i].Readable = true
	}
	return list
}

func answer(t *testing.T, p llm.Prompt) (text string, pieces int) {
	t.Helper()
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	var b strings.Builder
	if err := g.Generate(t.Context(), p, func(s string) error { b.WriteString(s); pieces++; return nil }); err != nil {
		t.Fatal(err)
	}
	return b.String(), pieces
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]llm.Prompt{
		"duration":  {Verdict: sure, Question: "Combien de temps dure le préavis d’un meunier ?", Passages: passages()},
		"list":      {Verdict: sure, Question: "À qui le meulage de nuit est-il interdit ?", Passages: passages()[1:]},
		"sum":       {Verdict: sure, Question: "Quelle amende pour meulage de nuit ?", Passages: passages()[1:]},
		"amendment": {Verdict: sure, Question: "Quel est le taux de la taxe de mouture ?", Passages: passages()[2:]},
		"article":   {Verdict: sure, Question: "Que dit l’article 12 ?", Passages: passages()},
		"follow-up": {Verdict: sure, Question: "Et pour l’apprenti ?", History: []llm.Turn{{Question: "Quel est le préavis ?"}}, Passages: passages()},
		"abstain":   {Verdict: refused, Question: "Quelle est la couleur du moulin ?", Passages: passages()},
		"nothing":   {Verdict: refused, Question: "Quelle est la couleur du moulin ?"},
		"no words":  {Verdict: sure, Question: "Et ?", Passages: passages()[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := answer(t, p)
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestQuotationsAreVerbatim checks that every quotation occurs in its passage.
func TestQuotationsAreVerbatim(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"préavis", "meulage de nuit", "taxe de mouture", "corporation", "moulin apprenti amende"} {
		t.Run(q, func(t *testing.T) {
			text, _ := answer(t, llm.Prompt{Verdict: sure, Question: q, Passages: passages()})
			for _, part := range strings.Split(text, "« ")[1:] {
				quote, rest, ok := strings.Cut(part, " » [")
				if !ok {
					t.Fatalf("%q: a quotation without « [n] » in %q", q, text)
				}
				source := passages()[rest[0]-'1'].Text
				if !strings.Contains(strings.Join(strings.Fields(source), " "), strings.Join(strings.Fields(quote), " ")) {
					t.Errorf("%q: %q is not in passage %c", q, quote, rest[0])
				}
			}
		})
	}
}

func TestAbstentionCitesNothing(t *testing.T) {
	t.Parallel()
	text, _ := answer(t, llm.Prompt{Verdict: refused, Question: "Quoi ?", Passages: passages()})
	if strings.Contains(text, "[") || strings.Contains(text, "«") {
		t.Errorf("the abstention cites: %q", text)
	}
}

func TestGenerateStreams(t *testing.T) {
	t.Parallel()
	if _, pieces := answer(t, llm.Prompt{Verdict: sure, Question: "Combien de temps dure le préavis ?", Passages: passages()}); pieces < 2 {
		t.Errorf("%d pieces", pieces)
	}
}

func TestGenerateStops(t *testing.T) {
	t.Parallel()
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	p := llm.Prompt{Verdict: sure, Question: "Combien de temps dure le préavis ?", Passages: passages()}
	failure := errors.New("yield failed")
	calls := 0
	err := g.Generate(t.Context(), p, func(string) error { calls++; return failure })
	if !errors.Is(err, failure) || calls != 1 {
		t.Errorf("after a failing yield: %v, %d calls", err, calls)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err = g.Generate(ended, p, func(string) error { t.Error("it wrote after the context ended"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}

func FuzzGenerate(f *testing.F) {
	f.Add("Quel délai ?", "Titre", "1er", "Le délai : \n1° a ;\n« b »\n")
	f.Add("", "", "", "")
	f.Add("«»", "LOI", "Annexe I", "« Art. 1 — x\n» » «")
	f.Fuzz(func(t *testing.T, question, title, article, body string) {
		g := extractive.Generator{Lexicon: french.NewLexicon()}
		for _, verdict := range []decide.Verdict{sure, refused} {
			p := llm.Prompt{Verdict: verdict, Question: question, Passages: []llm.Passage{{N: 1, Title: title, Article: article, Text: body}}}
			if err := g.Generate(t.Context(), p, func(string) error { return nil }); err != nil && !errors.Is(err, llm.ErrAbstained) {
				t.Fatal(err)
			}
		}
	})
}

// TestRefusals checks that a refusal says what was understood and what to ask instead.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p    llm.Prompt
		says []string
	}{
		"a country":        {llm.Prompt{Verdict: refused, Question: "Quel est le préavis au Bénin ?"}, []string{"J’ai cherché : le droit de ce pays (Bénin).", "Précisez le texte ou l’article"}},
		"no country":       {llm.Prompt{Verdict: refused, Question: "Quel est le préavis ?"}, []string{"Précisez le pays"}},
		"another country":  {llm.Prompt{Verdict: decide.WithoutArticle(decide.OtherCountry), Question: "Quel est le préavis au Gabon ?"}, []string{"rien avoir de ce pays"}},
		"a missing text":   {llm.Prompt{Verdict: decide.WithoutArticle(decide.TextAbsent), Missing: []string{"loi n° 2031-09"}, Question: "Que dit la loi n° 2031-09 ?"}, []string{"Le catalogue n’a pas le texte demandé : loi n° 2031-09.", "Vérifiez le numéro"}},
		"another language": {llm.Prompt{Verdict: decide.WithoutArticle(decide.NotFrench), Question: "What is the notice period?"}, []string{"en français"}},
		"no law":           {llm.Prompt{Verdict: decide.WithoutArticle(decide.NoLaw), Question: "Combien font deux et deux ?"}, []string{"Demandez ce qu’un texte prévoit"}},
		"a follow-up":      {llm.Prompt{Verdict: refused, Question: "Et pour l’apprenti ?", History: []llm.Turn{{Question: "Quel est le préavis du meunier ?"}}}, []string{"à la suite de votre question précédente"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, _ := answer(t, c.p)
			for _, part := range c.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q lacks %q", text, part)
				}
			}
		})
	}
}

// TestRequestsThatQuotingDoesNotFulfil checks that an answer says what of a message it does not do.
func TestRequestsThatQuotingDoesNotFulfil(t *testing.T) {
	t.Parallel()
	likely := sure
	likely.Grade = decide.Likely
	for name, c := range map[string]struct {
		p     llm.Prompt
		start string
	}{
		"a letter, surely":   {llm.Prompt{Verdict: sure, Question: "Écris-moi une lettre de préavis du meunier", Passages: passages()}, "Ce service n’écrit ni lettre ni acte ; voici ce que les textes disent du sujet :\n\nL’article 12"},
		"a letter, possibly": {llm.Prompt{Verdict: likely, Question: "Écris-moi une lettre de préavis du meunier", Passages: passages()}, "Ce service n’écrit ni lettre ni acte ; voici ce que les textes disent du sujet :\n\nRéponse"},
		"a summary":          {llm.Prompt{Verdict: sure, Question: "Résume le préavis du meunier", Passages: passages()}, "Ce service ne résume ni ne reformule ; voici"},
		"a sum":              {llm.Prompt{Verdict: sure, Question: "Calcule le préavis du meunier", Passages: passages()}, "Ce service ne fait pas le calcul ; voici la règle :"},
		"a poem":             {llm.Prompt{Verdict: refused, Question: "Écris-moi un poème", Passages: passages()}, "Ce service ne fait que citer des textes officiels."},
		"a letter, refused":  {llm.Prompt{Verdict: refused, Question: "Écris-moi une lettre de préavis du meunier", Passages: passages()}, "Ce service n’écrit ni lettre ni acte. Je n’ai trouvé dans le catalogue aucun texte"},
		"despair":            {llm.Prompt{Verdict: refused, Question: "Je veux mourir", Passages: passages()}, "Parlez-en tout de suite à un proche, à un médecin ou aux secours : aucun texte de loi ne répond à cela.\n\nVous n’êtes pas seul."},
		"advice":             {llm.Prompt{Verdict: refused, Question: "Que me conseillez-vous ?", Passages: passages()}, "Ce service ne donne pas de conseil"},
		"a question":         {llm.Prompt{Verdict: sure, Question: "Combien de temps dure le préavis d’un meunier ?", Passages: passages()}, "L’article 12"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := answer(t, c.p); !strings.HasPrefix(got, c.start) {
				t.Errorf("%q", got)
			}
		})
	}
}
