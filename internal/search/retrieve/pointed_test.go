package retrieve_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/law"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

func TestQuestionsPointBackAtArticles(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	history := []string{"Que dit l’article 26 du code du travail ?"}
	for question, want := range map[string]string{
		"Et selon le même article, quelle exception ?": "2023-07 26",
		"Que dit l’article précédent ?":                "2023-07 25",
		"Et l’article suivant ?":                       "2023-07 27",
		"Cite-moi l’article":                           "2023-07 26",
		"Peux-tu me donner le texte de l’article ?":    "2023-07 26",
		"Donne-moi l’article 79 du code du travail":    "2023-07 79",
		"Que prévoit art 79 du code du travail ?":      "2023-07 79",
		"Que prévoit art.79 du code du travail ?":      "2023-07 79",
	} {
		r := search(t, s, retrieve.Question{Text: question, History: history})
		if got := first(r); got != want || !r.Verdict.Answers() {
			t.Errorf("%q: %q (enough %v), want %q", question, got, r.Verdict.Answers(), want)
		}
		_, number, _ := strings.Cut(want, " ")
		if text := written(t, question, r); !strings.HasPrefix(text, "L’article "+number+" de la loi") {
			t.Errorf("%q is answered with %s", question, text)
		}
	}
}

// « Ladite loi » refers to the text that the conversation named last, « l’article
// précédent » to the one before the article that the last question or its answer was
// about.
func TestQuestionsPointBackAtTextsAndAnswers(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for name, c := range map[string]struct {
		question, want   string
		history, answers []string
	}{
		"an article of the law": {"Que dit l’article 5 de ladite loi ?", "2024-02 5", []string{"Que prévoit la loi n° 2024-02 ?"}, []string{"…"}},
		"of the law that the answer named": {"Que dit l’article 4 de ladite loi ?", "2024-02 4", []string{"Quel est le délai de déclaration en douane ?"},
			[]string{"L’article 7 de la loi n° 2024-02 du 16 janvier 2024 relative au régime des douanes dispose : « … » [1]"}},
		"the article that the answer cites": {"Que dit encore cet article ?", "2023-07 79", []string{"Combien de jours avant une grève faut-il déposer le préavis ?"},
			[]string{"L’article 79 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail dispose : « … » [1]"}},
		"the one before it": {"Que dit l’article précédent ?", "2023-07 78", []string{"Combien de jours avant une grève faut-il déposer le préavis ?"},
			[]string{"L’article 79 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail dispose : « … » [1]"}},
		"the one before an inserted one": {"Que dit l’article précédent ?", "2023-07 61", []string{"Que dit l’article 61 bis du code du travail ?"}, nil},
	} {
		r := search(t, s, retrieve.Question{Text: c.question, History: c.history, Answers: c.answers, Filters: on("2025-03-01")})
		if got := first(r); got != c.want || !r.Verdict.Answers() {
			t.Errorf("%s: %q (enough %v), want %q", name, got, r.Verdict.Answers(), c.want)
		}
	}
}

func TestMissingTextIsNamed(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	g := extractive.Generator{Lexicon: s.Lexicon}
	for question, want := range map[string]string{
		"Que dit l’article 12 de la loi n° 1999-44 du 3 mai 1999 ?":    "loi n° 1999-44 du 3 mai 1999",
		"Que prévoit le décret n° 1987-3 sur le préavis des cadres ?":  "décret n° 1987-3",
		"Que dit l’article 311 du code pénal ?":                        "code pénal",
		"Que punit l’article 9 de la Constitution ?":                   "Constitution",
		"Est-ce que je vais gagner mon procès contre mon employeur ?":  "avocat",
		"Quelles sont mes chances de gagner contre mon propriétaire ?": "avocat",
	} {
		r := search(t, s, retrieve.Question{Text: question})
		if r.Verdict.Answers() {
			t.Errorf("%q: enough, probability %.2f", question, r.Verdict.Probability)
		}
		var b strings.Builder
		p := llm.Prompt{Question: question, Passages: prompt.Passages(&r), Verdict: r.Verdict, Missing: r.Missing}
		if err := g.Generate(t.Context(), p, func(d string) error { b.WriteString(d); return nil }); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q: no « %s » in %s", question, want, b.String())
		}
	}
}

// The law of another country must not answer. A text of unknown country may answer a
// question that names no country.
func TestForeignLawDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	const question = "Combien de temps dure le préavis d’un cadre qui démissionne"
	if r := search(t, s, retrieve.Question{Text: question + " ?"}); !r.Verdict.Answers() {
		t.Errorf("no country named: probability %.2f", r.Verdict.Probability)
	}
	if r := search(t, s, retrieve.Question{Text: question + " au Gabon ?"}); r.Verdict.Answers() {
		t.Errorf("in Gabon, whose law the catalogue lacks: probability %.2f", r.Verdict.Probability)
	}
}

// TestNumbersAreFoundByTheirStem checks that a text whose number ends in the initials of
// its authors is found by the number without them, and that a text with exactly the given
// number comes first.
func TestNumbersAreFoundByTheirStem(t *testing.T) {
	t.Parallel()
	s, index, db := open(t)
	add := func(number, title, day, body string) {
		t.Helper()
		x := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Decret, Domain: "autre",
			OfficialNumber: number, Promulgated: date(day), EntersInForce: date(day), FirstPage: 1, LastPage: 1}}
		a := law.Article{ID: postgres.NewID(), Number: "1er", Page: 1, Text: body}
		x.Articles = []law.Article{a}
		x.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: a.ID, Page: 1, Text: body}}
		saved(t, db, x)
	}
	add("2000-192/PRES/PM/MCIA/MEF", "Décret relatif aux licornes", "2000-05-17", "Toute licorne porte une corne torsadée.")
	add("2000-193", "Décret n° 2000-193 relatif au trèfle", "2000-05-18", "La licorne se nourrit de trèfle.")
	add("2000-193/MF", "Décret n° 2000-193/MF relatif au sommeil", "2000-06-19", "La licorne dort debout.")
	if err := index.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Que dit l’article 1er du décret n° 2000-192 ?":                      "2000-192/PRES/PM/MCIA/MEF 1er",
		"Que dit le décret n° 2000-192 de la corne ?":                        "2000-192/PRES/PM/MCIA/MEF 1er",
		"Que dit le décret 2000-192 de la corne ?":                           "2000-192/PRES/PM/MCIA/MEF 1er",
		"Que dit l’article 1er du décret n° 2000-192/PRES/PM/MCIA/MEF ?":     "2000-192/PRES/PM/MCIA/MEF 1er",
		"Que dit l’article 1er du décret n° 2000-193 ?":                      "2000-193 1er",
		"Le décret 2000-193/MF dit-il comment dort la licorne ?":             "2000-193/MF 1er",
		"Que dit l’article 1er du décret n° 2000-193/MF du 17 mai 2000 ?":    "2000-193/MF 1er",
		"Que dit l’article 1er du décret n° 2000-0192 du 17 mai 2000 ?":      "2000-192/PRES/PM/MCIA/MEF 1er",
		"D’après le décret n° 2000/192, que porte la licorne sur le front ?": "2000-192/PRES/PM/MCIA/MEF 1er",
	} {
		r := search(t, s, retrieve.Question{Text: question})
		if got := first(r); got != want || !r.Verdict.Answers() || len(r.Missing) > 0 {
			t.Errorf("%s: %q (enough %v, missing %v), want %q", question, got, r.Verdict.Answers(), r.Missing, want)
		}
	}
	if r := search(t, s, retrieve.Question{Text: "Que dit l’article 1er du décret n° 2000-192/MF ?"}); len(r.Missing) != 1 {
		t.Errorf("other initials: %q, missing %v", first(r), r.Missing)
	}
}
