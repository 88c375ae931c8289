package law

import "github.com/google/uuid"

// Wording says that an article is the new wording that an amending text gives to an article
// of another text. The article's number is made by NewNumber, and its text is a part of the
// article of the amending text that quotes the wording.
type Wording struct {
	Within       uuid.UUID // article of the amending text that quotes the wording
	WithinNumber string    // number of that article
	Relation     uuid.UUID // change that the wording belongs to
	Number       string    // number of the amended article
	Part         string    // « premier alinéa », if only that part is replaced
	Inserted     bool      // the wording is inserted and replaces nothing
	// The id and title of the amended text. If the catalogue lacks the text, there is no id,
	// and the title is what the amending text calls it.
	TargetID    *uuid.UUID
	TargetTitle string
}

// NewNumber returns the number under which a new wording of an article, or of a part of it,
// is listed in the amending text: « 5 (nouveau) », « 17 (alinéa 2 nouveau) ».
func NewNumber(number, part string) string {
	if part != "" {
		part += " "
	}
	return number + " (" + part + "nouveau)"
}

// The effects of a new wording on the amended text.
const (
	Replaces = "remplace"
	Inserts  = "insere"
)

// Replaced is, in JSON, the article that a new wording replaces, or the article that it
// inserts.
type Replaced struct {
	DocumentID *uuid.UUID `json:"document_id"` // nil if the catalogue lacks the text
	Article    string     `json:"article"`     // « 36 », « 94-2, premier alinéa »
	Title      string     `json:"title"`       // title of the amended text
	Type       string     `json:"type"`        // remplace, insere
}

// Replaced returns the JSON form of the amended article; nil if w is nil.
func (w *Wording) Replaced() *Replaced {
	if w == nil {
		return nil
	}
	r := &Replaced{DocumentID: w.TargetID, Article: w.Number, Title: w.TargetTitle, Type: Replaces}
	if w.Part != "" {
		r.Article += ", " + w.Part
	}
	if w.Inserted {
		r.Type = Inserts
	}
	return r
}

// By returns the French words that precede the name of the amending text: « tel que
// remplacé par » or « tel qu’inséré par ».
func (r *Replaced) By() string {
	if r.Type == Inserts {
		return "tel qu’inséré par"
	}
	return "tel que remplacé par"
}
