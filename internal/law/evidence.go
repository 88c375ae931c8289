package law

// Evidence says what a datum of a text was read from, and how surely.
type Evidence struct {
	Field      string  `json:"field"`      // as in the catalogue: numero_officiel, date_promulgation…
	Words      string  `json:"words"`      // as printed; "" where nothing was found, or a person said it
	Page       int     `json:"page"`       // where they stand, from 1; 0 for nowhere
	Confidence float64 `json:"confidence"` // 0 to 1
}
