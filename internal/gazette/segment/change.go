package segment

// proposalKind is what a proposal changes in a reading.
type proposalKind string

// The kinds of proposals.
const (
	beginText proposalKind = "begin" // a text begins at the line
	joinText  proposalKind = "join"  // no text begins at the line: the text before continues
	setAside  proposalKind = "aside" // the line is the gazette's, and belongs to no text
)

func proposalKinds() []proposalKind {
	return []proposalKind{beginText, joinText, setAside}
}
