package remarks

// Sure is the minimum confidence with which a datum goes into the catalogue without asking a person.
const Sure = 0.6

// The confidence of a datum, by where it was read.
const (
	AsPrinted  = 0.95 // in the title, in the usual form
	AsSigned   = 0.85 // at the signatures
	AsInferred = 0.7  // repaired, and confirmed by something else
	AsGuessed  = 0.4
	NotFound   = 0.0
)
