package amend_test

import (
	"slices"
	"testing"

	"vigueur/internal/law/amend"
)

func TestErrata(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ act, article string }{
		{"L'arrêté n° 178 du 11 mars 2025 est rectifié ainsi qu'il suit :\nAu lieu de :\nMme DINGA, directrice.\nLire :\nMme NDINGA, directrice.\nLe reste sans changement.", ""},
		{"L'arrêté n° 178 du 11 mars 2025 est rectifié en ce qui concerne le nom de la directrice ainsi qu'il suit :\nAu lieu de :\nMme DINGA, directrice.\nLire :\nMme NDINGA, directrice.", ""},
		{"L'article 5 de l'arrêté n° 178 du 11 mars 2025 est rectifié comme suit : au lieu de : « Mme DINGA, directrice. », lire : « Mme NDINGA, directrice. ».", "5"},
		{"À l'article 5 de l'arrêté n° 178 du 11 mars 2025, au lieu de : « Mme DINGA, directrice. », lire : « Mme NDINGA, directrice. ».", "5"},
		{"À l'article 5 de l'arrêté n° 178 du 11 mars 2025, il y a lieu de lire : « Mme NDINGA, directrice. » au lieu de « Mme DINGA, directrice. ».", "5"},
	} {
		act, o := parts(c.act, "Fin.")
		ops := amend.Read(act, o)
		if len(ops) != 1 {
			t.Errorf("%s\n%+v", c.act, ops)
			continue
		}
		op := ops[0]
		if op.Kind != amend.ReplaceWords || op.Text.Number != "178" || op.Article != c.article || op.Words != "Mme DINGA, directrice." || !slices.Equal(op.New, []string{"Mme NDINGA, directrice."}) || op.Times != 1 || op.Doubt != "" {
			t.Errorf("%s\n%+v", c.act, op)
		}
	}
	act, o := parts("Au lieu de cela, le maire tient le registre.", "Fin.")
	if ops := amend.Read(act, o); len(ops) > 0 {
		t.Errorf("%+v", ops)
	}
}

// TestRepealsOfTheirOwnForms checks repeals whose parts are printed in forms of their own.
func TestRepealsOfTheirOwnForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		act  string
		want []string
	}{
		{"Sont abrogées toutes dispositions contraires, notamment la loi n° 16-09 du 3 août 2016, à l'exception de son article 37 qui demeure en vigueur.", []string{"repeal_article 16-09 but 37"}},
		{"Sous réserve des dispositions de l'article 3 ci-dessous, est abrogé le décret n° 2-13-424 du 24 mai 2013.", []string{"repeal_text 2-13-424"}},
		{"Sont abrogés :\n- les articles de 4 à 6 de la loi n° 92-107 du 16 novembre 1992 ;\n- la loi n° 94-118 du 14 novembre 1994, telle qu'elle a été modifiée par les textes subséquents.", []string{"repeal_article 92-107 4", "repeal_article 92-107 5", "repeal_article 92-107 6", "repeal_text 94-118"}},
		{"La présente loi entre en vigueur le 1er juillet 1994 et sont abrogées par voie de conséquence toutes dispositions antérieures contraires et notamment la loi n° 92-107 du 16 novembre 1992.", []string{"repeal_text 92-107"}},
		{"Sont abrogés les articles 31, 319,\n320 et 321 de la loi n° 59-130 du 5 octobre 1959.", []string{"repeal_article 59-130 31", "repeal_article 59-130 319", "repeal_article 59-130 320", "repeal_article 59-130 321"}},
		{"Sont abrogés l'alinéa 2 et suivants de l'article 2 et l'article 31 de la loi n° 59-130 du 5 octobre 1959.", []string{"unread 59-130 2", "repeal_article 59-130 31"}},
	} {
		act, o := parts(c.act, "Fin.")
		var got []string
		for _, op := range amend.Read(act, o) {
			s := string(op.Kind) + " " + op.Text.Number
			if op.Article != "" {
				s += " " + op.Article
			}
			for _, a := range op.Except {
				s += " but " + a
			}
			got = append(got, s)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\ngot %q, want %q", c.act, got, c.want)
		}
	}
}

// TestNamesInTitlesAreNotAdded checks a quoted name within the title of a text, which is no words to add to its articles.
func TestNamesInTitlesAreNotAdded(t *testing.T) {
	t.Parallel()
	act, o := parts("Il est inséré dans la loi n° 98-17 du 17 avril 1998 portant création d'un établissement dénommé « Régie des sels » un article 2-1 nouveau, libellé comme suit :\n« Art. 2-1. - Le sel est gris. »", "Fin.")
	ops := amend.Read(act, o)
	if len(ops) != 1 || ops[0].Kind != amend.InsertArticle || ops[0].Article != "2-1" || ops[0].Every {
		t.Errorf("%+v", ops)
	}
}

// TestLawsOfOneDay checks that two laws of one day are one only if their titles go on alike.
func TestLawsOfOneDay(t *testing.T) {
	t.Parallel()
	banks := amend.Named("Loi du 18 décembre 2015 relative à la défaillance des établissements de crédit")
	for title, want := range map[string]bool{
		"loi modifiée du 18 décembre 2015 relative à la défaillance des établissements de crédit": true,
		"loi du 18 décembre 2015": true,
		"loi du 18 décembre 2015 relative à la protection internationale et temporaire":  false,
		"loi du 19 décembre 2015 relative à la défaillance des établissements de crédit": false,
	} {
		if got := amend.Named(title).Fits(banks); got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}

// TestListsBelowAnAlinea checks that an alinea whose list follows in lines without labels is not replaced alone.
func TestListsBelowAnAlinea(t *testing.T) {
	t.Parallel()
	act, o := parts("À l'article 5 de la loi n° 7 du 3 mai 2010, l'alinéa 2 est remplacé par le texte suivant :\n« Le prix compte :\nla taxe du port. »", "Fin.")
	for left, want := range map[string]amend.Reason{
		"Le sel est gris.\nLe prix compte :\nle sac ;\nla taxe.\nIl est affiché.": amend.PlaceUnclear,
		"Le sel est gris.\nLe prix est libre.\nIl est affiché.":                   "",
	} {
		if r := amend.Apply(left, true, amend.Read(act, o)); r.Outcomes[0].Reason != want {
			t.Errorf("%s\n%+v, want %q", left, r.Outcomes, want)
		}
	}
}
