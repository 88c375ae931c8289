package named

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// asCalled is a text of a catalogue of fifteen countries, and how people call it. %s stands for an article.
type asCalled struct {
	title, nature, number, day, country string
	kind                                law.DocType
	ways                                []string
}

var waysCatalogue = []asCalled{
	codeOf("Loi n° 028-2008/AN du 13 mai 2008 portant Code du travail au Burkina Faso", "028-2008/AN", "2008-05-13", "bf", "du travail", "burkinabè", "du Burkina Faso", "burkina"),
	codeOf("Loi n° 98-004 du 27 janvier 1998 portant Code du travail", "98-004", "1998-01-27", "bj", "du travail", "béninois", "du Bénin", "bénin"),
	codeOf("Loi n° 97-17 du 1er décembre 1997 portant Code du travail", "97-17", "1997-12-01", "sn", "du travail", "sénégalais", "du Sénégal", "senegal"),
	codeOf("Dahir n° 1-03-194 du 11 septembre 2003 portant promulgation de la loi n° 65-99 relative au Code du travail", "65-99", "2003-09-11", "ma", "du travail", "marocain", "du Maroc", "maroc"),
	codeOf("Code pénal", "", "1981-07-31", "ci", "pénal", "ivoirien", "de Côte d'Ivoire", "cote d'ivoire"),
	codeOf("Loi n° 2016/007 du 12 juillet 2016 portant Code pénal", "2016/007", "2016-07-12", "cm", "pénal", "camerounais", "du Cameroun", "cameroun"),
	codeOf("Loi n° 040-2019/AN du 29 mai 2019 portant Code de procédure pénale au Burkina Faso", "040-2019/AN", "2019-05-29", "bf", "de procédure pénale", "burkinabè", "du Burkina Faso", "burkina faso"),
	codeOf("Code de procédure civile, commerciale et administrative", "", "1972-12-21", "ci", "de procédure civile, commerciale et administrative", "ivoirien", "de la Côte d'Ivoire", "cote d’ivoire"),
	codeOf("Code général des impôts", "", "2012-03-23", "td", "général des impôts", "tchadien", "du Tchad", "tchad"),
	codeOf("Loi n° 2018-15 portant Code minier", "2018-15", "2018-06-01", "ne", "minier", "nigérien", "du Niger", "niger"),
	codeOf("Loi n° 2011-087 portant Code des personnes et de la famille", "2011-087", "2011-12-30", "ml", "des personnes et de la famille", "malien", "du Mali", "mali"),
	codeOf("Loi n° 2008-16 portant Code forestier", "2008-16", "2008-06-19", "tg", "forestier", "togolais", "du Togo", "togo"),
	codeOf("Code de l'enregistrement et du timbre", "", "1993-01-01", "tn", "de l'enregistrement et du timbre", "tunisien", "de la Tunisie", "tunisie"),
	codeOf("Loi n° 11/2002 portant Code forestier de la République démocratique du Congo", "11/2002", "2002-08-29", "cd", "forestier", "congolais", "de la République démocratique du Congo", "rdc"),
	codeOf("Code de la nationalité haïtienne", "", "1984-11-06", "ht", "de la nationalité", "haïtien", "d'Haïti", "haiti"),
	constitutionOf("Constitution de la République du Tchad", "2018-05-04", "td", "tchadienne", "du Tchad", "tchad"),
	constitutionOf("Constitution de la République de Guinée", "2010-05-07", "gn", "guinéenne", "de Guinée", "guinée"),
	constitutionOf("Constitution", "2001-01-22", "sn", "sénégalaise", "du Sénégal", "sénégal"),
	lawOf("Loi n° 2024-15 du 23 mai 2024 portant répression de l'usure", "Loi", "2024-15", "2024-05-23", "23 mai 2024", "bj", "béninoise", law.Loi, "loi"),
	lawOf("Loi n° 2021-004 du 8 mars 2021 relative à la cybersécurité", "Loi", "2021-004", "2021-03-08", "8 mars 2021", "td", "tchadienne", law.Loi, "loi"),
	lawOf("Loi organique n° 2012-06 du 3 avril 2012 relative au Conseil constitutionnel", "Loi organique", "2012-06", "2012-04-03", "3 avril 2012", "ma", "marocaine", law.Loi, "loi organique"),
	lawOf("Ordonnance n° 2010-09 du 1er avril 2010 portant Code de l'eau", "Ordonnance", "2010-09", "2010-04-01", "1er avril 2010", "ne", "nigérienne", law.Code, "ordonnance"),
	lawOf("Loi n° 2003-08 du 14 mars 2003 portant Code de la route", "Loi", "2003-08", "2003-03-14", "14 mars 2003", "cg", "congolaise", law.Code, "loi"),
	lawOf("Décret n° 2000-190/PRES/PM du 17 mai 2000 portant organisation des foires", "Décret", "2000-190/PRES/PM", "2000-05-17", "17 mai 2000", "bf", "burkinabè", law.Decret, "décret"),
	lawOf("Décret exécutif n° 07-140 du 19 mai 2007 portant création d'établissements de santé", "Décret exécutif", "07-140", "2007-05-19", "19 mai 2007", "dz", "algérien", law.Decret, "décret exécutif"),
	lawOf("Décret n° 2014-611 du 24 juillet 2014 fixant les tarifs de l'eau", "Décret", "2014-611", "2014-07-24", "24 juillet 2014", "ml", "malien", law.Decret, "décret"),
	lawOf("Arrêté n° 2024-015/MF du 2 avril 2024 fixant les droits de timbre", "Arrêté", "2024-015/MF", "2024-04-02", "2 avril 2024", "tg", "togolais", law.Arrete, "arrêté"),
	lawOf("Arrêté ministériel n° 2019-33 du 9 septembre 2019 relatif aux carrières", "Arrêté ministériel", "2019-33", "2019-09-09", "9 septembre 2019", "ga", "gabonais", law.Arrete, "arrêté"),
	lawOf("Circulaire n° 2022-07 du 11 octobre 2022 relative aux visas", "Circulaire", "2022-07", "2022-10-11", "11 octobre 2022", "lu", "luxembourgeoise", law.Circulaire, "circulaire"),
	{title: "Acte uniforme relatif au droit de l'arbitrage", day: "2017-11-23", country: "ohada", kind: law.Loi, ways: []string{"article %s de l'acte uniforme relatif au droit de l'arbitrage", "article %s AUA", "AUA, art. %s", "art. %s de l'AUA",
		"l'article %s de l’acte uniforme sur le droit de l'arbitrage", "l'article %s de l'acte uniforme de l'OHADA relatif au droit de l’arbitrage"}},
}

// codeOf returns a code with the ways to call it: its country is named as an adjective, with a preposition or alone.
func codeOf(title, number, day, country, name, adjective, of, alone string) asCalled {
	c := asCalled{title: title, number: number, day: day, country: country, kind: law.Code, nature: "Loi"}
	first, _, _ := strings.Cut(name, ",")
	n := "code " + name
	c.ways = []string{"l'article %s du " + n + " " + of, "l’article %s du " + n + " " + adjective, "article %s " + n + " " + alone, "art. %s " + n + " " + of, "art %s du " + n + " " + adjective,
		"le " + n + " " + of + ", article %s", "Le " + strings.ToUpper(n[:1]) + n[1:] + " " + adjective + " article %s", n + " " + of + " art. %s", strings.ToUpper(n) + " " + strings.ToUpper(alone) + " ARTICLE %s",
		"article %s (" + n + " " + adjective + ")", "l'article %s de ce " + n + " " + of, "articles %s du " + n + " " + of, "article %s dans le " + n + " " + adjective}
	if first == name && !strings.Contains(name, " et ") {
		c.ways = append(c.ways, "l'article %s du code "+adjective+" "+name)
	}
	if number != "" { // by number and by name
		c.ways = append(c.ways, "article %s loi "+number+" "+n, "article %s de la loi n° "+number+" "+n+" "+of, "article %s du "+n+" (loi n° "+number+")", "article %s "+n+", loi "+number, "article %s "+n+" "+alone+" loi "+number)
	}
	return c
}

func constitutionOf(title, day, country, adjective, of, alone string) asCalled {
	return asCalled{title: title, nature: "Constitution", day: day, country: country, kind: law.Constitution, ways: []string{"l'article %s de la constitution " + of, "l’article %s de la Constitution " + adjective,
		"article %s constitution " + alone, "constitution " + of + " art %s", "art. %s de la constitution " + adjective, "CONSTITUTION " + strings.ToUpper(alone) + ", article %s"}}
}

// lawOf returns a text that is called by its number or its day.
func lawOf(title, nature, number, day, written, country, adjective string, kind law.DocType, word string) asCalled {
	c := asCalled{title: title, nature: nature, number: number, day: day, country: country, kind: kind}
	preposition := map[bool]string{true: "de l'", false: "du "}[strings.HasPrefix(word, "a") || strings.HasPrefix(word, "o")]
	if strings.HasPrefix(word, "loi") || strings.HasPrefix(word, "circ") {
		preposition = "de la "
	}
	short, _, _ := strings.Cut(number, "/P")
	spaced := strings.Replace(short, "-", " - ", 1)
	c.ways = []string{"l'article %s " + preposition + word + " n° " + number, "article %s " + word + " " + short, "art. %s " + preposition + word + " n°" + number + " du " + written, word + " numéro " + short + " article %s",
		"l'article %s " + preposition + word + " № " + short, word + " N° " + spaced + ", article %s", "l’article %s " + preposition + word + " du " + written, "article %s " + word + " no " + short,
		"l'article %s " + preposition + word + " n° " + short + " du " + written, strings.ToUpper(word) + " N°" + number + " ART %s", "l’article %s " + preposition + word + " " + adjective + " n° " + short}
	if strings.Contains(short, "-") && !strings.Contains(short, "/") {
		c.ways = append(c.ways, word+" n "+strings.Replace(short, "-", " ", 1)+" article %s")
	}
	return c
}

// articlesAs are the ways to write the number of an article, with the number as the service writes it.
var articlesAs = [][2]string{{"36", "36"}, {"1er", "1er"}, {"premier", "1er"}, {"26 bis", "26 bis"}, {"26-bis", "26 bis"}, {"26bis", "26 bis"}, {"26 (bis)", "26 bis"}, {"52-ter", "52 ter"}, {"L. 143", "L. 143"}, {"L.143", "L. 143"}, {"L143", "L. 143"}, {"706-32", "706-32"}, {"IV", "IV"}}

// What people write before and behind a reference.
var (
	before = []string{"", "Que dit ", "Bonjour, que dit ", "je cherche ", "Donne-moi ", "peux-tu me lire ", "que prévoit ", "Selon ", "C'est quoi ", "svp "}
	behind = []string{"", " ?", " s'il te plaît", " stp", " svp ?", " exactement ?", " merci d'avance", " concernant la durée ?", " pdf", " quant aux apprentis ?", " dit quoi ?", " pour mon mémoire",
		" et combien de jours ?", " est-il applicable à mon patron ?", " précisément", " complet", " actuel", " : mon employeur refuse de payer", " commentaire", " par rapport au préavis ?"}
)

// Each way to name a text and an article, with what people write around it, is that article of that text.
func TestWaysToNameTexts(t *testing.T) {
	t.Parallel()
	var texts []postgres.NamedText
	for i, c := range waysCatalogue {
		k := known(c.title, c.kind, c.number, c.day, "")
		k.Document.ID, k.Document.Nature, k.Countries = uuid.UUID{byte(i + 1)}, c.nature, []string{c.country}
		texts = append(texts, k.NamedText)
	}
	source := InMemory(texts)
	r := rand.New(rand.NewPCG(7, 0))
	total, wrong := 0, 0
	for i, c := range waysCatalogue {
		for _, way := range c.ways {
			for range 6 {
				number := articlesAs[r.IntN(len(articlesAs))]
				if strings.HasPrefix(way, "articles ") && strings.Contains(number[0], "-") { // a range
					number = articlesAs[0]
				}
				asked := before[r.IntN(len(before))] + fmt.Sprintf(way, number[0]) + behind[r.IntN(len(behind))]
				total++
				q := question.Read(asked, question.Conversation{})
				mentions, err := NewLookup(source).Resolve(t.Context(), Question{Asked: &q})
				if err != nil {
					t.Fatal(err)
				}
				if len(mentions) == 1 && len(mentions[0].Texts) == 1 && mentions[0].Texts[0].Document.ID == texts[i].Document.ID && len(mentions[0].Articles) == 1 && law.ArticleKey(mentions[0].Articles[0]) == law.ArticleKey(number[1]) {
					continue
				}
				if wrong++; wrong <= 40 {
					t.Logf("%q: %s", asked, shownMentions(mentions))
				}
			}
		}
	}
	if 1000*wrong > 5*total {
		t.Errorf("%d of %d wrong", wrong, total)
	}
}

func shownMentions(mentions []Mention) string {
	var out []string
	for _, m := range mentions {
		one := fmt.Sprintf("%v@%s|%s|%s", m.Articles, m.Number, m.Title, m.Phrase)
		for _, x := range m.Texts {
			one += " [" + law.Clip(x.Document.Title, 40) + " " + strings.Join(x.Countries, ",") + "]"
		}
		out = append(out, one)
	}
	return strings.Join(out, " ; ")
}
