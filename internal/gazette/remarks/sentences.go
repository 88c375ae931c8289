package remarks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// sentences are the French sentences of the remarks. The words in braces stand for the values of a remark.
var sentences = map[Kind]string{
	// The title, the nature and the number of a text.
	NoTitle:          "Aucun titre n’a été reconnu.",
	NoNature:         "La nature du texte n’a pas été reconnue.",
	NatureProposed:   "« {words} » : le type du catalogue est une proposition, à confirmer.",
	IsDraft:          "Le titre annonce un projet ou un guide, pas un texte promulgué.",
	IsJudgment:       "C’est la décision d’une juridiction, pas un texte de loi : à écarter, ou à confirmer.",
	NatureOfFilename: "La nature du texte est celle que dit le nom du fichier : elle est à confirmer.",
	NumberMisprinted: "Le numéro officiel est mal imprimé : celui-ci est à confirmer.",
	OtherYear:        "L’année du numéro n’est pas celle du texte.",
	NumberBlank:      "Le numéro est laissé en blanc : le texte est peut-être un projet, ou son numéro y fut apposé.",

	// The day of promulgation.
	NoDate:         "Aucune date de promulgation n’a été trouvée.",
	DateAfterIssue: "La date de promulgation est postérieure à celle du journal.",
	DateInFuture:   "La date de promulgation est dans l’avenir.",
	DateUnsure:     "La date de promulgation est à confirmer.",
	DateProposed:   "La date est proposée d’après cette ligne : elle est à confirmer.",
	DateConverted:  "La date n’est imprimée que dans le calendrier hégirien : elle est convertie au {day}, à un jour près.",
	SignedOtherDay: "Le titre est daté du {day}, et le texte, page {page}, signé le {other day}.",
	StateAfter:     "La date de l’état du code est postérieure à celle du journal.",
	StateOfTwoDays: "Le code dit deux dates de son état ({day}, {other day}) : la date est à confirmer.",
	StateOfPage:    "Cette date peut être celle de la page plutôt que celle du code : elle est à confirmer.",

	// The day of entry into force.
	InForceUnknown: "Le texte entre en vigueur à la suite de ratifications, dont il ne dit pas le jour.",
	InForceUnread:  "Ce que ces mots disent du jour d’entrée en vigueur n’est pas entièrement compris : il est à confirmer.",
	InForceByPlace: "Le texte n’entre pas en vigueur partout le même jour ({figures} et {other figures}) : le dernier est proposé.",
	InForceOdd:     "Le jour d’entrée en vigueur que disent ces mots ({figures}) n’est pas vraisemblable pour un texte du {other figures} : celui de la publication ou de la promulgation est mis à sa place.",

	// The bounds of a text.
	BeginsBefore:      "Le texte commence avant ce fichier : son titre et ses premiers articles manquent.",
	EndsAfter:         "Le texte ne se termine pas dans ce fichier : sa fin manque.",
	NoEndOfScan:       "Le texte numérisé n’a ni clause finale ni signature : sa fin manque peut-être.",
	NoEndAmong:        "Le texte n’a ni clause finale ni signature, qu’ont tous les autres du fichier : sa fin manque peut-être.",
	BeginUnsure:       "Il n’est pas sûr qu’un texte commence à ces mots, page {page}.",
	BeginInside:       "Un autre texte commence peut-être page {page}.",
	SummaryNamesOther: "Le sommaire annonce {announced} actes, {found} ont été trouvés ; il manque celui qui est nommé ici.",
	SummaryLacks:      "Le sommaire n’annonce pas ce texte.",

	// What another reading of the file says.
	OtherBegin:    "Selon une autre lecture, un texte commence à ces mots, page {page}.",
	OtherJoin:     "Selon une autre lecture, aucun texte ne commence à ces mots, page {page}.",
	ReadingUnsure: "La lecture de ce texte est peu sûre.",

	// The articles.
	NoArticle:      "Aucun article n’a été reconnu.",
	ArticleOutside: "Un article paraît commencer à ces mots, page {page}, et le compte des articles n’en attend pas là.",
	NumbersMissing: "Les articles ne se suivent pas : il manque {numbers}.",
	NumbersTwice:   "Des articles se lisent deux fois : {numbers} (page {page}).",
	NumbersAgain:   "Les articles recommencent à la page {page} : un autre texte y commence peut-être.",

	// The words and the pages of a file.
	WordsMisread:   "Des mots du texte sont mal lus.",
	WordsCovered:   "Ces mots sont recouverts sur la page ou hors d’elle, où personne ne les voit : à confirmer.",
	LanguagesMixed: "Des lignes de la page {page} mêlent deux langues, dont les colonnes n’ont pas été séparées : des mots du texte peuvent manquer.",
	FileDamaged:    "Le fichier est abîmé : une partie des mots est illisible (p. {pages}).",
	NoLaw:          "{words} : rien n’entre au catalogue. Si c’est un acte, dites que le fichier contient du droit.",
	PagesReordered: "Les pages du fichier ne se suivent pas : d’après les numéros d’articles, elles ont été lues dans l’ordre {pages}.",

	// What a file is.
	FileDraft:       "Projet : rien n’entre au catalogue sans confirmation.",
	FileCoordinated: "Texte coordonné : imprimé tel qu’il est après ses modifications.",
	FileLanguages:   "Fichier en plusieurs langues : seul le texte français entre au catalogue.",
	FileCompilation: "Recueil : des textes de plusieurs années, imprimés ensemble.",
	FileSaidNoLaw:   "Écarté par une personne : ce fichier ne contient pas de droit, rien n’entre au catalogue.",

	// Why an edit no longer applies.
	LineGone:      gone + "la ligne « {words} » n’est plus à sa place, page {page}.",
	LineOutside:   gone + "la ligne « {words} », page {page}, n’est plus dans un texte.",
	LineNoArticle: gone + "la ligne « {words} », page {page}, n’est plus dans un article.",
	NothingBefore: gone + "aucun texte ne précède celui qui commence par « {words} », page {page}.",
	TargetOutside: gone + "la ligne « {words} », page {page}, derrière laquelle elle place des lignes, n’est dans aucun texte ; ces lignes n’y sont pas non plus.",
}

// gone begins the remarks on edits.
const gone = "La correction du {day} ne s’applique plus : "

// Sentence returns the French sentence of a remark, "" for None.
func (r Remark) Sentence() string {
	return strings.NewReplacer("{words}", r.Words, "{page}", strconv.Itoa(r.Page), "{pages}", r.pages(), "{numbers}", strings.Join(r.Numbers, ", "),
		"{announced}", strconv.Itoa(r.Announced), "{found}", strconv.Itoa(r.Found), "{day}", r.day(0), "{other day}", r.day(1),
		"{figures}", r.at(0).Format(inFigures), "{other figures}", r.at(1).Format(inFigures)).Replace(sentences[r.Kind])
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
