package law

import "slices"

// Doubt says that a field of a text could not be read with enough confidence;
// a text with doubts waits for a person to settle them.
type Doubt struct {
	Field      string  `json:"field"`           // name of the field in the catalogue: numero_officiel, date_promulgation…
	Reason     string  `json:"reason"`          // a French sentence
	Confidence float64 `json:"confidence"`      // 0 to 1
	Words      string  `json:"words,omitempty"` // printed words that the field was read from
	Page       int     `json:"page,omitempty"`  // page of these words, from 1
}

// indispensable are the fields without which a text cannot be in the catalogue. The number
// is not among them: many texts have no number.
var indispensable = []string{"doc_type", "date_promulgation"}

// Indispensable lists the fields without which a text cannot be in the catalogue.
func Indispensable() []string { return slices.Clone(indispensable) }

// Lacking lists the indispensable fields of which nothing was read. The text has only
// placeholders for these fields, and only a person can give the values.
func Lacking(doubts []Doubt) (fields []string) {
	for _, field := range indispensable {
		if Unread(doubts, field) {
			fields = append(fields, field)
		}
	}
	return fields
}

// Unread reports whether nothing was read of the given field.
func Unread(doubts []Doubt, field string) bool {
	return slices.ContainsFunc(doubts, func(d Doubt) bool { return d.Field == field && d.Confidence == 0 })
}
