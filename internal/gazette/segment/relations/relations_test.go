package relations_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette/segment/relations"
	"vigueur/internal/law"
)

// said writes what an article of an act changes: « abroge 99-4 3,4 », with a plus sign if the old wording stays law.
func said(doc law.Document, article string) string {
	var out []string
	changes, _ := relations.Of(doc, []law.Article{{Number: "1", Text: article}})
	for _, r := range changes {
		sign := ""
		if r.Adds {
			sign = "+"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s%s %s%s %s", sign, r.Kind, r.TargetNumber, r.TargetTitle, strings.Join(r.TargetArticles, ","))))
	}
	return strings.Join(out, "; ")
}

func TestOf(t *testing.T) {
	t.Parallel()
	law20 := law.Document{Title: "Loi n° 2020-1 du 2 janvier 2020 relative au sel", OfficialNumber: "2020-1", Type: law.Loi}
	code := law.Document{Title: "Code de procédure civile", Type: law.Code}
	for _, c := range []struct {
		doc           law.Document
		article, want string
	}{
		{law20, "Sont abrogés les articles 3 et 4 de la loi n° 99-4 du 2 mai 1999.", "abroge 99-4 3,4"},
		{law20, "La loi n° 99-4 du 2 mai 1999 est abrogée.", "abroge 99-4"},
		{law20, "Sont abrogées toutes dispositions contraires, notamment la loi n° 99-4 du 2 mai 1999, à l'exception de son article 7.", "+modifie 99-4"},
		{law20, "Sont abrogées les dispositions du titre II du code du travail.", "+modifie code du travail"},
		{law20, "L'article 5 de la loi n° 99-4 est complété par un alinéa ainsi rédigé : « Le sel est gris. »", "+modifie 99-4 5"},
		{law20, "Il est inséré, après l'article 26 de la loi n° 99-4, un article 26 bis ainsi rédigé : « Le sel est gris. »", "+modifie 99-4 26 bis"},
		{law20, "L'article 5 de la loi n° 99-4 est modifié ainsi qu'il suit :\n« Art. 5. - Le sel est gris. »", "modifie 99-4 5"},
		{law20, "À l'article 5 de la loi n° 99-4, le mot : « gris » est remplacé par le mot : « fin ».", "+modifie 99-4 5"},
		{law20, "L'article 76 du décret n° 2014-1212 du 3 mai 2014 relatif au code des marchés publics est abrogé.", "abroge 2014-1212 76"},
		{law20, "Sont abrogés les articles 179 et 183 du code de procédure civile approuvé par le dahir portant loi n° 1-74-447.", "abroge code de procédure civile 179,183"},
		{law20, "Sont abrogés les articles 28 et 29 mentionnés à l'article 234 du code du travail.", "modifie code du travail 234"},
		{law20, "Sont abrogées les dispositions du décret n° 89-530 portant application de la loi n° 88-111 du 18 août 1988.", "abroge 89-530"},
		// What changes nothing, another text changes, or the act itself.
		{law20, "Toutes dispositions antérieures contraires sont abrogées.", ""},
		{law20, "La décision prononcée dans les conditions prévues par l'article 132-45 est modifiée.\nLe 7° de l'article 223-8 est ainsi rédigé : « Le sel est gris. »", ""},
		{law20, "Les dahirs portant code du statut personnel sont abrogés par l'article 397 de la loi n° 70-03.", ""},
		{law20, "Lorsque la procédure est introduite par requête, l'avis rappelle l'article 388-1 du code civil.", ""},
		{law20, "Le juge qui est remplacé le sait par l'article 9 du code de commerce.", ""},
		{law20, "L'article 2 de la présente loi est modifié chaque année.", ""},
		{code, "L'article 5 du code de procédure civile est abrogé.", ""},
		// What names no single text.
		{law20, "L'article 5 est modifié à la constitution de la société anonyme.", ""},
		{law20, "L'article 4 de la loi ou du règlement est modifié.", ""},
		{law20, "L'article 12 de la loi électorale est abrogé.", ""},
		{law20, "Le règlement intérieur est modifié par l'assemblée.", ""},
		{law20, "L'article 5 de la Constitution est modifié ainsi qu'il suit : « Art. 5. - Le sel est gris. »", "modifie constitution 5"},
		{law20, "L'article 16 du règlement du 18 septembre 1974 sur les caisses régies par le code du sel est abrogé.", "abroge règlement du 18 septembre 1974 sur les caisses régies par le code du sel 16"},
		// What tells of a change, or only names a text beside one.
		{law20, "Si la loi n° 88-5 du 3 mai 1988 est abrogée, le ministre en informe l'assemblée.", ""},
		{law20, "Lorsque l'article 5 de la loi n° 88-5 du 3 mai 1988 est modifié, le décret le dit.", ""},
		{law20, "Promulguons la Constitution dont la teneur suit :", ""},
		{law20, "Les articles 289 et 290 susvisés ont été insérés dans l'article 68 de la loi n° 06-99 comme suit :", ""},
		{law20, "Sont désignés, conformément aux dispositions de l'article 76 de la loi modifiée du 7 mars 1980, les emplois suivants :", ""},
		{law20, "Sont abrogées toutes dispositions contraires dudit code, notamment :\n- le décret n° 5 du 3 mai 1950 ;\n- les textes figurant à l'annexe I du décret du 29 décembre 1955 relatif aux changes ;", "abroge 5"},
		// What is not understood to its last word.
		{law20, "L'annexe I à la circulaire n° 2017-06 est modifiée par l'ajout de déclarations.", "modifie 2017-06"},
		{law20, "L'article 1er de l'arrêté du 22 mai 1935 est modifié comme suit :\nLes marchandises portent leur nom, sauf :\na) les articles reçus pour être réexportés ;", "modifie arrêté du 22 mai 1935 1er"},
	} {
		if got := said(c.doc, c.article); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.article, got, c.want)
		}
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	changes, _ := relations.Of(law.Document{}, []law.Article{{Number: "1", Text: "Le décret n° 2000-190 du 17 mai 2000 est abrogé à compter du 1er juin 2001."}})
	if len(changes) != 1 || changes[0].TargetDate == nil || changes[0].TargetDate.Format("2006-01-02") != "2000-05-17" || changes[0].Effective.Format("2006-01-02") != "2001-06-01" ||
		changes[0].Words != "Le décret n° 2000-190 du 17 mai 2000 est abrogé à compter du 1er juin 2001." {
		t.Errorf("%+v", changes)
	}
}

// TestWordingsAreApart checks that new wordings do not overlap and are words of their article, whatever is printed.
func TestWordingsAreApart(t *testing.T) {
	t.Parallel()
	for _, article := range []string{
		"Les articles 3 et 4 de la loi n° 99-4 sont remplacés par les dispositions suivantes :\n« Art. 3. - Le sel est gris.\n« Il est fin.\n« Art. 4. - Le sel est gris. »",
		"L'article 5 de la loi n° 99-4 est remplacé par ce qui suit :\n(\nArt. 5. - Le sel est gris.",
		"Les articles 3 et 4 de la loi n° 99-4 sont remplacés comme suit : Art. 3. - Le sel est gris. Art. 4. - Le sel est gris.",
	} {
		_, given := relations.Of(law.Document{}, []law.Article{{Number: "1", Text: article}})
		if len(given) == 0 {
			t.Errorf("none: %s", article)
		}
		end := 0
		for _, w := range given {
			if w.From < end || w.Start < w.From || w.End <= w.Start || w.To < w.End || w.To > len(article) || !strings.HasPrefix(article[w.Start:w.End], "Le sel") || !strings.HasSuffix(article[w.Start:w.End], ".") {
				t.Errorf("%s\n%+v", article, w)
			}
			end = w.To
		}
	}
}
