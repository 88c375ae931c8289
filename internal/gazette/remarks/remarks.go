// Package remarks holds what segment remarks on a file, its texts and their edits: a kind and values go in, a French
// sentence comes out. Segment decides on remarks and never writes a sentence; all sentences are in sentences.go, for a
// French speaker to read from top to bottom.
//
// The catalogue stores sentences, not kinds. A changed sentence is used for files that are cut afterwards.
package remarks

import (
	"time"

	"vigueur/internal/law"
)

// Remark is a kind of remark, and what its sentence names. Each kind says which values it needs.
type Remark struct {
	Kind    Kind
	Page    int         // number of a page of the file, from 1
	Pages   []int       // numbers of pages, in order
	Numbers []string    // numbers of articles, or runs of them: « 12–33 »
	Days    []time.Time // in the order in which the sentence names them
	Words   string      // the words of a line
	// Announced and Found are numbers of acts: those that a summary announces, and those announced that were found.
	Announced, Found int
}

// Of returns a remark of a kind that needs no values.
func Of(kind Kind) Remark { return Remark{Kind: kind} }

// OnPage returns a remark of a kind that needs a page alone.
func OnPage(kind Kind, page int) Remark { return Remark{Kind: kind, Page: page} }

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

// Kind is what a remark is about.
type Kind int

// The kinds of remarks, with the values that they need.
const (
	None Kind = iota // nothing is remarked

	// The title, the nature and the number of a text.
	NoTitle          // no title was recognized
	NoNature         // the nature of the text was not recognized
	NatureProposed   // Words: the nature as printed; its type is only proposed
	IsDraft          // the title announces a bill or a guide
	IsJudgment       // a court decides
	NatureOfFilename // the nature is the one in the file's name
	NumberMisprinted // the number is badly printed
	OtherYear        // the year in the number is not the text's
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
	NoArticle      // no article was recognized
	ArticleOutside // Page: an article seems to begin where the numbering does not expect it
	NumbersMissing // Numbers: the missing numbers
	NumbersTwice   // Numbers, Page: the numbers that occur twice, and the page of the first repetition
	NumbersAgain   // Page: the numbering begins again

	// The words and the pages of a file.
	WordsMisread   // words are not French
	WordsCovered   // words that something covers on the page
	LanguagesMixed // Page: lines of two languages, whose columns were not separated
	FileDamaged    // Pages: pages with illegible words
	NoLaw          // Words: what the file holds instead of law
	PagesReordered // Pages: the order in which the numbers of articles put the pages

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
