package amend_test

import (
	"strings"
	"testing"

	"vigueur/internal/law/amend"
)

func TestWhatIsNotCertainWaits(t *testing.T) {
	t.Parallel()
	plain := "Le maire tient le registre. Le registre est public.\nLe maire le signe."
	for name, c := range map[string]struct {
		act, before string
		want        amend.Reason
	}{
		"words that are not there": {
			"À l'article 5, les mots : « le lit » sont remplacés par les mots : « le scelle ».", plain, amend.WordsNotFound,
		},
		"words in another alinea": {
			"Au premier alinéa de l'article 5, les mots : « le signe » sont supprimés.", plain, amend.WordsNotFound,
		},
		"part of a number": {
			"À l'article 5, la référence : « L. 331-2 » est remplacée par la référence : « L. 331-3 ».", "L'article L. 331-22 est applicable.", amend.WordsNotFound,
		},
		"twice where once is meant": {
			"Au premier alinéa de l'article 5, après le mot : « registre », sont insérés les mots : « des noms ».", plain, amend.WordsTooOften,
		},
		"more often than the act says": {
			"À l'article 5, le mot : « le » est remplacé, deux fois, par le mot : « ce ».", plain, amend.WordsTooOften,
		},
		"less often than the act says": {
			"À l'article 5, les trois occurrences du mot : « public » sont remplacées par le mot : « secret ».", plain, amend.WordsNotFound,
		},
		"words that do not end the place": {
			"À la fin du premier alinéa de l'article 5, le mot : « maire » est supprimé.", plain, amend.WordsNotFound,
		},
		"alineas below what may be a heading": {
			"Au deuxième alinéa de l'article 5, les mots : « le signe » sont supprimés.", "Registres\nLe maire tient le registre.\nLe maire le signe.", amend.PlaceUnclear,
		},
		"alineas below a list without labels": {
			"À l'article 5, l'alinéa 3 est supprimé.", "Le maire tient :\nle registre ;\nle livre.\nLe maire le signe.", amend.PlaceUnclear,
		},
		"an alinea that is not the next one": {
			"L'article 5 est complété par un alinéa 2 qui prend la teneur suivante : « Le maire le détruit. »", plain, amend.PlaceUnclear,
		},
		"an item whose list has no labels": {
			"L'article 5 est complété par un point 3° ainsi rédigé : « 3° Le greffe. »", "Le registre est tenu par :\nle maire ;\nle juge.", amend.PlaceUnclear,
		},
		"words that are there already": {
			"L'article 5 est complété par un alinéa ainsi rédigé : « Le maire le signe le soir. »", "Le maire tient le registre.\nLe maire le signe le soir.", amend.AlreadyThere,
		},
		"no such alinea": {
			"Le quatrième alinéa de l'article 5 est supprimé.", plain, amend.NoSuchPlace,
		},
		"no such item": {
			"Le 4° de l'article 5 est abrogé.", plain, amend.NoSuchPlace,
		},
		"no such sentence": {
			"La troisième phrase du premier alinéa de l'article 5 est supprimée.", plain, amend.NoSuchPlace,
		},
		"an item with the label in two parts": {
			"Le 1° de l'article 5 est abrogé.", "I. - Sont tenus :\n1° Un ;\n2° Deux.\nII. - Sont lus :\n1° Un ;\n2° Deux.", amend.PlaceUnclear,
		},
		"lines that may belong to the last item": {
			"Le 2° de l'article 5 est complété par un alinéa ainsi rédigé :\n« Rien. »", "Sont tenus :\n1° Un ;\n2° Deux :\na) Trois ;\nb) Quatre.\nUn décret le fixe.", amend.PlaceUnclear,
		},
		"a sentence after all alineas": {
			"L'article 5 est ainsi modifié :\na) À la première phrase, le mot : « tient » est remplacé par le mot : « garde » ;\nb) Est ajoutée une phrase ainsi rédigée : « Nul ne le ferme. »", plain, amend.PlaceUnclear,
		},
		"a sentence of no alinea": {
			"La dernière phrase de l'article 5 est supprimée.", plain, amend.PlaceUnclear,
		},
		"the end of no words": {
			"La fin du premier alinéa de l'article 5 est supprimée.", plain, amend.NotUnderstood,
		},
		"lines before a smaller enumeration": {
			"Après le 2° de l'article 5, il est inséré un 3° ainsi rédigé :\n« 3° Trois. »", "Sont tenus :\n1° Un.\n2° Deux.\nN'est pas tenu :\na) Quatre ;\nb) Cinq.", amend.PlaceUnclear,
		},
		"a label that exists": {
			"L'article 5 est complété par un 2° ainsi rédigé :\n« 2° Trois. »", "Sont tenus :\n1° Un ;\n2° Deux.", amend.PlaceUnclear,
		},
		"the article does not exist": {
			"À l'article 5, les mots : « le signe » sont supprimés.", "", amend.ArticleMissing,
		},
		"a new wording of what does not exist": {
			"L'article 5 est ainsi rédigé :\n« Art. 5. - Rien. »", "", amend.ArticleMissing,
		},
		"two operations on one place": {
			"L'article 5 est ainsi modifié :\n1° Le second alinéa est supprimé ;\n2° Au second alinéa, le mot : « maire » est remplacé par le mot : « juge ».", plain, amend.Conflict,
		},
		"two new wordings": {
			"L'article 5 est ainsi rédigé :\n« Art. 5. - Un. »\nL'article 5 est ainsi rédigé :\n« Art. 5. - Deux. »", plain, amend.Conflict,
		},
		"a new wording and a change": {
			"L'article 5 est ainsi rédigé :\n« Art. 5. - Un. »\nÀ l'article 5, le mot : « maire » est supprimé.", plain, amend.Conflict,
		},
		"the wording is missing": {
			"Le second alinéa de l'article 5 est ainsi rédigé :", plain, amend.WordingMissing,
		},
		"the rest is left out": {
			"L'article 5 est ainsi rédigé :\n« Art. 5. - Le juge (le reste sans changement). »", plain, amend.NotUnderstood,
		},
		"dots for the rest": {
			"L'article 5 est modifié comme suit :\n« Art. 5. — Le juge tient le registre ;\n1-………………\n2- Il le signe. »", plain, amend.PlaceUnclear,
		},
		"an alinea of two articles": {
			"Les articles 5 et 6, alinéa 2, sont abrogés.", plain, amend.NotUnderstood,
		},
		"a wording that may go on": {
			"L'article 5 est ainsi rédigé :\n« Art. 5. - Le juge tient le registre.\nNul ne le voit.", plain, amend.WordingOpen,
		},
		"words below a heading that is not understood": {
			"Le code des registres est ainsi modifié :\n1° L'article 5 se trouve comme par enchantement modifié :\na) Les mots : « le signe » sont remplacés par les mots : « le lit » ;", plain, amend.NotUnderstood,
		},
		"words that nobody taught": {
			"À l'article 5, sous réserve de l'accord du juge, les mots : « le signe » sont parfois remplacés par les mots : « le lit ».", plain, amend.NotUnderstood,
		},
		"half a list of words": {
			"À l'article 5, les mots : « tient », « signe » et « public » sont remplacés respectivement par les mots : « lit » et « scelle ».", plain, amend.NotUnderstood,
		},
		"words read wrongly": {
			"À l'article 5, les mots : « tient 1e registre » sont supprimés.", plain, amend.WordsNotFound,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := change(t, c.act, c.before)
			if r.Complete || r.Text != c.before {
				t.Fatalf("applied: %q", r.Text)
			}
			for _, o := range r.Outcomes {
				if o.Reason == c.want {
					return
				}
			}
			t.Errorf("got %+v, want %s", r.Outcomes, c.want)
		})
	}
}

func TestWordsOfNoArticle(t *testing.T) {
	t.Parallel()
	for _, op := range amend.Read("Le code des registres est ainsi modifié :\n1° Les mots : « le signe » sont remplacés par les mots : « le lit ».", amend.Options{}) {
		if op.Doubt == "" {
			t.Errorf("words of no article change the whole code: %+v", op)
		}
	}
}

func TestSimilarWordsAreProposed(t *testing.T) {
	t.Parallel()
	left := "Le maire tient le registre public des associations reconnues."
	r := change(t, "À l'article 5, les mots : « registre pubiic des associations » sont remplacés par le mot : « livre ».", left)
	if r.Complete || r.Text != left {
		t.Fatalf("similar words were replaced: %q", r.Text)
	}
	p := r.Outcomes[0].Proposal
	if p == nil || left[p.Start:p.End] != "registre public des associations" {
		t.Errorf("the proposal is %+v", p)
	}
}

func TestOutcomesSayWhere(t *testing.T) {
	t.Parallel()
	left := "Le maire tient le registre.\nIl le signe."
	r := change(t, "Article 1er\nÀ l'article 5 du code des registres, le mot : « maire » est remplacé par les mots : « préfet ou le sous-préfet ».\nArticle 2\nAu second alinéa de l'article 5 du même code, le mot : « signe » est remplacé par le mot : « lit ».", left)
	if want := "Le préfet ou le sous-préfet tient le registre.\nIl le lit."; r.Text != want {
		t.Fatalf("got %q, want %q", r.Text, want)
	}
	for i, want := range [][2]string{{"maire", "préfet ou le sous-préfet"}, {"signe", "lit"}} {
		o := r.Outcomes[i]
		if len(o.Before) != 1 || left[o.Before[0].Start:o.Before[0].End] != want[0] {
			t.Errorf("operation %d changes %v of %q, want %q", i+1, o.Before, left, want[0])
		}
		if len(o.After) != 1 || r.Text[o.After[0].Start:o.After[0].End] != want[1] {
			t.Errorf("operation %d makes %v of %q, want %q", i+1, o.After, r.Text, want[1])
		}
	}
}

func TestSentencesThatAmendNothing(t *testing.T) {
	t.Parallel()
	for _, act := range []string{
		"Le fait, pour une personne mentionnée à l'article 5, de ne pas signer est puni d'une amende.",
		"L'article 5 entre en vigueur le 1er mars 2024.",
		"La perte de recettes qui résulte de l'article 5 est compensée par la création d'une taxe.",
		"« Le registre est supprimé. »",
		"",
		"\n \n",
	} {
		if ops := amend.Read(act, amend.Options{Home: amend.Named("Code des registres")}); len(ops) > 0 {
			t.Errorf("%q: %+v", act, ops)
		}
	}
}

func TestRightToLeftText(t *testing.T) {
	t.Parallel()
	left := "Le maire tient السجل العام.\nIl le signe."
	r := change(t, "À l'article 5, les mots : « السجل العام » sont remplacés par les mots : « السجل الخاص ».", left)
	if want := "Le maire tient السجل الخاص.\nIl le signe."; !r.Complete || r.Text != want {
		t.Errorf("got %q %+v, want %q", r.Text, r.Outcomes, want)
	}
}

// TestLongInstruction reads a wording of 50 pages, which is one paragraph in three marked at
// its beginning as after page breaks.
func TestLongInstruction(t *testing.T) {
	t.Parallel()
	var act, want strings.Builder
	act.WriteString("L'article 5 du code des registres est ainsi rédigé :\n« Art. 5. - Le registre est tenu ainsi :")
	want.WriteString("Le registre est tenu ainsi :")
	for range 2500 {
		line := "Le maire inscrit les noms des personnes qui le demandent, et les signe avec elles."
		act.WriteString("\n" + line)
		want.WriteString("\n" + line)
	}
	act.WriteString(" »\nL'article 6 du même code est abrogé.")
	r := change(t, act.String(), "Rien.")
	if !r.Complete || r.Text != want.String() {
		t.Errorf("got %d bytes, want %d; %+v", len(r.Text), want.Len(), r.Outcomes)
	}
}

func TestHugeInput(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]string{
		"openings":   strings.Repeat("« ", 100_000),
		"lines":      strings.Repeat("« a\n", 100_000),
		"labels":     strings.Repeat("1° a) ", 100_000),
		"articles":   "Aux articles " + strings.Repeat("5, ", 50_000) + "6, le mot : « a » est supprimé.",
		"ordinals":   "Aux " + strings.Repeat("premier et ", 50_000) + "dernier alinéas de l'article 5, le mot : « a » est supprimé.",
		"places":     "Au " + strings.Repeat("1° du ", 50_000) + "I de l'article 5, le mot : « a » est supprimé.",
		"clauses":    "À l'article 5, " + strings.Repeat("le mot : « a » est remplacé par le mot : « b » et ", 20_000) + "le mot : « c » est supprimé.",
		"determiner": strings.Repeat("à l'", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, op := range amend.Read(act, amend.Options{Home: amend.Named("Code des registres")}) {
				if op.Evidence.End > len(act) || op.Evidence.Start > op.Evidence.End {
					t.Fatalf("evidence %+v of %d bytes", op.Evidence, len(act))
				}
			}
		})
	}
	same := strings.Repeat("a ", 100_000)
	ops := amend.Read("À l'article 5, les mots : « "+same+"b » sont supprimés.", amend.Options{Home: amend.Named("Code des registres")})
	if r := amend.Apply(strings.Repeat("a ", 400_000), true, ops); r.Complete {
		t.Error("words that are not there were deleted")
	}
	if r := amend.Apply(strings.Repeat("a", amend.MaxBytes+1), true, ops); r.Complete || r.Outcomes[0].Reason != amend.TooLong {
		t.Errorf("a text that is too long: %+v", r.Outcomes)
	}
	if ops := amend.Read(strings.Repeat("a", amend.MaxBytes+1), amend.Options{}); len(ops) != 1 || ops[0].Doubt != amend.TooLong {
		t.Errorf("an act that is too long: %+v", ops)
	}
}

// TestManyLineBreaksBeforeWords checks that an instruction that goes on over very many lines is
// read once, not once for each line.
func TestManyLineBreaksBeforeWords(t *testing.T) {
	t.Parallel()
	act := "À l'article 5, après les mots :\n" + strings.Repeat("« a » et les mots :\n", 50_000)
	for _, op := range amend.Read(act, amend.Options{Home: amend.Named("Code des registres")}) {
		if op.Doubt == "" {
			t.Errorf("an instruction without a verb is understood: %+v", op.Kind)
		}
	}
}
