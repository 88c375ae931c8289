package rank

// evidenceNames are the names of the evidence in files and in the interface.
var evidenceNames = [Evidences]string{TopScore: "score", Margin: "margin", Crowd: "crowd", TopWords: "words_of_most", TopHeld: "held",
	TopCovered: "covered", TopLegal: "covered_legal", TopCosine: "cosine", TopSentence: "sentence", TopSentenceGap: "sentence_gap", TopProjected: "projected", TopRankProjected: "rank_projected", TopNear: "near_covered", TopFar: "near_missed", TopClose: "close",
	TopPath: "path_likeness", TopBeside: "neighbor_words", TopAround: "neighbor_gap", TopFigure: "unfigured", TopNames: "missed_names",
	TopNotLocal: "not_local", LogCovered: "log_covered", Strange: "unknown_words", Wordy: "words_asked", OneText: "one_text",
	LongTexts: "long_texts", ReadTop: "read", ReadMargin: "read_margin", BeforeFirst: "before_first"}

// ByName returns the features that are not 0, by name.
func (f *Features) ByName() map[string]float64 {
	out := make(map[string]float64)
	for i, x := range f {
		if x != 0 {
			out[names[i]] = float64(x)
		}
	}
	return out
}

// ByName returns the evidence that is not 0, by name.
func (e *Evidence) ByName() map[string]float64 {
	out := make(map[string]float64)
	for i, x := range e {
		if x != 0 {
			out[evidenceNames[i]] = x
		}
	}
	return out
}
