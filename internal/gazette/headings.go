package gazette

import ()

// Headings of pieces without a number.
const (
	PreambleHeading   = "Préambule"
	SignaturesHeading = "Signatures"
)
