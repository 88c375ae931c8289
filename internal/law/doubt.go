package law

// Doubt says that a field of a text could not be read with enough confidence;
// a text with doubts waits for a person to settle them.
type Doubt struct {
	Field      string  `json:"field"`           // as in the catalogue: numero_officiel, date_promulgation…
	Reason     string  `json:"reason"`          // a French sentence
	Confidence float64 `json:"confidence"`      // 0 to 1
	Words      string  `json:"words,omitempty"` // as printed, what it was read from
	Page       int     `json:"page,omitempty"`  // where they stand, from 1
}
