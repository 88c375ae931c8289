// Package remarks holds what segment remarks on a file, its texts and their edits: a kind and values go in, a French
// sentence comes out. Segment decides on remarks and never writes a sentence; all sentences are in sentences.go, for a
// French speaker to read from top to bottom.
//
// The catalogue stores sentences, not kinds. A changed sentence is used for files that are cut afterwards.
package remarks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// Remark is a kind of remark, and what its sentence names. Each kind says which values it needs.
type Remark struct {
	Kind    Subject
	Page    int         // number of a page of the file, from 1
	Pages   []int       // numbers of pages, in order
	Numbers []string    // numbers of articles, or runs of them: « 12–33 »
	Days    []time.Time // in the order in which the sentence names them
	Words   string      // the words of a line
	// Announced and Found are numbers of acts: those that a summary announces, and those announced that were found.
	Announced, Found int
}

// Of returns a remark of a kind that needs no values.
func Of(kind Subject) Remark { return Remark{Kind: kind} }

// OnPage returns a remark of a kind that needs a page alone.
func OnPage(kind Subject, page int) Remark { return Remark{Kind: kind, Page: page} }

// Doubt says that a field of a text could not be read with enough confidence, as law.Doubt does, with a remark in place
// of its sentence.
type Doubt struct {
	Field      string // as in the catalogue: numero_officiel, date_promulgation…
	Why        Remark
	Confidence float64 // 0 to 1
	Words      string  // the printed words from which the field was read
	Page       int     // page of these words, from 1
}

// Told returns doubts in the form in which they are stored: with sentences in place of remarks.
func Told(doubts []Doubt) []law.Doubt {
	var out []law.Doubt
	for _, d := range doubts {
		out = append(out, law.Doubt{Field: d.Field, Reason: d.Why.Sentence(), Confidence: d.Confidence, Words: d.Words, Page: d.Page})
	}
	return out
}

// Subject is what a remark is about.
type Subject int

// The kinds of remarks, with the values that they need.
const (
	None Subject = iota // nothing is remarked

	// The title, the nature and the number of a text.
	NoTitle          // no title was recognized
	TitleUnread      // the title does not read as that of a text
	NoNature         // the nature of the text was not recognized
	NatureProposed   // Words: the nature as printed; its type is only proposed
	IsDraft          // the title announces a bill or a guide
	IsJudgment       // a court decides
	NatureOfFilename // the nature is the one in the file's name
	NumberMisprinted // the number is badly printed
	OtherYear        // the year in the number is not the text's
	NumberOfFilename // Numbers, Words: the number as read, and the one in the file's name
	NumberBlank      // the number was never filled in

	// The day of promulgation.
	NoDate         // no date was found
	DateAfterIssue // the date is later than the issue's
	DateInFuture   // the date is later than today
	DateUnsure     // the date may be misread
	DateProposed   // the date may be another day
	DateConverted  // Days: the day to which a date of the Hijri calendar was converted
	SignedOtherDay // Days, Page: the title's day and the one of the signature, and its page
	StateAfter     // the day of a code's state is later than the issue's
	StateOfTwoDays // Days: the two days of its state that a code gives
	StateOfPage    // the day may be that of the page that shows the code

	// The day of entry into force.
	InForceUnknown // the day follows ratifications whose day is not given
	InForceUnread  // the clause on the day was not understood
	InForceByPlace // Days: the days from which the text is law at one place and at the others
	InForceOdd     // Days: the day that a clause gives, and the promulgation that makes it implausible

	// The bounds of a text.
	BeginsBefore      // the text begins before the file
	EndsAfter         // the text ends after the file
	NoEndOfScan       // a scanned text has neither final clause nor signature
	NoEndOfPage       // a text has neither final clause nor signature, and its last page is full
	NoEndAmong        // a text has neither final clause nor signature, unlike the others of its file
	BeginUnsure       // Page: it is not sure that a text begins at these words
	BeginInside       // Page: another text may begin
	SummaryNamesOther // Announced, Found: the summary names an act that was not found
	SummaryLacks      // the summary does not name the text

	// What another reading of the file says.
	OtherBegin    // Page: a text begins at these words
	OtherJoin     // Page: no text begins at these words
	ReadingUnsure // the text resembles texts that were misread

	// The articles.
	NoArticle       // no article was recognized
	ArticleOutside  // Page: an article seems to begin where the numbering does not expect it
	NumbersMissing  // Numbers: the missing numbers
	NumbersTwice    // Numbers, Page: the numbers that occur twice, and the page of the first repetition
	NumbersAgain    // Page: the numbering begins again
	ArticlesOutside // Found, Pages: articles that stand in no text

	// The words and the pages of a file.
	WordsMisread    // words are not French
	WordsCovered    // words that something covers on the page
	WordsOther      // words in whose place recognition reads others
	LanguagesMixed  // Page: lines of two languages, whose columns were not separated
	FileDamaged     // Pages: pages with illegible words
	PagesDisordered // Pages: pages whose words are in no order
	NoLaw           // Words: what the file holds instead of law
	PagesReordered  // Pages: the order in which the numbers of articles put the pages

	// What a file is.
	FileDraft       // a draft
	FileCoordinated // a text as it stands after its amendments
	FileLanguages   // its texts in several languages
	FileCompilation // texts of several years, printed together
	FileSaidNoLaw   // a person said that it holds no law

	// Why an edit that a person made no longer applies. Days holds the day of the edit.
	LineGone      // Words, Page: the line is no longer at its place
	LineOutside   // Words, Page: the line is no longer in a text
	LineNoArticle // Words, Page: the line is no longer in an article
	NothingBefore // Words, Page: no text precedes the one that begins with the line
	TargetOutside // Words, Page: the line after which lines were moved is in no text

	kinds // number of kinds
)

// Sure is the minimum confidence with which a datum goes into the catalogue without asking a person.
const Sure = 0.6

// The confidence of a datum, by where it was read.
const (
	AsPrinted  = 0.95 // in the title, in the usual form
	AsSigned   = 0.85 // at the signatures
	AsInferred = 0.7  // repaired, and confirmed by something else
	AsGuessed  = 0.4
	NotFound   = 0.0
)

// sentences are the French sentences of the remarks. The words in braces stand for the values of a remark.
var sentences = map[Subject]string{
	// The title, the nature and the number of a text.
	NoTitle:          "Aucun titre n’a été reconnu.",
	TitleUnread:      "Ce titre ne se lit pas comme celui d’un texte : il est à confirmer ou à récrire.",
	NoNature:         "La nature du texte n’a pas été reconnue.",
	NatureProposed:   "« {words} » : le type du catalogue est une proposition, à confirmer.",
	IsDraft:          "Le titre annonce un projet ou un guide, pas un texte promulgué.",
	IsJudgment:       "C’est la décision d’une juridiction, pas un texte de loi : à écarter, ou à confirmer.",
	NatureOfFilename: "La nature du texte est celle que dit le nom du fichier : elle est à confirmer.",
	NumberMisprinted: "Le numéro officiel est mal imprimé : celui-ci est à confirmer.",
	OtherYear:        "L’année du numéro n’est pas celle du texte.",
	NumberOfFilename: "Le numéro se lit {numbers}, et le nom du fichier dit {words} : il est à confirmer.",
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
	NoEndOfPage:       "Le texte n’a ni clause finale ni signature, et sa dernière page est pleine : sa fin manque peut-être.",
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
	NoArticle:       "Aucun article n’a été reconnu.",
	ArticleOutside:  "Un article paraît commencer à ces mots, page {page}, et le compte des articles n’en attend pas là.",
	NumbersMissing:  "Les articles ne se suivent pas : il manque {numbers}.",
	NumbersTwice:    "Des articles se lisent deux fois : {numbers} (page {page}).",
	NumbersAgain:    "Les articles recommencent à la page {page} : un autre texte y commence peut-être.",
	ArticlesOutside: "{found} articles qui se suivent ne sont dans aucun texte (p. {pages}), le premier à ces mots : un texte finit trop tôt ou n’a pas été reconnu.",

	// The words and the pages of a file.
	WordsMisread:    "Des mots du texte sont mal lus.",
	WordsCovered:    "Ces mots sont recouverts sur la page, ou n’y sont qu’en partie : à confirmer.",
	WordsOther:      "Une seconde lecture voit d’autres mots à leur place sur la page : à comparer.",
	LanguagesMixed:  "Des lignes de la page {page} mêlent deux langues, dont les colonnes n’ont pas été séparées : des mots du texte peuvent manquer.",
	FileDamaged:     "Le fichier est abîmé : une partie des mots est illisible (p. {pages}).",
	PagesDisordered: "Les mots ne se suivent pas (p. {pages}) : à comparer à la page.",
	NoLaw:           "{words} : rien n’entre au catalogue. Si c’est un acte, dites que le fichier contient du droit.",
	PagesReordered:  "Les pages du fichier ne se suivent pas : d’après les numéros d’articles, elles ont été lues dans l’ordre {pages}.",

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

// pages lists the pages of the remark: « 2–3, 1 ».
func (r Remark) pages() string { return Ranges(r.Pages) }

// Ranges lists numbers of pages in their order, with those in a row as a range: « 2, 10–102 ».
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		k := i + 1
		for k < len(numbers) && numbers[k] == numbers[k-1]+1 {
			k++
		}
		if k == i+1 {
			parts = append(parts, strconv.Itoa(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d–%d", numbers[i], numbers[k-1]))
		}
		i = k
	}
	return strings.Join(parts, ", ")
}
