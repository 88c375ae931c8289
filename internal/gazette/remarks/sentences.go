package remarks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// Sentence returns the French sentence of a remark, "" for None.
func (r Remark) Sentence() string {
	if r.aboutEdit() {
		return r.sentenceOfEdit()
	}
	switch r.Kind {
	// The title, the nature and the number of a text.
	case NoTitle:
		return "Aucun titre n’a été reconnu."
	case NoNature:
		return "La nature du texte n’a pas été reconnue."
	case NatureProposed:
		return fmt.Sprintf("« %s » : le type du catalogue est une proposition, à confirmer.", r.Words)
	case IsDraft:
		return "Le titre annonce un projet ou un guide, pas un texte promulgué."
	case IsJudgment:
		return "C’est la décision d’une juridiction, pas un texte de loi : à écarter, ou à confirmer."
	case NatureOfFilename:
		return "La nature du texte est celle que dit le nom du fichier : elle est à confirmer."
	case NumberMisprinted:
		return "Le numéro officiel est mal imprimé : celui-ci est à confirmer."
	case OtherYear:
		return "L’année du numéro n’est pas celle du texte."

	case NumberBlank:
		return "Le numéro est laissé en blanc : le texte est peut-être un projet, ou son numéro y fut apposé."

	// The day of promulgation.
	case NoDate:
		return "Aucune date de promulgation n’a été trouvée."
	case DateAfterIssue:
		return "La date de promulgation est postérieure à celle du journal."
	case DateInFuture:
		return "La date de promulgation est dans l’avenir."
	case DateUnsure:
		return "La date de promulgation est à confirmer."
	case DateProposed:
		return "La date est proposée d’après cette ligne : elle est à confirmer."
	case DateConverted:
		return fmt.Sprintf("La date n’est imprimée que dans le calendrier hégirien : elle est convertie au %s, à un jour près.", r.day(0))
	case SignedOtherDay:
		return fmt.Sprintf("Le titre est daté du %s, et le texte, page %d, signé le %s.", r.day(0), r.Page, r.day(1))
	case StateAfter:
		return "La date de l’état du code est postérieure à celle du journal."
	case StateOfTwoDays:
		return fmt.Sprintf("Le code dit deux dates de son état (%s, %s) : la date est à confirmer.", r.day(0), r.day(1))
	case StateOfPage:
		return "Cette date peut être celle de la page plutôt que celle du code : elle est à confirmer."

	// The day of entry into force.
	case InForceUnknown:
		return "Le texte entre en vigueur à la suite de ratifications, dont il ne dit pas le jour."
	case InForceUnread:
		return "Ce que ces mots disent du jour d’entrée en vigueur n’est pas entièrement compris : il est à confirmer."
	case InForceByPlace:
		return fmt.Sprintf("Le texte n’entre pas en vigueur partout le même jour (%s et %s) : le dernier est proposé.", r.at(0).Format(inFigures), r.at(1).Format(inFigures))
	case InForceOdd:
		return fmt.Sprintf("Le jour d’entrée en vigueur que disent ces mots (%s) n’est pas vraisemblable pour un texte du %s : celui de la publication ou de la promulgation est mis à sa place.",
			r.at(0).Format(inFigures), r.at(1).Format(inFigures))

	// The bounds of a text.
	case BeginsBefore:
		return "Le texte commence avant ce fichier : son titre et ses premiers articles manquent."
	case EndsAfter:
		return "Le texte ne se termine pas dans ce fichier : sa fin manque."
	case NoEndOfScan:
		return "Le texte numérisé n’a ni clause finale ni signature : sa fin manque peut-être."
	case NoEndAmong:
		return "Le texte n’a ni clause finale ni signature, qu’ont tous les autres du fichier : sa fin manque peut-être."
	case BeginUnsure:
		return fmt.Sprintf("Il n’est pas sûr qu’un texte commence à ces mots, page %d.", r.Page)
	case BeginInside:
		return fmt.Sprintf("Un autre texte commence peut-être page %d.", r.Page)
	case SummaryNamesOther:
		return fmt.Sprintf("Le sommaire annonce %d actes, %d ont été trouvés ; il manque celui qui est nommé ici.", r.Announced, r.Found)
	case SummaryLacks:
		return "Le sommaire n’annonce pas ce texte."

	// What another reading of the file says.
	case OtherBegin:
		return fmt.Sprintf("Selon une autre lecture, un texte commence à ces mots, page %d.", r.Page)
	case OtherJoin:
		return fmt.Sprintf("Selon une autre lecture, aucun texte ne commence à ces mots, page %d.", r.Page)
	case ReadingUnsure:
		return "La lecture de ce texte est peu sûre."

	// The articles.
	case NoArticle:
		return "Aucun article n’a été reconnu."
	case ArticleOutside:
		return fmt.Sprintf("Un article paraît commencer à ces mots, page %d, et le compte des articles n’en attend pas là.", r.Page)
	case NumbersMissing:
		return fmt.Sprintf("Les articles ne se suivent pas : il manque %s.", strings.Join(r.Numbers, ", "))
	case NumbersTwice:
		return fmt.Sprintf("Des articles se lisent deux fois : %s (page %d).", strings.Join(r.Numbers, ", "), r.Page)
	case NumbersAgain:
		return fmt.Sprintf("Les articles recommencent à la page %d : un autre texte y commence peut-être.", r.Page)

	// The words and the pages of a file.
	case WordsMisread:
		return "Des mots du texte sont mal lus."
	case WordsCovered:
		return "Ces mots sont recouverts sur la page ou hors d’elle, où personne ne les voit : à confirmer."
	case LanguagesMixed:
		return fmt.Sprintf("Des lignes de la page %d mêlent deux langues, dont les colonnes n’ont pas été séparées : des mots du texte peuvent manquer.", r.Page)
	case FileDamaged:
		return fmt.Sprintf("Le fichier est abîmé : une partie des mots est illisible (p. %s).", r.pages())
	case NoLaw:
		return r.Words + " : rien n’entre au catalogue. Si c’est un acte, dites que le fichier contient du droit."
	case PagesReordered:
		return fmt.Sprintf("Les pages du fichier ne se suivent pas : d’après les numéros d’articles, elles ont été lues dans l’ordre %s.", r.pages())

	// What a file is.
	case FileDraft:
		return "Projet : rien n’entre au catalogue sans confirmation."
	case FileCoordinated:
		return "Texte coordonné : imprimé tel qu’il est après ses modifications."
	case FileLanguages:
		return "Fichier en plusieurs langues : seul le texte français entre au catalogue."
	case FileCompilation:
		return "Recueil : des textes de plusieurs années, imprimés ensemble."
	case FileSaidNoLaw:
		return "Écarté par une personne : ce fichier ne contient pas de droit, rien n’entre au catalogue."
	}
	return ""
}

// aboutEdit reports whether the remark says why an edit no longer applies.
func (r Remark) aboutEdit() bool { return r.Kind >= LineGone && r.Kind <= TargetOutside }

// sentenceOfEdit is Sentence for the remarks on edits.
func (r Remark) sentenceOfEdit() string {
	why := ""
	switch r.Kind {
	case LineGone:
		why = fmt.Sprintf("la ligne « %s » n’est plus à sa place, page %d.", r.Words, r.Page)
	case LineOutside:
		why = fmt.Sprintf("la ligne « %s », page %d, n’est plus dans un texte.", r.Words, r.Page)
	case LineNoArticle:
		why = fmt.Sprintf("la ligne « %s », page %d, n’est plus dans un article.", r.Words, r.Page)
	case NothingBefore:
		why = fmt.Sprintf("aucun texte ne précède celui qui commence par « %s », page %d.", r.Words, r.Page)
	case TargetOutside:
		why = fmt.Sprintf("la ligne « %s », page %d, derrière laquelle elle place des lignes, n’est dans aucun texte ; ces lignes n’y sont pas non plus.", r.Words, r.Page)
	}
	return fmt.Sprintf("La correction du %s ne s’applique plus : %s", r.day(0), why)
}

// EndOfText returns the title of the end of a text that begins before its file.
func EndOfText(page int) string { return fmt.Sprintf("Fin d’un texte, page %d", page) }

// inFigures writes a day as « 17/05/2010 ».
const inFigures = "02/01/2006"

// at returns the i-th day of the remark, the zero time if it is missing.
func (r Remark) at(i int) time.Time {
	if i >= len(r.Days) {
		return time.Time{}
	}
	return r.Days[i]
}

// day writes the i-th day of the remark in words.
func (r Remark) day(i int) string { return law.WriteDate(r.at(i)) }

// pages lists the pages of the remark: « 2, 3, 1 ».
func (r Remark) pages() string {
	numbers := make([]string, len(r.Pages))
	for i, n := range r.Pages {
		numbers[i] = strconv.Itoa(n)
	}
	return strings.Join(numbers, ", ")
}
