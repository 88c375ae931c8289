package segment

// Headings of pieces without a number.
const (
	preambleHeading   = "Préambule"
	signaturesHeading = "Signatures"
)
