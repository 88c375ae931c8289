package label

// ChangeKind is what a proposal changes in a reading.
type ChangeKind string

// The kinds of proposals.
const (
	BeginText ChangeKind = "begin" // a text begins at the line
	JoinText  ChangeKind = "join"  // no text begins at the line: the text before continues
	SetAside  ChangeKind = "aside" // the line is the gazette's, and belongs to no text
)

// ChangeKinds returns every kind of change.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{BeginText, JoinText, SetAside}
}
