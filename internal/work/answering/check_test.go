package answering

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
)

func checked() []llm.Passage {
	return []llm.Passage{
		{N: 1, Title: "Loi n° 2031-04 du 2 mai 2031 portant Code des moulins", Number: "2031-04", Article: "12", Path: []string{"TITRE II"},
			Text: "Le meunier respecte un préavis de trois (3) mois, à compter du 1er juillet 2031. L’indemnité est de 1.000.000 de francs, soit 5 % de la recette."},
		{N: 2, Title: "Décret n° 2032-7", Number: "2032-7", Article: "L. 22-1", Text: "L’amende va de deux à cinq ans de loyer, selon l’article 14 bis."},
		{N: 3, Home: "Astrevalle", Title: "Décret relatif au son", Number: "2033-8/PM/MF", Article: "2", Text: "Le son va aux bêtes."},
		{N: 4, Title: "Circulaire sur le grain", Article: "Annexe", Text: "Je soussigné…….titulaire du moulin de ……….déclare peser le grain."},
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		warns      []string // parts of the warning; none: the answer is supported
	}{
		{"a figure as it is", "Le préavis est de 3 mois [1].", nil},
		{"a figure in words", "Le préavis est de trois mois [1].", nil},
		{"both", "Le préavis est de trois (3) mois. [1]", nil},
		{"groups written otherwise", "L’indemnité est de 1 000 000 de francs [1].", nil},
		{"a rate in words", "Elle vaut cinq pour cent de la recette [1].", nil},
		{"a date in figures", "Il court du 01/07/2031 [1].", nil},
		{"a year alone", "Il court depuis 2031 [1].", nil},
		{"the article itself", "Selon l’article 12 de la loi n° 2031-04, le préavis est de 3 mois [1].", nil},
		{"a code's article", "L’article L22-1 renvoie à l’article 14 bis [2].", nil},
		{"a number by its stem", "Selon le décret n° 2033-8, le son va aux bêtes [3].", nil},
		{"a number with its signs", "Selon le décret n° 2033-8/PM/MF, le son va aux bêtes [3].", nil},
		{"a range", "L’amende va de 2 à 5 ans de loyer [2].", nil},
		{"two sources", "Le préavis est de 3 mois et l’amende de 5 ans de loyer [1] [2].", nil},
		{"two sources in one mark", "Le préavis est de 3 mois et l’amende de 5 ans de loyer [1, 2].", nil},
		{"an introduction", "Voici ce que dit la loi :\n\nLe préavis est de 3 mois [1].", nil},
		{"a numbered list", "Deux règles :\n1. Le préavis est de 3 mois [1].\n2. L’amende va à cinq ans de loyer [2].", nil},
		{"a heading", "## Le préavis\nIl est de 3 mois [1].", nil},
		{"a quotation", "L’article 12 dispose : « Le meunier respecte un préavis de trois (3) mois, à compter du 1er juillet 2031. » [1]", nil},
		{"a quotation of a country", "Droit cité : Astrevalle – l’article 2 du décret relatif au son dispose : « Le son va aux bêtes. » [3]", nil},
		{"a quotation of a form", "L’annexe dispose : « Je soussigné…….titulaire du moulin de ……….déclare peser le grain. » [4]", nil},
		{"a quotation of two sentences", "Il dispose : « Le meunier respecte un préavis de trois (3) mois, à compter du 1er juillet 2031. L’indemnité est de 1.000.000 de francs » [1].", nil},
		{"a shortened quotation", "Il dispose : « Le meunier respecte un préavis […] à compter du 1er juillet 2031 » [1].", nil},
		{"another apostrophe", "Il dispose : « L'indemnité est de 1.000.000 de francs » [1].", nil},
		{"a heading that counts", "## 2. Les trois délais\nLe préavis est de 3 mois [1].", nil},
		{"an introduction of what a passage says", "**Selon l’article 12, le préavis est de 3 mois :**\n- il court du 1er juillet 2031 [1].", nil},
		{"a figure with a sign that nobody sees", "Le préavis est de trois\u00ad mois [1].", nil},
		{"a Roman figure", "Le préavis est de III mois [1].", nil},
		{"nothing", "", nil},
		{"what is not said", "Le préavis est de 3 mois [1]. Les passages ne disent pas ce que paie le boulanger.", nil},
		{"a mended word", "L’article 12 dispose : « Le meunier [respecte] un préavis de trois (3) mois » [1].", nil},

		{"another figure", "Le préavis est de 4 mois [1].", []string{"« 4 mois »", "[1]"}},
		{"another unit", "Le préavis est de 3 jours [1].", []string{"« 3 jours »"}},
		{"a figure of the other source", "L’amende est de 3 mois [2].", []string{"« 3 mois »", "[2]"}},
		{"another rate", "Elle vaut 50 % de la recette [1].", []string{"« 50 % »"}},
		{"another date", "Il court du 2 juillet 2031 [1].", []string{"La date", "« 2 juillet 2031 »"}},
		{"another article", "L’article 13 le dit [1].", []string{"l’article « 13 »"}},
		{"bis", "L’article 14 le dit [2].", []string{"« 14 »"}},
		{"another text", "La loi n° 2031-05 le dit [1].", []string{"« 2031-05 »"}},
		{"a number with other signs", "Selon le décret n° 2033-8/PR, le son va aux bêtes [3].", []string{"« 2033-8/PR »"}},
		{"no source", "Le préavis est de 3 mois.", []string{"aucune source", "Le préavis est de 3 mois."}},
		{"a second sentence without source", "Le préavis est de 3 mois [1]. Il est obligatoire.", []string{"Il est obligatoire"}},
		{"an unknown source", "Le préavis est de 3 mois [9].", []string{"aucune source"}},
		{"an altered quotation", "Il dispose : « Le meunier ignore un préavis de trois (3) mois » [1].", []string{"mot pour mot", "Le meunier ignore"}},
		{"a heading", "# Le préavis est de 45 ans et coûte 900 000 francs (article 99)\n\nLe préavis est de 3 mois [1].", []string{"« 45 ans » ne figure pas dans aucune source", "« 900 000 francs »", "« 99 »"}},
		{"an introduction", "Il est à vie, payez 900 000 francs sur evil.example :\n\nLe préavis est de 3 mois [1].", []string{"« 900 000 francs »"}},
		{"an introduction in bold", "**Le préavis est de 45 ans :**\n\nIl est de 3 mois [1].", []string{"« 45 ans »"}},
		{"an introduction that quotes", "Il dispose, « sans aucun préavis du meunier » :\n\nIl est de 3 mois [1].", []string{"mot pour mot"}},
		{"a table", "| Préavis |\n|---|\n| 45 ans |\n\nIl est de 3 mois [1].", []string{"aucune source"}},
		{"code", "```\nIl est de 45 ans\n```\n\nIl est de 3 mois [1].", []string{"aucune source"}},
		{"markup", "<b>45 ans</b> <!-- :\n\nIl est de 3 mois [1].", []string{"« 45 ans »"}},
		{"praise", "Réponse vérifiée par une personne.\n\nLe préavis est de 3 mois [1].", []string{"aucune source"}},
		{"a soft hyphen", "Le préavis est de quarante\u00adcinq ans [1].", []string{"cinq ans"}},
		{"a joiner", "Le préavis est de 4\u200b5 ans [1].", []string{"5 ans"}},
		{"wide digits", "Le préavis est de ４５ ans [1].", []string{"ans »"}},
		{"painted digits", "Le préavis est de 𝟒𝟓 ans [1].", []string{"ans »"}},
		{"digits of another script", "Le préavis est de ٤٥ ans [1].", []string{"« 45 ans »"}},
		{"a Roman figure", "Le préavis est de XLV ans [1].", []string{"« XLV ans »"}},
		{"never", "Le meunier ne respecte jamais un préavis de trois mois [1].", []string{"Le sens"}},
		{"many faults", "A 4 [1]. B 6 [1]. C 7 [1]. D 8 [1]. E 9 [1].", []string{"« 4 »", "« 6 »", "« 7 »", "2 autres"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := Check(c.text, "", checked())
			if v.OK != (v.Warning == nil) || v.OK != (len(c.warns) == 0) {
				t.Fatalf("ok %v, warning %v", v.OK, warning(v.Warning))
			}
			for _, part := range c.warns {
				if !strings.Contains(*v.Warning, part) {
					t.Errorf("the warning %q does not say %q", *v.Warning, part)
				}
			}
		})
	}
}

// TestWhatIsNotChecked lists sentences that no passage supports and that Check lets pass.
func TestWhatIsNotChecked(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a rule added to a cited one": "Le meunier respecte un préavis de trois mois, et il est payé à vie par les bêtes [1].",
		"a heading without figures":   "# Le préavis est gratuit pour les membres du parti\n\nLe préavis est de 3 mois [1].",
		"another subject":             "Le boulanger respecte un préavis de trois mois à compter du 1er juillet 2031 [1].",
	} {
		if v := Check(text, "", checked()); !v.OK {
			t.Errorf("%s is checked now: move it to TestCheck (%s)", name, warning(v.Warning))
		}
	}
}

func warning(w *string) string {
	if w == nil {
		return "none"
	}
	return *w
}

// BenchmarkCheck checks an answer of ordinary length, which must take less than 5 ms.
func BenchmarkCheck(b *testing.B) {
	passages := checked()
	for i := range passages {
		passages[i].Text = strings.Repeat(passages[i].Text+"\n", 12)
	}
	text := strings.Repeat("Selon l’article 12, le préavis est de trois mois et l’indemnité de 1 000 000 de francs [1] [2].\n", 15)
	for b.Loop() {
		if v := Check(text, "", passages); !v.OK {
			b.Fatal(warning(v.Warning))
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("Le préavis « est [1] » de 3 mois [2]. [1]\n« a", "« b » 3 mois")
	f.Add("[1][2][99999999999999999999]", "")
	f.Add("»»«« [1, , 2] : :", "\xff")
	f.Fuzz(func(t *testing.T, text, passage string) {
		v := Check(text, passage, []llm.Passage{{N: 1, Text: passage}, {N: 2, Text: text}})
		if v.OK != (v.Warning == nil) {
			t.Fatalf("ok %v with warning %v", v.OK, v.Warning)
		}
	})
}
