package segment

import "vigueur/internal/gazette/remarks"

// WitnessKind names what a witness has found in a text.
type WitnessKind string

// The kinds of witnesses.
const (
	NoArticle    WitnessKind = "no article"    // a formula announces articles, and there are none
	NoBody       WitnessKind = "no body"       // there are neither a formula nor articles
	MeasureOnly  WitnessKind = "measure only"  // neither a formula nor articles, but one sentence says everything
	GapIn        WitnessKind = "gap"           // article numbers are missing
	CountAgain   WitnessKind = "count again"   // the numbering of articles begins again
	PassedOver   WitnessKind = "passed over"   // a line reads as an article that the numbering does not expect
	WeakBegin    WitnessKind = "weak begin"    // the chain is not sure that the text begins where it does
	InnerBegin   WitnessKind = "inner begin"   // another text may begin within this one
	NotAnnounced WitnessKind = "not announced" // the summary names other texts, and not this one
	Unfound      WitnessKind = "unfound"       // the summary names a text after this one that was not found
	OddWords     WitnessKind = "odd words"     // letters and signs that no French word has
	OtherReading WitnessKind = "other reading" // another way to cut the text is nearly as probable
	Scanned      WitnessKind = "scanned"       // recognized on an image, which alone is no sign of a fault
)

// WitnessKinds lists every kind.
func WitnessKinds() []WitnessKind {
	return []WitnessKind{NoArticle, NoBody, MeasureOnly, GapIn, CountAgain, PassedOver, WeakBegin, InnerBegin, NotAnnounced, Unfound, OddWords, OtherReading, Scanned}
}

// Witness is a sign that a text may be cut or read wrongly. scripts/train witness learns which signs together
// make a doubt.
type Witness struct {
	Kind  WitnessKind
	Value float64       // above 0, at most 1
	Doubt remarks.Doubt // the doubt that the witness may become; if its Why is empty, the witness becomes none
}
