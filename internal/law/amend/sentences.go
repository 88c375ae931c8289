package amend

// sentences has the French sentence for each reason.
var sentences = map[Reason]string{
	NotUnderstood:   "L’instruction n’a pas été comprise en entier.",
	WordingMissing:  "La nouvelle rédaction annoncée ne suit pas.",
	WordingOpen:     "Les guillemets de la nouvelle rédaction ne sont pas fermés.",
	TooLong:         "Le texte est trop long pour être traité.",
	WordsNotFound:   "Les mots à modifier ne se trouvent pas à l’endroit indiqué.",
	WordsTooOften:   "Les mots à modifier se trouvent plusieurs fois à l’endroit indiqué.",
	NoSuchPlace:     "L’article n’a pas la subdivision indiquée.",
	PlaceUnclear:    "L’endroit indiqué peut être compris de plusieurs façons.",
	ArticleMissing:  "L’article à modifier n’existe pas.",
	ArticleExists:   "L’article à insérer existe déjà.",
	AlreadyThere:    "Le texte contient déjà ces mots à cet endroit : l’édition les a peut-être déjà intégrés.",
	Conflict:        "Deux instructions modifient le même endroit.",
	TextMissing:     "Le texte à modifier n’est pas au catalogue.",
	TextAmbiguous:   "Plusieurs textes du catalogue portent le nom du texte à modifier, ou un seul d’une autre date.",
	TextRepealed:    "Le texte entier est abrogé, et non un article.",
	OwnText:         "L’acte se modifie lui-même.",
	DayUnclear:      "La date d’entrée en vigueur n’est pas fixée.",
	EarlierWaits:    "Une modification antérieure de l’article attend d’être réglée.",
	BeforeBase:      "Le texte de base tient déjà compte de cet acte.",
	DatesDisordered: "Les dates de l’acte et de la modification se contredisent.",
}

// Sentence returns the French sentence for a reason; "" for an applied operation.
func (r Reason) Sentence() string { return sentences[r] }
