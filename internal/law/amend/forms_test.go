package amend_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

// The forms of orders are made of the parts below, by the dozen: each form with every announcement, every way to print a
// wording and every name of a text.
var (
	texts     = []string{"du code des registres", "de la loi n° 65-60 du 21 juillet 1965 portant code des registres", "du décret du 6 août 1959 portant code des registres", "de l'arrêté du 22 mai 1935, susvisé,", "du texte coordonné du 15 novembre 1967 comprenant la réglementation des registres", "du code des registres approuvé par le dahir portant loi n° 1-74-447 du 11 ramadan 1394 (28 septembre 1974)"}
	announced = []string{"comme suit :", "ainsi qu'il suit :", "de la façon suivante :", "par les dispositions suivantes :", "de la manière suivante:"}
	verbs     = []string{"sont abrogés et remplacés", "sont modifiés", "sont modifiés et complétés", "sont remplacés"}
	heads     = []string{"Article %s (nouveau) : ", "Art. %s. - ", "Article %s\n", "Art. %s.- ", "Article %s – "}
	marks     = []string{"none", "each", "around", "lines"}
	numbers   = [][]string{{"5"}, {"5", "6", "7"}, {"12", "12 bis"}, {"971", "972", "973"}}
	first     = "Le maire tient le registre de la commune."
	second    = "Il le signe à la fin de chaque année."
)

// parts returns an act of articles as Written does.
func parts(articles ...string) (string, amend.Options) {
	var list []law.Article
	for i, a := range articles {
		list = append(list, law.Article{Number: fmt.Sprint(i + 1), Text: a})
	}
	text, parts := amend.Written(list)
	return text, amend.Options{Parts: parts}
}

// printed prints a wording of an article.
func printed(head, number, mark string) string {
	lines := strings.Split(fmt.Sprintf(head, number)+first+"\n"+second, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
		if mark == "lines" || (mark == "each" || mark == "around") && i == 0 {
			lines[i] = "« " + lines[i]
		}
		if (mark == "each" || mark == "around") && i == len(lines)-1 {
			lines[i] += " »"
		}
	}
	return strings.Join(lines, "\n")
}

func listed(numbers []string) string {
	if n := len(numbers); n > 1 {
		return "Les articles " + strings.Join(numbers[:n-1], ", ") + " et " + numbers[n-1]
	}
	return "L'article " + numbers[0]
}

func singular(verb string, n int) string {
	if n > 1 {
		return verb
	}
	verb = strings.ReplaceAll(verb, "sont ", "est ")
	words := strings.Fields(verb)
	for i, w := range words {
		words[i] = strings.TrimSuffix(w, "s")
	}
	return strings.Join(words, " ")
}

func TestFormsOfNewWordings(t *testing.T) {
	t.Parallel()
	made := 0
	for _, text := range texts {
		for _, how := range announced {
			for _, verb := range verbs {
				for _, head := range heads {
					for _, mark := range marks {
						list := numbers[made%len(numbers)]
						instruction := listed(list) + " " + text + " " + singular(verb, len(list)) + " " + how
						var wording []string
						for _, n := range list {
							wording = append(wording, printed(head, n, mark))
						}
						act, o := parts(instruction+"\n"+strings.Join(wording, "\n"), "La présente loi est publiée.")
						holdWordings(t, act, o, list)
						made++
					}
				}
			}
		}
	}
	if made < 2000 {
		t.Errorf("only %d forms", made)
	}
}

// holdWordings checks that each article gets its two paragraphs, and nothing else changes.
func holdWordings(t *testing.T, act string, o amend.Options, list []string) {
	t.Helper()
	var got []string
	for _, op := range amend.Read(act, o) {
		if op.Kind != amend.ReplaceArticle && op.Kind != amend.InsertArticle || op.Doubt != "" || !slices.Equal(op.New, []string{first, second}) {
			t.Errorf("%s\n%+v", act, op)
			return
		}
		got = append(got, op.Article)
	}
	if !slices.Equal(got, list) {
		t.Errorf("%s\nchanges %q, want %q", act, got, list)
	}
}

// TestWordingsRunIn checks wordings that are printed without a line break.
func TestWordingsRunIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sep, head string }{{" ", "%s. - "}, {" ", "Art. %s. - "}, {"\n", "%s. – "}, {" ", "Art. %s. "}} {
		wording := fmt.Sprintf(c.head, "5") + first + "\n" + second + c.sep + fmt.Sprintf(c.head, "6") + first + "\n" + second
		act, o := parts("Les articles 5 et 6 du code des registres sont remplacés par les dispositions suivantes : "+wording, "Fin.")
		holdWordings(t, act, o, []string{"5", "6"})
	}
}

// TestRepealsOfTexts checks whole repeals in the ways that they are printed.
func TestRepealsOfTexts(t *testing.T) {
	t.Parallel()
	named := []string{"la loi n° 2001-65 du 10 juillet 2001 relative aux établissements de crédit", "le décret n° 66-707 du 6 septembre 1966 portant organisation des prisons", "l'arrêté du 15 juillet 2007, modifié et complété, susvisé"}
	names := []string{"de la loi n° 2001-65 du 10 juillet 2001 relative aux établissements de crédit", "du décret n° 66-707 du 6 septembre 1966 portant organisation des prisons", "de l'arrêté du 15 juillet 2007"}
	for i, name := range named {
		for _, form := range []string{
			"Sont abrogées toutes dispositions contraires, notamment %s.", "Sont abrogées toutes les dispositions antérieures contraires à la présente loi et notamment %s.",
			"Toutes dispositions contraires à la présente loi, notamment %s, sont abrogées.", "%s est abrogé.", "%s est rapporté.", "Toutes les dispositions contraires à la présente loi sont abrogées notamment %s.",
			"La présente loi, qui abroge toutes dispositions antérieures contraires, notamment %s, sera enregistrée et publiée au Journal officiel.", "Est abrogé %s.",
			"La présente loi abroge et remplace %s.", "Le présent décret abroge %s et entre en vigueur le jour de sa publication.", "Le règlement abroge %s.", "Est et demeure abrogé %s.",
			"Sont abrogés :\n- %s.", "Sont abrogées toutes dispositions contraires, notamment les textes suivants :\n- %s ;",
		} {
			holdRepeal(t, fmt.Sprintf(form, name))
		}
		holdRepeal(t, "Sont abrogées les dispositions "+names[i]+".")
		holdRepeal(t, "Les dispositions "+names[i]+" sont abrogées.")
	}
}

func holdRepeal(t *testing.T, instruction string) {
	t.Helper()
	act, o := parts(instruction, "Fin.")
	ops := amend.Read(act, o)
	if len(ops) != 1 || ops[0].Kind != amend.RepealText || ops[0].Doubt != "" || ops[0].Text.Title == "" {
		t.Errorf("%s\n%+v", instruction, ops)
	}
}

// TestContraryProvisionsNameNothing checks repeals that name no text.
func TestContraryProvisionsNameNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"Sont abrogées toutes dispositions antérieures contraires à la présente loi.", "Toutes les dispositions antérieures contraires sont abrogées.",
		"Le présent décret, qui abroge toutes dispositions antérieures contraires, sera publié au Journal officiel.", "Toutes dispositions contraires sont et demeurent abrogées.",
	} {
		act, o := parts(s, "Fin.")
		if ops := amend.Read(act, o); len(ops) > 0 {
			t.Errorf("%s\n%+v", s, ops)
		}
	}
}

// TestPlacesInLists checks parts of articles within a list of articles.
func TestPlacesInLists(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		printed string
		alineas []int
	}{{"(2e alinéa)", []int{2}}, {"(1er alinéa)", []int{1}}, {"(du 2e alinéa jusqu'au 4e alinéa inclus)", []int{2, 3, 4}}, {"(alinéas 1 et 3)", []int{1, 3}}, {"( 3e alinéa )", []int{3}}, {", alinéa 2,", []int{2}}} {
		act, o := parts("Sont abrogées les dispositions des articles 4, 12 "+part.printed+" et 15 du code des registres.", "Fin.")
		var got []string
		for _, op := range amend.Read(act, o) {
			if op.Doubt != "" {
				t.Errorf("%s: %+v", part.printed, op)
			}
			s := op.Article
			for _, p := range op.Places {
				s += fmt.Sprint(" ", p[0].Index)
			}
			got = append(got, s)
		}
		want := "12 " + strings.Trim(fmt.Sprint(part.alineas), "[]")
		if !slices.Equal(got, []string{"4", want, "15"}) {
			t.Errorf("%s: %q, want 4, %s, 15", part.printed, got, want)
		}
	}
}

// TestTitlesOfDivisions checks instructions that change the title of a division and no article.
func TestTitlesOfDivisions(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"L'intitulé du chapitre II du code des registres est ainsi rédigé : « Des juges ».", "À l'intitulé du titre Ier du code des registres, le mot : « maire » est remplacé par le mot : « juge »."} {
		if ops := amend.Read(s, amend.Options{}); len(ops) != 1 || ops[0].Kind != amend.ReplaceHeading || ops[0].Doubt != "" || len(ops[0].Divisions) != 1 {
			t.Errorf("%s\n%+v", s, ops)
		}
	}
}

// TestWhatFollowsAWordingIsNoPartOfIt puts a further instruction, understood or not, below a wording without marks.
func TestWhatFollowsAWordingIsNoPartOfIt(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, lower := range []string{"L'article 9 du code des registres est abrogé.", "2° À l'article 9, le mot : « maire » est remplacé par le mot : « juge ».", "À l'article 9, il y a lieu d'insérer : « du juge »", "Mandons et ordonnons que la présente loi soit insérée au Mémorial.", "La présente loi sera publiée au Journal officiel."} {
		head := heads[random.IntN(len(heads))]
		act, o := parts("L'article 5 du code des registres est modifié comme suit :\n"+printed(head, "5", "none")+"\n"+lower, "Fin.")
		for _, op := range amend.Read(act, o) {
			if op.Article == "5" && op.Doubt == "" && !slices.Equal(op.New, []string{first, second}) {
				t.Errorf("%s: %+v", lower, op)
			}
		}
	}
}
