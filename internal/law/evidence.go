package law

// Evidence is the source of one field of a text: the words that the field was read from,
// and how certain the reading is.
type Evidence struct {
	Field      string  `json:"field"`      // name of the field in the catalogue: numero_officiel, date_promulgation…
	Words      string  `json:"words"`      // words as printed; "" if nothing was found, or if a person gave the value
	Page       int     `json:"page"`       // page of the words, from 1; 0 without words
	Confidence float64 `json:"confidence"` // 0 to 1
}
