package amend

// Reason is why an operation is not applied. It is "" for an applied operation.
type Reason string

// The reasons.
const (
	NotUnderstood   Reason = "not_understood"   // the instruction is not read to its last word
	WordingMissing  Reason = "wording_missing"  // a new wording is announced and does not follow
	WordingOpen     Reason = "wording_open"     // the quotation marks around a wording are not closed
	TooLong         Reason = "too_long"         // the act or the article is longer than MaxBytes
	WordsNotFound   Reason = "words_not_found"  // the words are not in the place
	WordsTooOften   Reason = "words_too_often"  // the words are in the place more often than the act says
	NoSuchPlace     Reason = "no_such_place"    // the article has no such item, alinea or sentence
	PlaceUnclear    Reason = "place_unclear"    // several places fit, or the end of the place is unclear
	ArticleMissing  Reason = "article_missing"  // the text has no such article
	ArticleExists   Reason = "article_exists"   // the article to insert exists already
	AlreadyThere    Reason = "already_there"    // the words to add are in the place already
	Conflict        Reason = "conflict"         // two operations change one place
	TextMissing     Reason = "text_missing"     // the amended text is not in the catalogue
	TextAmbiguous   Reason = "text_ambiguous"   // several texts of the catalogue have the name of the amended text
	TextRepealed    Reason = "text_repealed"    // the whole text is repealed, not an article
	OwnText         Reason = "own_text"         // the act amends itself
	DayUnclear      Reason = "day_unclear"      // the day of entry into force is not named
	EarlierWaits    Reason = "earlier_waits"    // an earlier operation on the article waits
	BeforeBase      Reason = "before_base"      // the base text contains the act already
	DatesDisordered Reason = "dates_disordered" // the change begins before the act, or the act has no day
)
