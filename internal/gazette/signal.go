package gazette

import (
	"vigueur/internal/gazette/remarks"
)

// SignalKind names what a signal has found in a text.
type SignalKind string

// The kinds of signals.
const (
	NoArticle    SignalKind = "no article"    // a formula announces articles, and there are none
	NoBody       SignalKind = "no body"       // there are neither a formula nor articles
	MeasureOnly  SignalKind = "measure only"  // neither a formula nor articles, but one sentence says everything
	GapIn        SignalKind = "gap"           // article numbers are missing
	CountAgain   SignalKind = "count again"   // the numbering of articles begins again
	PassedOver   SignalKind = "passed over"   // a line reads as an article that the numbering does not expect
	WeakBegin    SignalKind = "weak begin"    // the chain is not sure that the text begins where it does
	InnerBegin   SignalKind = "inner begin"   // another text may begin within this one
	NotAnnounced SignalKind = "not announced" // the summary names other texts, and not this one
	Unfound      SignalKind = "unfound"       // the summary names a text after this one that was not found
	OddWords     SignalKind = "odd words"     // letters and signs that no French word has
	OtherReading SignalKind = "other reading" // another way to cut the text is nearly as probable
	Scanned      SignalKind = "scanned"       // recognized on an image, which alone is no sign of a fault
)

// SignalKinds lists every kind.
func SignalKinds() []SignalKind {
	return []SignalKind{NoArticle, NoBody, MeasureOnly, GapIn, CountAgain, PassedOver, WeakBegin, InnerBegin, NotAnnounced, Unfound, OddWords, OtherReading, Scanned}
}

// Signal is a sign that a text may be cut or read wrongly. scripts/train witness learns which signs together
// make a doubt.
type Signal struct {
	Kind  SignalKind
	Value float64       // above 0, at most 1
	Doubt remarks.Doubt // the doubt that the signal may become; if its Why is empty, the signal becomes none
}
