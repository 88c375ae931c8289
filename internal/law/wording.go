package law

import "github.com/google/uuid"

// Wording says of an article that it is what an amending text gives as the new
// words of an article of another text. Its number is NewNumber's, its words are a
// part of the article of the amending text that gives them.
type Wording struct {
	Within       uuid.UUID // the article that gives it
	WithinNumber string    // its number
	Relation     uuid.UUID // the change that it belongs to
	Number       string    // of the article that it words
	Part         string    // « premier alinéa », where only that is worded anew
	Inserted     bool      // beside what was there, in the place of nothing
	// The text whose article it is: its title, or what the amending text calls it
	// while the catalogue has none.
	TargetID    *uuid.UUID
	TargetTitle string
}

// NewNumber is how a new wording of an article, or of a part of it, is numbered in
// the text that gives it: « 5 (nouveau) », « 17 (alinéa 2 nouveau) ».
func NewNumber(number, part string) string {
	if part != "" {
		part += " "
	}
	return number + " (" + part + "nouveau)"
}

// What a new wording does to the text whose article it words.
const (
	Replaces = "remplace"
	Inserts  = "insere"
)

// Replaced is, in JSON, what a new wording takes the place of, or the article that
// it puts into a text.
type Replaced struct {
	DocumentID *uuid.UUID `json:"document_id"` // nil: the catalogue has no such text
	Article    string     `json:"article"`     // « 36 », « 94-2, premier alinéa »
	Title      string     `json:"title"`       // of the text
	Type       string     `json:"type"`        // remplace, insere
}

// Replaced shows what w takes the place of; nil of nil.
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

// By is « tel que remplacé par », or what stands for it, before the name of the text
// that gives the new wording.
func (r *Replaced) By() string {
	if r.Type == Inserts {
		return "tel qu’inséré par"
	}
	return "tel que remplacé par"
}
