package gazette

// Headings of articles without a number.
const (
	PreambleHeading   = "Préambule"
	SignaturesHeading = "Signatures"
)
