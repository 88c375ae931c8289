package segment_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// summed returns what the catalogue would list about each text of an issue.
func summed(issue gazette.Issue) string {
	var b strings.Builder
	for _, x := range issue.Texts {
		d := x.Document
		fmt.Fprintf(&b, "%s %s %s | %s | %s", d.Type, d.OfficialNumber, day(d.Promulgated), d.Title, numbers(x))
		if len(x.Doubts) > 0 {
			fmt.Fprintf(&b, " | ? %s", strings.Join(fields(x.Doubts), " "))
		}
		for _, r := range x.Relations {
			fmt.Fprintf(&b, " | %s %s%s %s", r.Kind, r.TargetNumber, r.TargetTitle, strings.Join(r.TargetArticles, ","))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestGazettesOfManyCountries cuts pages in the forms of several countries' gazettes: how texts are headed,
// promulgated, numbered and signed.
func TestGazettesOfManyCountries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"a law with its formula, of Tunisia", `
                Loi n° 2016-49 du 11 juillet 2016, portant approbation
                de l'accord de crédit (1).

  Au nom du peuple,
  L'assemblée des représentants du peuple ayant adopté,
  Le Président de la République promulgue la loi dont la teneur suit :

  Article unique - Est approuvé l'accord de crédit, annexé à la
présente loi et conclu à Tunis, le 30 mars 2016, pour le centre.
  La présente loi sera publiée au Journal officiel de la
République Tunisienne et exécutée comme loi de l'Etat.
  Tunis, le 11 juillet 2016.

                          Le Président de la République
                               Mohamed BEJI CAID ESSEBSI
`, "loi 2016-49 2016-07-11 | Loi n° 2016-49 du 11 juillet 2016 portant approbation de l'accord de crédit | unique\n"},
		{"a decree with its visas, of Burkina Faso", `
     DECRET N°2014-611/PRES/PM/MEF du 24 juillet 2014. JO N°42 DE 2014

  LE PRESIDENT DU FASO,
  PRESIDENT DU CONSEIL DES MINISTRES

  VU la Constitution ;
  VU le décret n°2012-1038/PRES du 31 décembre 2012 portant nomination ;
  Sur rapport du Ministre de l'Economie et des Finances ;

                          D E C R E T E

  TITRE I : DES DISPOSITIONS GENERALES

  Article 1: Le présent décret fixe le statut général des salines de
l'Etat conformément à la loi n°010-2013/AN du 30 avril 2013.
  Article 2: La saline est un établissement de l'Etat.
  Article 3: Sont abrogées toutes dispositions antérieures contraires,
notamment celles du décret n° 96-377/PRES/PM/MCIA du 29 octobre 1996.
`, "decret 2014-611/PRES/PM/MEF 2014-07-24 | Décret n° 2014-611/PRES/PM/MEF du 24 juillet 2014 | 1er 2 3 | abroge 96-377/PRES/PM/MCIA \n"},
		{"a dahir, the law, and its code, of Morocco", `
          Dahir n° 1-03-194 du 14 rejeb 1424 (11 septembre 2003)
          portant promulgation de la loi n° 65-99 relative au
          Code du sel.

  LOUANGE A DIEU SEUL !
  Que l'on sache par les présentes que Notre Majesté Chérifienne,
  Vu la Constitution, notamment ses articles 26 et 58,
  A décidé ce qui suit :
  Est promulguée et sera publiée au Bulletin officiel la loi n° 65-99.

                          Code du sel

                         LIVRE PREMIER
                    Des sels gris et des sels fins

                           Article 1
  Le sel gris est gris.
                           Article 2
  Le sel fin est fin.
`, "code 65-99 2003-09-11 | Loi n° 65-99 du 11 septembre 2003 relative au Code du sel | 1er 2\n"},
		{"two laws side by side in number, of Cameroon", `
    LOI N° 96/06 DU 18 JANVIER 1996 portant révision de la constitution

  L'Assemblée Nationale a délibéré et adopté, le Président de la
République promulgue la loi dont la teneur suit :

                            TITRE I
                        DE L'ETAT ET DU SEL

  Article Premier. - (1) La République est une.
  (2) Elle est salée.
  Article 2. - (1) Le sel est libre.
                                             Yaoundé, le 18 janvier 1996
`, "constitution 96/06 1996-01-18 | Loi n° 96/06 du 18 janvier 1996 portant révision de la constitution | 1er 2\n"},
		{"a law that amends, of Senegal", `
   LOI n° 2020-05 du 10 janvier 2020 modifiant la loi n° 65-60 du 21
   juillet 1965 portant Code pénal.

  EXPOSE DES MOTIFS

  La répression du vol de sel est renforcée.
  L'Assemblée nationale a adopté, en sa séance du lundi 30 décembre 2019 ;
  Le Président de la République promulgue la loi dont la teneur suit :

  Article premier. - Les articles 319 et 320 du Code pénal sont
abrogés et remplacés par les dispositions suivantes :
  « Article 319. - Le vol de sel est puni d'un emprisonnement.
  « Article 320. - Le recel de sel l'est aussi. »
  Art. 2. - Il est ajouté un article 320 ter au Code pénal ainsi rédigé :
  « Article 320 ter. - La tentative est punie comme le vol. »
  La présente loi sera exécutée comme loi de l'Etat.
  Fait à Dakar, le 10 janvier 2020.
`, "loi 2020-05 2020-01-10 | Loi n° 2020-05 du 10 janvier 2020 modifiant la loi n° 65-60 du 21 juillet 1965 portant Code pénal | 1er 2 | modifie code pénal 319,320 | modifie code pénal 320 ter\n"},
		{"an order of a governor", `
           CIRCULAIRE AUX BANQUES N° 2021-05 DU 19 AOUT 2021

  Objet : Cadre de gouvernance des banques.

  Le Gouverneur de la Banque centrale,
  Vu la loi n° 2016-35 du 25 avril 2016 portant statut de la banque ;
  Décide :

  Article premier : La présente circulaire définit le cadre de
gouvernance des banques de la place.
  Article 2 : Elle abroge et remplace la circulaire n° 2011-06.
  Article 3 : La présente circulaire abroge la circulaire n° 2006-06.
`, "circulaire 2021-05 2021-08-19 | Circulaire aux banques n° 2021-05 du 19 août 2021 : Cadre de gouvernance des banques | 1er 2 3 | abroge 2011-06  | abroge 2006-06 \n"},
		{"a law without a day", `
                LOI N° 72-03 FIXANT LE PRIX DU SEL

  L'Assemblée a délibéré et adopté ;

  Article 1er : Le prix du sel est fixé par décret.
  Article 2 : Le sel est vendu au marché.
`, "loi 72-03 0001-01-01 | Loi n° 72-03 fixant le prix du sel | 1er 2 | ? date_promulgation\n"},
	} {
		got := summed(segment.Split(typed(c.page), gazette.Hints{Filename: "x.pdf"}))
		if got != c.want {
			t.Errorf("%s:\n got %swant %s", c.name, got, c.want)
		}
	}
}

// TestIssueOfActsWithoutTitles checks appointments that a gazette prints without titles, one after another under
// a rubric.
func TestIssueOfActsWithoutTitles(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed(`
                        JOURNAL OFFICIEL DE LA REPUBLIQUE
  67e ANNEE - N° 26                                   Jeudi 26 juin 2025

                    MINISTERE DE L'ECONOMIE FORESTIERE

                           Actes en abrégé

                             NOMINATION

  Décret n° 2025-226 du 11 juin 2025. M. PERSONNE (Éric), ingénieur des
eaux et forêts, est nommé directeur du service national du sel.
  L'intéressé percevra les indemnités prévues par les textes en vigueur.
  Décret n° 2025-227 du 11 juin 2025. Sont nommés directeurs :
  - à la Bouenza : M. QUELQU'UN (Annick) ;
  - à Villebourg : Mme AUTRE (Huguette).
  Le présent décret prend effet à compter du 1er juillet 2025.

                       PARTIE NON OFFICIELLE

  Récépissé n° 147 du 3 mai 2025. Déclaration de l'association du sel.
`), gazette.Hints{})
	want := "decret 2025-226 2025-06-11 | Décret n° 2025-226 du 11 juin 2025 | \n" +
		"decret 2025-227 2025-06-11 | Décret n° 2025-227 du 11 juin 2025 | \n"
	if s := summed(got); s != want || got.Number != "26" || got.Date == nil || day(*got.Date) != "2025-06-26" {
		t.Errorf("issue %s of %v:\n got %swant %s", got.Number, got.Date, s, want)
	}
	for _, x := range got.Texts {
		for _, a := range x.Articles {
			if strings.Contains(a.Text, "Récépissé") || strings.Contains(a.Text, "NOMINATION") {
				t.Errorf("%s holds what is the gazette's: %q", x.Document.OfficialNumber, a.Text)
			}
		}
	}
	if n := len(got.Texts); n == 2 {
		same(t, "in force", day(got.Texts[1].Document.EntersInForce), "2025-07-01")
	}
}
