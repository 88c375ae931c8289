package rank

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Features describe one found passage and its article. A feature that does not apply is 0.
type Features [Count]float32

// The features. Shares are between 0 and 1. Ranks are -ln(1 + rank), so 0 for the best.
const (
	// Set by the index, for each passage.
	Words          = iota // score by words (BM25F), divided by the best
	Pieces                // score by pieces of words, divided by the best
	Held                  // share of the question's words in the passage, weighted by rarity
	WordsOfMost           // score by words, divided by the highest that the question allows
	RankWords             // rank by words
	RankPieces            // rank by pieces
	Cosine                // cosine of the meanings of question and passage
	CosineGap             // Cosine minus the best Cosine
	RankCosine            // rank by meaning
	SectionWords          // the best Words under the same headings
	SectionMean           // the mean Words under the same headings
	SectionGap            // the best CosineGap under the same headings
	SectionCount          // ln of the number of passages found under the same headings
	NeighborWords         // the better Words of the articles before and after
	NeighborGap           // the better CosineGap of the articles before and after
	Opening               // 1/n for the n-th article under its headings
	Length                // ln of the ratio of its length to the mean length
	NoArticle             // 1 if the passage belongs to no article
	NumberedL             // 1 for an article number such as « L. 122-1 »
	NumberedR             // 1 for « R. 122-1 » or « D. 122-1 »
	NewWording            // 1 if it is a new wording of another text's article
	Foreign               // 1 if a country is named, and the text is the law of another one
	UnknownCountry        // 1 if a country is named, and the text's country is unknown
	ShortWords            // Words, if the question has few words
	ShortCosine           // Cosine, if the question has few words
	indexed               // number of features that the index sets

	// Set by the reader of an article.
	Found             = iota - 1 // score by Model.Find of its best passage, minus the best
	RankFound                    // rank by Model.Find
	Covered                      // share of the question that the article, its headings or its text's title cover
	CoveredBody                  // share of the question that its text covers
	CoveredHeads                 // share of the question that its headings cover
	CoveredTitle                 // share of the question that the title of its text covers
	CoveredLegal                 // the difference that legal synonyms of the question's words make to Covered
	CoveredPlain                 // Covered without names
	MissedNames                  // share of the names that are missing
	Rarest                       // coverage of the weightiest word of the question
	MissedMost                   // weight of the weightiest missing word, as a share of the question
	Together                     // share of adjacent words of the question that are also adjacent here
	LeafLikeness                 // similarity of the question and the innermost heading, by pieces of words
	PathLikeness                 // similarity of the question and all headings, by pieces of words
	TitleLikeness                // similarity of the question and the title of the text, by pieces of words
	Unfigured                    // 1 if a figure is asked for, and there is none of its kind
	Unpunished                   // 1 if the consequences of a breach are asked for, and there are none
	TextNamed                    // 1 if the question names the text
	NotLocal                     // 1 if the catalogue has no law of the named country
	ArticleLong                  // ln of the article's length in words, divided by 100
	BestCovered                  // Covered minus the best Covered
	CoveredShape                 // share of the question's words that only ask for a kind of answer
	CoveredEarlier               // share of the words that only an earlier question has
	CoveredBeside                // share of the words outside the sentences that ask, if there are such sentences
	InText                       // ln of the share of the read articles that belong to its text
	Sentence                     // cosine of the question and the nearest passage, by vectors of sentences
	SentenceGap                  // Sentence minus the best of the read articles
	RankSentence                 // rank by Sentence
	Projected                    // cosine of the question and the nearest passage, by projected vectors of sentences
	RankProjected                // rank by Projected
	AlignedAuthority             // 1 if the question asks who decides or acts, and the article names an authority
	AlignedPermission            // 1 if the question asks what may or must be done, and the article permits, forbids or commands something
	AlignedPeriod                // 1 if the question asks for a length of time, and the article has one
	AlignedCondition             // 1 if the question asks for conditions, and the article sets some
	AlignedPlace                 // 1 if the question asks for a place, and the article names one
	ordered                      // number of features that the order uses

	// The features that only the gate uses. Some describe the article, the others the question alone, and so are the
	// same for all articles.
	NearCovered = iota - 2 // Covered, where words of similar meaning count too
	NearMissed             // weight of the weightiest word without one of similar meaning, as a share of the question
	Close                  // share of the question whose words are close together
	Unknown                // share of the question in words that the catalogue does not contain
	Asked                  // ln of 1 plus the number of words of the question
	Count
)

// names are the names of the features in files.
var names = [Count]string{
	"words", "pieces", "held", "words_of_most", "rank_words", "rank_pieces", "cosine", "cosine_gap", "rank_cosine",
	"section_words", "section_mean", "section_gap", "section_count", "neighbor_words", "neighbor_gap", "opening", "length",
	"no_article", "numbered_l", "numbered_r", "anew", "foreign", "nobodys", "short_words", "short_cosine",
	"found", "rank_found", "covered", "covered_body", "covered_heads", "covered_title", "covered_legal", "covered_plain",
	"missed_names", "rarest", "missed_most", "together", "leaf_likeness", "path_likeness", "title_likeness", "unfigured",
	"unpunished", "text_named", "not_local", "article_long", "best_covered",
	"covered_shape", "covered_earlier", "covered_beside", "in_text", "sentence", "sentence_gap", "rank_sentence", "projected", "rank_projected",
	"aligned_authority", "aligned_permission", "aligned_period", "aligned_condition", "aligned_place",
	"near_covered", "near_missed", "close", "unknown", "asked",
}

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

// Weights are stored by the names of their features, never by index. So new features may be inserted anywhere, and a
// file with unknown features is refused.

// marshalNamed writes the non-zero weights by name.
func marshalNamed(names []string, weights []float64) ([]byte, error) {
	named := make(map[string]float64)
	for i, x := range weights {
		if x != 0 {
			named[names[i]] = x
		}
	}
	return json.Marshal(named)
}

// unmarshalNamed reads what marshalNamed wrote. Unknown names are an error, and so are weights without names.
func unmarshalNamed(data []byte, names []string, weights []float64) error {
	named := make(map[string]float64)
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	clear(weights)
	for name, x := range named {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("unknown weight %q", name)
		}
		weights[i] = x
	}
	return nil
}

// MarshalJSON writes the non-zero weights by the names of their features.
func (w Weights) MarshalJSON() ([]byte, error) { return marshalNamed(names[:], w[:]) }

// UnmarshalJSON reads weights. An unknown feature is an error.
func (w *Weights) UnmarshalJSON(data []byte) error { return unmarshalNamed(data, names[:], w[:]) }

// MarshalJSON writes the non-zero weights by the names of their evidence.
func (w EvidenceWeights) MarshalJSON() ([]byte, error) {
	return marshalNamed(evidenceNames[:], w[:])
}

// UnmarshalJSON reads weights. Unknown evidence is an error, and so is a list, whose values would change their
// meaning with the order of the evidence.
func (w *EvidenceWeights) UnmarshalJSON(data []byte) error {
	return unmarshalNamed(data, evidenceNames[:], w[:])
}
