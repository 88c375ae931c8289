package amend_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law/amend"
)

// The orders below are forms that gazettes print, each with what it says: kind, article, places, words and wording. Those
// that only a person can apply are noticed.
func TestPrintedForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, act string
		want       []string
	}{
		{act: "Sont abrogées toutes dispositions antérieures contraires, en particulier celles des articles 5 et 6 de la loi n° 65-60 du 21 juillet 1965.", want: []string{"repeal_article 5", "repeal_article 6"}},
		{act: "Est et demeure rapporté l'arrêté n° 12 du 22 mai 1935.", want: []string{"repeal_text"}},
		{act: "Sont abrogés : la loi n° 65-60 du 21 juillet 1965, le décret n° 66-10 du 5 mai 1966 et l'arrêté n° 7 du 3 juin 1970.", want: []string{"repeal_text", "repeal_text", "repeal_text"}},
		{act: "Le présent décret, qui abroge et remplace le décret n° 66-10 du 5 mai 1966, sera publié au Journal officiel.", want: []string{"repeal_text"}},
		{act: "L'article 5 de la loi n° 65-60 du 21 juillet 1965 est rectifié comme suit :\nAu lieu de :\n« le maire »\nLire :\n« le préfet »", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "L'article 5 de la loi n° 65-60 du 21 juillet 1965 est rectifié comme suit :\nAu lieu de : « le maire »\nLire : « le préfet »", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{
			title: "Rectificatif au règlement grand-ducal du 3 août 1990", act: "Au Mémorial A — No 38 du 16 août 1990, à la page 522, il y a lieu de lire à l'article 1er, 1er tiret : « est demandé » au lieu de « est demandée ».",
			want: []string{"replace_words 1er [-1] « est demandée » → est demandé"},
		},
		{act: "Article 5 du code des registres : Ajouter in fine : « et le juge ».", want: []string{"insert_words 5 → et le juge"}},
		{act: "À l'article 5 du code des registres, supprimer les mots « le maire ».", want: []string{"delete_words 5 « le maire »"}},
		{act: "À l'article 5 du code des registres, ajouter un alinéa 3 ainsi conçu :\n« Le juge le lit. »", want: []string{"insert_place 5 → Le juge le lit."}},
		{act: "À l'article 5 du code des registres, remplacer les mots « le maire » par les mots « le préfet ».", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "Les articles 9, 212 (du 2e alinéa jusqu'au 4e) et 429 du code des registres sont abrogés.", want: []string{"repeal_article 9", "delete_place 212 [al2] [al3] [al4]", "repeal_article 429"}},
		{act: "L'article 556, 5°, du code des registres est abrogé.", want: []string{"delete_place 556 [5°]"}},
		{act: "L´article 556,5° du code des registres est abrogé.", want: []string{"delete_place 556 [5°]"}},
		{
			act:  "Les articles 3 et 4 du Traité relatif aux registres, signé à Port-Louis, le 17 octobre 1993 sont modifiés et complétés ainsi qu'il suit :\n« Article 3 : Un.\nArticle 4 : Deux. »",
			want: []string{"replace_article 3 → Un.", "replace_article 4 → Deux."},
		},
		{
			act:  "Il est ajouté au code des registres un chapitre III bis intitulé « Des livres » comportant les articles 12 bis à 12 ter ainsi rédigés :\n« Chapitre III bis. - Des livres\nArt. 12 bis. - Un.\nArt. 12 ter. - Deux. »",
			want: []string{"insert_division → Des livres", "insert_article 12 bis → Un.", "insert_article 12 ter → Deux."},
		},
		{
			act:  "Le chapitre III du code des registres, comportant les articles 12 à 14, est remplacé par les dispositions suivantes :\n« Chapitre III. - Des livres\nSection I.- Des grands\nArt. 12. - Un.\nSection II.- Des petits\nArt. 13. - Deux. »",
			want: []string{"insert_article 12 → Un.", "insert_article 13 → Deux.", "replace_heading → Des livres", "repeal_article"},
		},
		{act: "L'article 453 du code des registres est modifié ainsi qu'il suit :\n« Article 453 (2ème alinéa nouveau). - Le maire signe. »", want: []string{"replace_place 453 [al2] → Le maire signe."}},
		{act: "À l'article 5, § 2. du code des registres, les mots « le maire » sont supprimés.", want: []string{"delete_words 5 [2] « le maire »"}},
		{act: "À l'article 5, alinéa (5) du paragraphe 16, du code des registres, les mots « le maire » sont supprimés.", want: []string{"delete_words 5 [16 al5] « le maire »"}},
		{
			act:  "À l'article 5 (deux fois), à l'article 6 (trois fois) et à l'article 7 du code des registres, le mot « maire » est supprimé.",
			want: []string{"delete_words 5 « maire » ×2", "delete_words 6 « maire » ×3", "delete_words 7 « maire »"},
		},
		{
			act:  "Au premier alinéa de l'article 5 et, deux fois, au premier alinéa de l'article 6 du code des registres, le mot « maire » est supprimé.",
			want: []string{"delete_words 5 [al1] « maire »", "delete_words 6 [al1] « maire » ×2"},
		},
		{act: "1° L'article L. 12 du code des registres est abrogé ;\n2° Le même article L. 13 est abrogé ;", want: []string{"repeal_article L. 12", "repeal_article L. 13"}},
		{act: "Le titre de la loi n° 65-60 du 21 juillet 1965 est remplacé par le titre suivant : « Loi sur les livres ».", want: []string{"replace_heading → Loi sur les livres"}},
		{act: "L'annexe I du décret n° 66-10 du 5 mai 1966 est remplacée par l'annexe jointe au présent décret.", want: []string{"unread"}},
		{act: "Le tableau figurant à l'article 5 du décret n° 66-10 du 5 mai 1966 est remplacé par le tableau suivant :\nGrade Indice\nA 100", want: []string{"unread 5"}},
		{act: "Le 1 er alinéa de l'article 5 du code des registres est supprimé.", want: []string{"delete_place 5 [al1]"}},
		{act: "L'article 190, alinéa ler, du code des registres est supprimé.", want: []string{"delete_place 190 [al1]"}},
		{act: "Le 2° alinéa de l'article 5 du code des registres est supprimé.", want: []string{"delete_place 5 [al2]"}},
		{act: "L'article 5 - al. 2 du code des registres est abrogé.", want: []string{"delete_place 5 [al2]"}},
		{act: "Le 1er et le 3ème alinéas de l'article 5 du code des registres sont abrogés.", want: []string{"delete_place 5 [al1] [al3]"}},
		{act: "L'article 5, alinéas 1er et 2e, du code des registres est abrogé.", want: []string{"delete_place 5 [al1] [al2]"}},
		{act: "L'article 5 nouveau du code des registres est abrogé.", want: []string{"repeal_article 5"}},
		{act: "Le premier alinéa de l'article 5 du code des registres se lit désormais comme suit : « Le maire signe. »", want: []string{"replace_place 5 [al1] → Le maire signe."}},
		{act: "L'article 5 du code des registres est modifié et se lit comme suit : « Le maire signe. »", want: []string{"replace_article 5 → Le maire signe."}},
		{act: "À l'article 5 du code des registres, remplacer « le maire » par « le juge ».", want: []string{"replace_words 5 « le maire » → le juge"}},
		{act: "L'article 5 du code des registres est modifié ainsi qu'il suit : l'alinéa 2 est supprimé.", want: []string{"delete_place 5 [al2]"}},
		{act: "L'article 5 du code des registres est complété in fine par la phrase suivante : « Le maire signe. »", want: []string{"insert_place 5 → Le maire signe."}},
		{act: "Les articles 14 et 15 de la loi n° 65-60 sont et demeurent abrogés.", want: []string{"repeal_article 14", "repeal_article 15"}},
		{act: "Les articles 3 et 4 du code des registres sont remplacés par les dispositions suivantes : « Article 3 nouveau : Un. Article 4 nouveau : Deux. »", want: []string{"replace_article 3 → Un.", "replace_article 4 → Deux."}},
		{act: "Les articles 3, 15 et 41 du code des registres sont modifiés ainsi qu'il suit :\nArticle 3 Le maire signe.\nArticle 15 : (nouveau) Un.\nArticle 41-nouveau : Deux.", want: []string{"replace_article 3 → Le maire signe.", "replace_article 15 → Un.", "replace_article 41 → Deux."}},
		{act: "La loi n° 65-60 du 21 juillet 1965 est modifiée et complétée ainsi qu'il suit :\nArticle 3 nouveau : Un.\nArticle 7 bis : Deux.", want: []string{"replace_article 3 → Un.", "insert_article 7 bis → Deux."}},
		{act: "Les articles 4 et 9 de la loi n° 65-60 du 21 juillet 1965 sont modifiés comme suit :\nArticle 4 nouveau : Un.\nArticle 9 alinéas 2 et 3 nouveaux : Deux.\nTrois.", want: []string{"replace_article 4 → Un.", "replace_place 9 [al2] [al3] → Deux. | Trois."}},
		{act: "Il est créé dans le code des registres un chapitre III intitulé « Des livres » comprenant les articles 30 et 31 ainsi rédigés :\nChapitre III : Des livres\nArticle 30 : Un.\nArticle 31 : Deux.", want: []string{"insert_division → Des livres", "insert_article 30 → Un.", "insert_article 31 → Deux."}},
		{act: "L'article 12a du code des registres est abrogé.", want: []string{"repeal_article 12a"}},
		{act: "L'article 5 de la loi n° 65-60 du 21 juillet 1965 est abrogé. Les articles 8 et 9 de la loi précitée n° 65-60 sont abrogés.", want: []string{"repeal_article 5", "repeal_article 8", "repeal_article 9"}},
		{act: "L'article 5, paragraphe premier, du code des registres est abrogé.", want: []string{"delete_place 5 [al1]"}},
		{act: "Il est ajouté à l'article 9 du code des registres un deuxième paragraphe ainsi libellé :\nLe greffe lit.", want: []string{"insert_place 9 → Le greffe lit."}},
		{act: "Au paragraphe 2, alinéa 3, de l'article 6 du code des registres, les termes « deux ans » sont remplacés par ceux de « trois ans ».", want: []string{"replace_words 6 [2 al3] « deux ans » → trois ans"}},
		{act: "L'alinéa final de l'article 6 du code des registres est supprimé.", want: []string{"delete_place 6 [al-1]"}},
		{act: "Les articles 3 et 4 du Traité relatif aux registres signé à Port-Louis le 17 octobre 1993 sont modifiés comme suit :\n« Article 3 : Un.\nArticle 4 : Deux. »", want: []string{"replace_article 3 → Un.", "replace_article 4 → Deux."}},
		{act: "Les articles 3 (2e alinéa) et 5 du code des registres sont modifiés ainsi qu'il suit :\n« Article 3 (2e alinéa). - Un.\n« (La suite sans modification.)\n« Article 5. - Deux. »", want: []string{"replace_place 3 [al2] → Un.", "replace_article 5 → Deux."}},
		{act: "Les articles 1 et 6 de la loi n° 65-60 du 21 juillet 1965 ci-dessus visée sont modifiés ainsi qu'il suit : Au lieu de :\nArticle 1 : Un.\nArticle 6 : Deux.\nLire :\nArticle 1 : Trois.\nArticle 6 : Quatre.\nCinq.\nLe reste sans changement.", want: []string{"replace_article 1er → Trois.", "replace_article 6 → Quatre. | Cinq."}},
		{
			act:  "L'article 5 du code des registres est ainsi modifié :\n1° (Supprimé)\n2° Après le mot : « juge », sont insérés les mots : « ou le maire » ;\n3° Il est ajouté un alinéa ainsi rédigé :\n« Le greffe lit. »",
			want: []string{"insert_words 5 « juge » → ou le maire", "insert_place 5 → Le greffe lit."},
		},
		{act: "1'article 5 du code des registres est abrogé.", want: []string{"repeal_article 5"}},
		{act: "Ies arts. 5 et 6 du code des registres sont abroges.", want: []string{"repeal_article 5", "repeal_article 6"}},
		{act: "Au 2e alinea de I'article 5 du code des registres, Ies mots « le maire » sont remplaces par Ies mots « le juge ».", want: []string{"replace_words 5 [al2] « le maire » → le juge"}},
		{act: "L 'article 5 du code des registres est modifie ainsi qu'ilsuit : « Le maire signe. »", want: []string{"replace_article 5 → Le maire signe."}},
		{act: "Article 5 du code des registres est abrogé.", want: []string{"repeal_article 5"}},
		{act: "Le deuxième alinéa (nouveau) de l'article 5 du code des registres est supprimé.", want: []string{"delete_place 5 [al2]"}},
		{act: "L'article 5 alinéa 2 dernière phrase du code des registres est supprimé.", want: []string{"delete_place 5 [al2 -1]"}},
		{act: "Les articles 5, 7 et 9 du code des registres sont remplacés par les dispositions ci-après :\nArticle 5 nouveau Le maire signe.\nArticle 7 nouveau 1. Le juge signe.\n2. Le greffe garde.\nArticle 9 : alinéa 2 nouveau Le greffe lit.", want: []string{"replace_article 5 → Le maire signe.", "replace_article 7 → 1. Le juge signe. | 2. Le greffe garde.", "replace_place 9 [al2] → Le greffe lit."}},
		{act: "L'article 12 du code des registres est modifié comme suit : Au lieu de : « deux ans »\nLire : « trois ans »", want: []string{"replace_words 12 « deux ans » → trois ans"}},
		{title: "Décret n° 2000-5 du 3 mai 2000 abrogeant le décret n° 66-10 du 5 mai 1966", act: "Le Président de la République décrète :", want: []string{"unread"}},
		{title: "Loi n° 2000-5 du 3 mai 2000 portant ratification de l'ordonnance n° 5 modifiant la loi n° 65-60", act: "L'ordonnance n° 5 est ratifiée.", want: nil},
		{act: "Dans l'ensemble du texte du code des registres, le terme « maire » est à remplacer par le terme « préfet ».", want: []string{"replace_words « maire » → préfet"}},
		{act: "L'article 5 du code des registres est rétabli dans la teneur suivante :\n« Art. 5. Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "Un article 5 bis, rédigé comme suit, est inséré dans le code des registres :\n« Art. 5 bis. Un. »", want: []string{"insert_article 5 bis → Un."}},
		{act: "L'article 5 du code des registres est complété comme suit :\n1) Au point 1, entre les alinéas 2 et 3 est intercalé l'alinéa suivant :\n« Un. »\n2) Il est ajouté un point 7 suivant :\n« 7. Deux. »", want: []string{"insert_place 5 [1 al2] → Un.", "insert_place 5 → 7. Deux."}},
		{act: "Le code des registres est modifié comme suit :\n1° Article 9. • Le second alinéa de l'article 9 est remplacé par l'alinéa ci-après :\n« Un. »\n2° Article 14. - Les mots « a b » sont remplacés par les mots « c d ».", want: []string{"replace_place 9 [al2] → Un.", "replace_words 14 « a b » → c d"}},
		{act: "L'article 5 du code des registres est remplacé par la nouvelle rédaction suivante :\n« Article 5 : Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "L'article 5 du code des registres reçoit la nouvelle rédaction suivante :\n« Article 5 : Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "L'article 5 du code des registres est abrogé et remplacé par les dispositions nouvelles suivantes :\n« Article 5 : Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "Les dispositions de l'article 5 du code des registres sont abrogées et remplacées par les suivantes :\n« Article 5 : Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "Sont abrogés et remplacés par les dispositions qui suivent, les articles 5 et 6 du code des registres :\n« Article 5 : Un.\nArticle 6 : Deux. »", want: []string{"replace_article 5 → Un.", "replace_article 6 → Deux."}},
		{act: "Est abrogé le texte de l'article 5 du code des registres et remplacé par le texte suivant :\n« Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "L'article 5 du code des registres est à nouveau modifié comme suit :\n« Article 5 : Un. »", want: []string{"replace_article 5 → Un."}},
		{act: "Il est ajouté au code des registres un article 5 bis dont la teneur suit :\n« Article 5 bis - Un. »", want: []string{"insert_article 5 bis → Un."}},
		{act: "Il est créé au sein du code des registres un article 5 bis ainsi rédigé :\n« Article 5 bis - Un. »", want: []string{"insert_article 5 bis → Un."}},
		{act: "L'article 5 du code des registres est complété par les alinéas 3 et 4 ci-après :\n« Un.\nDeux. »", want: []string{"insert_place 5 → Un. | Deux."}},
		{act: "Il est ajouté un alinéa 3 à l'article 5 de la loi n° 65-60 du 21 juillet 1965 ainsi qu'il suit :\n« Un. »", want: []string{"insert_place 5 → Un."}},
		{act: "Aux mots « le maire » sont substitués les mots « le préfet » à l'article 5 du code des registres.", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "À l'article 5 du code des registres, il est substitué aux mots « le maire » les mots « le préfet ».", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "Dans l'article 5 du code des registres, le mot « préfet » est substitué au mot « maire ».", want: []string{"replace_words 5 « maire » → préfet"}},
		{act: "Dans tous les articles de la loi n° 65-60 du 21 juillet 1965 où il figure, le mot « préfet » remplace le mot « maire ».", want: []string{"replace_words « maire » → préfet"}},
		{act: "Dans toutes les dispositions du code des registres, l'expression « maire » est remplacée par l'expression « préfet ».", want: []string{"replace_words « maire » → préfet"}},
		{act: "Au premier paragraphe de l'article 5 de la loi n° 65-60 du 21 juillet 1965, entre les mots « le maire » et « le préfet », sont insérés les mots « le juge ».", want: []string{"insert_words 5 [al1] « le maire » → le juge"}},
		{act: "À l'article 5, § 2, b), du code des registres, les mots « le maire » sont supprimés.", want: []string{"delete_words 5 [2 b] « le maire »"}},
		{act: "À l'article 5, litera b, du code des registres, les mots « le maire » sont supprimés.", want: []string{"delete_words 5 [b] « le maire »"}},
		{act: "L'article 5 du code des registres est modifié en son alinéa 2 ainsi qu'il suit :\n« Un. »", want: []string{"replace_place 5 [al2] → Un."}},
		{act: "Le code des registres est modifié en ses articles 5 et 6 ainsi qu'il suit :\n« Article 5 : Un.\nArticle 6 : Deux. »", want: []string{"replace_article 5 → Un.", "replace_article 6 → Deux."}},
		{act: "Les dispositions des articles 3 alinéa 2 et 5 du code des registres sont modifiées comme suit :\n« Article 3 alinéa 2 nouveau : Un.\nArticle 5 nouveau : Deux. »", want: []string{"replace_place 3 [al2] → Un.", "replace_article 5 → Deux."}},
		{act: "Le deuxième alinéa de l'article 5 du code des registres est modifié comme suit :\n« Alinéa 2 nouveau : Un. »", want: []string{"replace_place 5 [al2] → Un."}},
		{act: "L'article 5 du code des registres est modifié en ce sens que les mots « le maire » sont remplacés par « le préfet ».", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "La loi n° 65-60 du 21 juillet 1965 est modifiée comme suit :\nArticle 3 : au lieu de : « maire », lire : « préfet ».\nArticle 5 :\nAu lieu de :\nLe juge lit.\nLire :\nLe cadi lit.", want: []string{"replace_words 3 « maire » → préfet", "replace_words 5 « Le juge lit. » → Le cadi lit."}},
		{act: "À l'article 5 de la loi n° 65-60 du 21 juillet 1965, lire : « le préfet » au lieu de : « le maire ».", want: []string{"replace_words 5 « le maire » → le préfet"}},
		{act: "Sont abrogées les dispositions de l'article 5 du décret n° 66-10 du 5 mai 1966, ainsi que celles de l'arrêté n° 12 du 22 mai 1935.", want: []string{"repeal_article 5", "repeal_text"}},
		{act: "Le décret n° 66-10 du 5 mai 1966 est abrogé en toutes ses dispositions.", want: []string{"repeal_text"}},
		{act: "Le présent arrêté annule et remplace l'arrêté n° 12 du 22 mai 1935.", want: []string{"repeal_text"}},
		{act: "L'article 5 du code des registres est modifié :\n1° par le remplacement, dans le premier alinéa, de « 30 jours » par « 60 jours » ;\n2° par la suppression, dans le deuxième alinéa, de « civils » ;\n3° par l'insertion, après le deuxième alinéa, du suivant :\n« Un. »", want: []string{"replace_words 5 [al1] « 30 jours » → 60 jours", "delete_words 5 [al2] « civils »", "insert_place 5 [al2] → Un."}},
		{act: "L'article 5 du code des registres est modifié par l'insertion, dans le premier alinéa et après « 30 jours », de « ouvrables ».", want: []string{"insert_words 5 [al1] « 30 jours » → ouvrables"}},
	} {
		act, o := parts(c.act, "Fin.")
		o.Title = c.title
		var got []string
		for _, op := range amend.Read(act, o) {
			got = append(got, said(op))
			if op.Kind != amend.Unread && op.Doubt != "" || op.Kind == amend.Unread && op.Doubt == "" {
				t.Errorf("%s\n%+v", c.act, op)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s\n got %q\nwant %q", c.title, c.act, got, c.want)
		}
	}
}

// said writes an operation as the forms above have it.
func said(op amend.Operation) string {
	s := strings.TrimSpace(string(op.Kind) + " " + op.Article)
	for _, p := range op.Places {
		var steps []string
		for _, step := range p {
			switch {
			case step.Level == amend.Alinea:
				steps = append(steps, fmt.Sprint("al", step.Index))
			case step.Index != 0:
				steps = append(steps, fmt.Sprint(step.Label, step.Index))
			default:
				steps = append(steps, step.Label)
			}
		}
		s += " [" + strings.Join(steps, " ") + "]"
	}
	if op.Words != "" {
		s += " « " + op.Words + " »"
	}
	if op.Times > 1 {
		s += fmt.Sprint(" ×", op.Times)
	}
	if len(op.New) > 0 {
		s += " → " + strings.Join(op.New, " | ")
	}
	return s
}

// TestInstructionsAreNoWording puts instructions without marks below one that announces a wording: none of them is law.
func TestInstructionsAreNoWording(t *testing.T) {
	t.Parallel()
	for _, lower := range []string{
		"Au dernier point de l'énumération sont ajoutés ou à l'Action locale.", "1. À la référence de l'article L.144-8, un espace est inséré entre L. et le numéro.", "1. la lettre i) telle qu'introduite par la loi devient la lettre k) ;",
		"1. les lettres l) et m) suivantes sont ajoutées : la commune.", "Entre les termes la décision et les termes et prend sont insérés les termes sans formalité.",
	} {
		act, o := parts("L'article 5 du code des registres est complété comme suit :\n"+lower, "Fin.")
		for _, op := range amend.Read(act, o) {
			if op.Doubt == "" {
				t.Errorf("%s\n%+v", lower, op)
			}
		}
	}
	for _, instruction := range []string{
		"L'article 5 du code des registres est complété par un point 9 de la teneur suivante :\nle greffe.\nArt. 2.\nLa loi entre en vigueur demain.",
		"Il est inséré au code des registres des articles 310 et 311 rédigés comme suit :\n« Art. 310.\nUn. »\n« Art. 311.\nDeux. »\n« Art. 4.\nLe Gouvernement déclare. »",
	} {
		act, o := parts(instruction, "Fin.")
		for _, op := range amend.Read(act, o) {
			if op.Doubt == "" {
				t.Errorf("%s\n%+v", instruction, op)
			}
		}
	}
}
