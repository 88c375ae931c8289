package amend_test

import (
	"strings"
	"testing"

	"vigueur/internal/law/amend"
)

// list is the text of an article with two levels of items.
const list = `I. - Le registre est tenu par :
1° Le greffier ;
2° Le juge, qui peut :
a) Ouvrir le registre ;
b) Le fermer.
II. - Le registre est public. Il est gratuit. Nul ne le ferme.
Un décret fixe les tarifs.`

// change applies the instructions of an act to article 5 of the code.
func change(t *testing.T, act, left string) amend.Result {
	t.Helper()
	var ops []amend.Operation
	for _, op := range amend.Read(act, amend.Options{Home: amend.Named("Code des registres")}) {
		if op.Concerns("5", nil) {
			ops = append(ops, op)
		}
	}
	if len(ops) == 0 {
		t.Fatalf("no operation on article 5 in:\n%s", act)
	}
	return amend.Apply(left, left != "", ops)
}

func TestInstructionsAreApplied(t *testing.T) {
	t.Parallel()
	plain := "Le maire tient le registre. Le registre est public.\nLe maire le signe."
	for name, c := range map[string]struct{ act, before, after string }{
		"words": {
			"À l'article 5 du code des registres, les mots : « le signe » sont remplacés par les mots : « le scelle ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le scelle.",
		},
		"words on a line of their own": {
			"À l'article 5 du code des registres, après les mots :\n« le signe », sont insérés les mots :\n« et le scelle ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le signe et le scelle.",
		},
		"words of a sentence": {
			"À la seconde phrase du premier alinéa de l'article 5, le mot : « registre » est remplacé par le mot : « livre ».",
			plain, "Le maire tient le registre. Le livre est public.\nLe maire le signe.",
		},
		"words at the end": {
			"À la fin du second alinéa de l'article 5 du même code, les mots : « le signe » sont remplacés par les mots : « le détruit ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le détruit.",
		},
		"both occurrences": {
			"Au premier alinéa de l'article 5, les deux occurrences du mot : « registre » sont remplacées par le mot : « livre ».",
			plain, "Le maire tient le livre. Le livre est public.\nLe maire le signe.",
		},
		"wherever they are": {
			"À l'article 5, les mots : « le maire » sont remplacés, partout où ils figurent, par les mots : « le préfet ».",
			plain, "le préfet tient le registre. Le registre est public.\nle préfet le signe.",
		},
		"two clauses": {
			"À la première phrase du premier alinéa de l'article 5, le mot : « maire » est remplacé par le mot : « préfet » et, à la seconde phrase, le mot : « public » est remplacé par le mot : « secret ».",
			plain, "Le préfet tient le registre. Le registre est secret.\nLe maire le signe.",
		},
		"places with an end and without": {
			"À la fin du second alinéa de l'article 5 et à l'article 6, les mots : « le signe » sont supprimés.",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire.",
		},
		"after a word": {
			"Au second alinéa de l'article 5, après le mot : « maire », sont insérés les mots : « ou le préfet ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire ou le préfet le signe.",
		},
		"the second occurrence": {
			"Au premier alinéa de l'article 5, après la seconde occurrence du mot : « registre », sont insérés les mots : « des noms ».",
			plain, "Le maire tient le registre. Le registre des noms est public.\nLe maire le signe.",
		},
		"the end of a place is deleted": {
			"Après le mot : « registre », la fin de la première phrase de l'article 5 est supprimée.",
			"Le maire tient le registre de la commune.", "Le maire tient le registre.",
		},
		"an item after the last one of a list": {
			"Après le 2° de l'article 5, il est inséré un 3° ainsi rédigé :\n« 3° Trois. »",
			"Sont tenus :\n1° Un ;\n2° Deux.\nN'est pas tenu :\na) Quatre ;\nb) Cinq.", "Sont tenus :\n1° Un ;\n2° Deux.\n3° Trois.\nN'est pas tenu :\na) Quatre ;\nb) Cinq.",
		},
		"words at the end of a sentence": {
			"La première phrase de l'article 5 est complétée par les mots : « des décès ».",
			plain, "Le maire tient le registre des décès. Le registre est public.\nLe maire le signe.",
		},
		"the tail of an alinea": {
			"Après le mot : « maire », la fin du second alinéa de l'article 5 est ainsi rédigée : « en répond. »",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire en répond.",
		},
		"a sentence": {
			"La seconde phrase du premier alinéa de l'article 5 est ainsi rédigée :\n« Nul ne le voit. »",
			plain, "Le maire tient le registre. Nul ne le voit.\nLe maire le signe.",
		},
		"a sentence is added": {
			"L'article 5 est ainsi modifié :\n1° Après la première phrase du premier alinéa, il est inséré une phrase ainsi rédigée : « Il le garde. » ;\n2° Le second alinéa est supprimé.",
			plain, "Le maire tient le registre. Il le garde. Le registre est public.",
		},
		"an alinea is added": {
			"Après le premier alinéa de l'article 5, sont insérés deux alinéas ainsi rédigés :\n« Un.\n« Deux. »",
			plain, "Le maire tient le registre. Le registre est public.\nUn.\nDeux.\nLe maire le signe.",
		},
		"the last alineas become one": {
			"Les deux derniers alinéas de l'article 5 sont remplacés par un alinéa ainsi rédigé :\n« Rien. »",
			plain, "Rien.",
		},
		"an item": {
			"Le 1° du I de l'article 5 est ainsi rédigé :\n« 1° Le maire ; »",
			list, strings.Replace(list, "Le greffier", "Le maire", 1),
		},
		"an item of an item": {
			"Au a du 2° du I de l'article 5, les mots : « le registre » sont remplacés par le mot : « tout ».",
			list, strings.Replace(list, "Ouvrir le registre", "Ouvrir tout", 1),
		},
		"an item is added in the middle": {
			"Après le 1° du I de l'article 5, il est inséré un 1° bis ainsi rédigé :\n« 1° bis Le maire ; »",
			list, strings.Replace(list, "2° Le juge", "1° bis Le maire ;\n2° Le juge", 1),
		},
		"an item is added at the end": {
			"Le I de l'article 5 est complété par un 3° ainsi rédigé :\n« 3° Le maire. »",
			list, strings.Replace(list, "II. -", "3° Le maire.\nII. -", 1),
		},
		"a part is added": {
			"L'article 5 est complété par un III et un IV ainsi rédigés :\n« III. - Trois.\n« IV. - Quatre. »",
			list, list + "\nIII. - Trois.\nIV. - Quatre.",
		},
		"an item is deleted": {
			"Le 1° du I de l'article 5 est abrogé.",
			list, strings.Replace(list, "1° Le greffier ;\n", "", 1),
		},
		"an item is renumbered": {
			"Au I de l'article 5, le 2° devient le 3°.",
			list, strings.Replace(list, "2° Le juge", "3° Le juge", 1),
		},
		"the last alinea of a part": {
			"Le dernier alinéa du II de l'article 5 est complété par une phrase ainsi rédigée : « Il est publié. »",
			list, list + " Il est publié.",
		},
		"all of it": {
			"L'article 5 du code des registres est ainsi rédigé :\n« Art. 5. - Le juge tient le registre.\n« Il le signe. »",
			plain, "Le juge tient le registre.\nIl le signe.",
		},
		"all of it, marked once": {
			"Art. 2. — L'article 5 du code des registres est modifié et reformulé comme suit :\n« Art. 5. — Le juge tient le registre « Alpha ».\nIl le signe. »\nArt. 3. — L'article 6 du même code est abrogé.",
			plain, "Le juge tient le registre « Alpha ».\nIl le signe.",
		},
		"without marks": {
			"Les articles 4 et 5 du code des registres sont modifiés et complétés ainsi qu'il suit :\nArticle 4 (nouveau)\nLe maire signe.\nArticle 5 (nouveau)\nLe juge tient le registre.\nArticle 2\nLe présent acte entre en vigueur le 1er mars 2024.",
			plain, "Le juge tient le registre.",
		},
		"in the paragraph of the instruction": {
			"Art. 1er. L'article 5 du code des registres prend la teneur suivante : Art. 5. Le juge tient le registre.",
			plain, "Le juge tient le registre.",
		},
		"are repealed and replaced": {
			"Sont abrogées les dispositions de l'article 5 du code des registres et remplacées par les dispositions suivantes :\n« Article 5 (nouveau) : Le juge tient le registre. »",
			plain, "Le juge tient le registre.",
		},
		"the terms": {
			"À l'article 5, alinéa 2, du code des registres, les termes « le signe » sont remplacés par les termes « le scelle ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le scelle.",
		},
		"an expression": {
			"L'expression « le signe » prévue à l'article 5 du code des registres est remplacée par l'expression « le scelle ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le scelle.",
		},
		"an alinea with its number": {
			"L'alinéa 2 de l'article 5 du code des registres est remplacé comme suit : « Le juge le signe. »",
			plain, "Le maire tient le registre. Le registre est public.\nLe juge le signe.",
		},
		"an addition first": {
			"Il est ajouté à l'article 5 du code des registres un alinéa 3 libellé comme suit :\n« Le juge le lit. »",
			plain, plain + "\nLe juge le lit.",
		},
		"an addition of the code": {
			"Est ajouté à l'article 5 du code des registres un troisième alinéa ainsi rédigé :\n« Le juge le lit. »",
			plain, plain + "\nLe juge le lit.",
		},
		"a new article": {
			"Il est inséré dans le code des registres, après l'article 4, un article 5 ainsi rédigé :\n« Art. 5. - Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"a new article after the name of a law": {
			"Il est inséré, après l'article 4 de la loi n° 2001-12 du 3 mai 2001 relative aux registres, un article 5 ainsi rédigé :\n« Art. 5. - Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"a new article of the code": {
			"Est ajouté au code des registres un article 5 ainsi libellé :\n« Article 5 : Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"a title with commas": {
			"Au premier alinéa de l'article 5 de la loi n° 85-704 du 12 juillet 1985 relative à la publicité, aux enseignes et à l'article, après le mot : « tient », sont insérés les mots : « et ferme ».",
			plain, "Le maire tient et ferme le registre. Le registre est public.\nLe maire le signe.",
		},
		"without marks, of a list": {
			"Article premier - Sont abrogées les dispositions des articles 4 et 5 du code des registres et remplacées par les dispositions suivantes :\nArticle 4 (nouveau) - Le maire signe.\nArticle 5 (nouveau) - Le juge tient le registre.\nArt. 2 - Le ministre est chargé de l'exécution.",
			plain, "Le juge tient le registre.",
		},
		"without marks, new": {
			"Art. 2 - Sont ajoutés au code des registres les articles 5 et 6 ainsi libellés :\nArticle 5 - Le juge tient le registre.\nArticle 6 - Le maire signe.\nArt. 3 - Le ministre est chargé de l'exécution.",
			"", "Le juge tient le registre.",
		},
		"modified and completed": {
			"Article 1er : Les dispositions des articles 4 et 5 de la loi n° 2001-12 du 3 mai 2001 portant code des registres sont modifiées, complétées et remplacées ainsi qu'il suit :\nArticle 4 nouveau : Le maire signe.\nArticle 5 nouveau : Le juge tient le registre.\nArticle 2 : La présente loi sera exécutée comme loi de l'État.",
			plain, "Le juge tient le registre.",
		},
		"an alinea, repealed and replaced": {
			"Est abrogé et remplacé l'alinéa 2 de l'article 5 du code des registres, ainsi qu'il suit :\n« Le juge le signe. »",
			plain, "Le maire tient le registre. Le registre est public.\nLe juge le signe.",
		},
		"a paragraph with its number": {
			"À l'article 5, paragraphe 2, du code des registres, le terme « public » est remplacé par le terme « secret ».",
			"(1) Le maire tient le registre.\n(2) Le registre est public.", "(1) Le maire tient le registre.\n(2) Le registre est secret.",
		},
		"a paragraph is added": {
			"Il est inséré à l'article 5 du code des registres un paragraphe 1bis libellé comme suit :\n« (1bis) Le juge le lit. »",
			"(1) Le maire tient le registre.\n(2) Le registre est public.", "(1) Le maire tient le registre.\n(1bis) Le juge le lit.\n(2) Le registre est public.",
		},
		"words that are mentioned": {
			"Sont supprimés les mots « le signe » mentionnés au second alinéa de l'article 5 du code des registres.",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire.",
		},
		"a new suffix": {
			"Il est ajouté un article 5 ainsi conçu :\n« Art. 5. — Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"one alinea without marks": {
			"Art. 3 - Est ajouté à l'article 5 du code des registres un alinéa ainsi libellé :\nLe juge le lit.\nArt. 4 - Le ministre est chargé de l'exécution.",
			plain, plain + "\nLe juge le lit.",
		},
		"changes are made": {
			"À l'article 5 du code des registres, sont apportées les modifications suivantes :\n1° Au premier alinéa, le bout de phrase « tient le registre » est supprimé ;\n2° Au second alinéa, les mots « le signe » sont remplacés par ceux de « le scelle ».",
			plain, "Le maire. Le registre est public.\nLe maire le scelle.",
		},
		"an article that takes its wording": {
			"À la suite de l'article 4 du code des registres, il est inséré un nouvel article 5 qui prend la teneur suivante : « Art. 5. Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"between two articles": {
			"Entre l'article 4 et l'article 6 de la loi modifiée du 3 mai 1990 concernant les registres, il est inséré un article 5 nouveau, libellé comme suit :\n« Art. 5. Le juge tient le registre. »",
			"", "Le juge tient le registre.",
		},
		"marks that open in the instruction": {
			"L'article 5 du code des registres est remplacé comme suit : « Art. 5. (1) Le juge tient le registre.\n(2) Le registre est secret. »\nArt. 2. L'article 6 du même code est abrogé.",
			plain, "(1) Le juge tient le registre.\n(2) Le registre est secret.",
		},
		"marks that open in the instruction and again": {
			"Le second alinéa de l'article 5 du code des registres est remplacé par deux alinéas ainsi rédigés : « Un.\n« Deux. »",
			plain, "Le maire tient le registre. Le registre est public.\nUn.\nDeux.",
		},
		"a part without marks": {
			"Article 2 - Sont abrogées les dispositions de l'article 4 et du paragraphe 2 de l'article 5 de la loi n° 66-27 du 30 avril 1966, portant promulgation du code des registres, et remplacées par les dispositions suivantes :\nArticle 4 (nouveau) - Le maire signe.\nArticle 5 (paragraphe 2 nouveau) : Le juge le signe.\nArt. 3 - Le ministre est chargé de l'exécution.",
			plain, "Le maire tient le registre. Le registre est public.\nLe juge le signe.",
		},
		"a paragraph of a wording in the paragraph": {
			"Art. 1er. L'article 5 du code des registres est remplacé comme suit : Art. 5. (1) Le juge tient le registre.\n(2) Il le signe.\nArt. 2. L'article 6 du même code est abrogé.",
			plain, "(1) Le juge tient le registre.\n(2) Il le signe.",
		},
		"the second paragraph": {
			"Au deuxième paragraphe de l'article 5 du code des registres, le mot « maire » est remplacé par le mot « juge ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe juge le signe.",
		},
		"numbers with blanks": {
			"Article premier - Sont abrogées les dispositions des articles 5 (nouveau) et 6 - 2 (nouveau) du code des registres et remplacées par les dispositions suivantes :\nArticle 5 (nouveau) : Le juge tient le registre.\nArticle 6 - 2 (nouveau) : Le maire signe.\nArt. 2 - Le ministre est chargé de l'exécution.",
			plain, "Le juge tient le registre.",
		},
		"parts in brackets": {
			"Sont modifiées, complétées et remplacées les articles 4 et 5 (2e alinéa) du code des registres, comme suit :\nArticle 4. – Le maire signe.\nArticle 5 (2e alinéa). – Le juge le signe.\nArticle 3\nLe ministre est chargé de l'exécution.",
			plain, "Le maire tient le registre. Le registre est public.\nLe juge le signe.",
		},
		"parts in a list": {
			"Sont abrogées les dispositions des articles 4, 5 alinéa 2 du code des registres.",
			plain, "Le maire tient le registre. Le registre est public.",
		},
		"completed by all of it": {
			"Art. 3. — Les dispositions de l'article 5 de l'arrêté du 22 Rabie Ethani 1433 correspondant au 15 mars 2012, susvisé, sont complétées comme suit :\n« Art. 5. — Le maire et le juge tiennent le registre ».",
			plain, "Le maire et le juge tiennent le registre",
		},
		"alineas in figures": {
			"Les 2 derniers alinéas de l'article 5 du code des registres sont modifiés ainsi qu'il suit :\n« Rien. »",
			plain, "Rien.",
		},
		"a chapter without marks": {
			"Art. 2 - Il est ajouté au titre II du code des registres, un chapitre premier bis ainsi libellé :\nChapitre premier bis\nDes juges\nArticle 5 - Le juge tient le registre.\nIl le signe.\nArticle 6 - Le maire signe.\nArt. 3 - Le ministre est chargé de l'exécution.",
			"", "Le juge tient le registre.\nIl le signe.",
		},
		"straight marks, once": {
			"Article 1er. — Il est ajouté un article 5 ainsi conçu :\n\"Art. 5. — Le juge tient le registre.\nIl le signe.\"\nArt. 2. — Rien d'autre n'est prévu.",
			"", "Le juge tient le registre.\nIl le signe.",
		},
		"a chapter is repealed and replaced, without marks": {
			"Art. premier - Sont abrogées les dispositions du chapitre II du livre premier du code des registres et remplacées par les dispositions suivantes :\nChapitre II\nDes juges\nArticle 5 (nouveau) - Le juge tient le registre.\nArticle 6 (nouveau) - Le maire signe.\nArt. 2 - Le ministre est chargé de l'exécution.",
			plain, "Le juge tient le registre.",
		},
		"modified and, or completed": {
			"Article 1er : Les dispositions des articles 4 et 5 du code des registres sont modifiées et/ou complétées ainsi qu'il suit :\nArticle 4 nouveau : Le maire signe.\nArticle 5 nouveau : Le juge tient le registre.\nArticle 2 : Fin.",
			plain, "Le juge tient le registre.",
		},
		"notes of an editor": {
			"Le deuxième alinéa de l'article 5 du code des registres est supprimé.",
			"Le maire tient le registre.\n(Loi du 3 mars 2009)\nIl le signe.\nIl le lit.", "Le maire tient le registre.\n(Loi du 3 mars 2009)\nIl le lit.",
		},
		"an article without its determiner": {
			"Art. 2 - Est ajouté au code des registres article 5 comme suit :\nArticle 5 - Le juge tient le registre.\nArt. 3 - Le ministre est chargé de l'exécution.",
			"", "Le juge tient le registre.",
		},
		"in all articles": {
			"Dans tous les articles du code des registres, les mots : « le signe » sont remplacés par les mots : « le scelle ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire le scelle.",
		},
		"a list of repeals": {
			"Sont supprimés :\n1° À l'article 5, les mots : « le signe » ;\n2° À l'article 6, les mots : « le lit ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe maire.",
		},
		"from a day on": {
			"À compter du 1er janvier 2011, au second alinéa de l'article 5, le mot : « maire » est remplacé par le mot : « préfet ».",
			plain, "Le maire tient le registre. Le registre est public.\nLe préfet le signe.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := change(t, c.act, c.before)
			if !r.Complete {
				t.Fatalf("not applied: %+v", r.Outcomes)
			}
			if r.Text != c.after {
				t.Errorf("got:\n%s\nwant:\n%s", r.Text, c.after)
			}
		})
	}
}
