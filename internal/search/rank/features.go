package rank

// Features are what is known of one found passage and its article. What does not
// apply is 0.
type Features [Count]float32

// The features. Shares go from 0 to 1; ranks are -ln(1 + rank), 0 for the best.
const (
	// Of the index, for each passage.
	Words          = iota // score by words (BM25F), as a share of the best
	Pieces                // score by pieces of words, as a share of the best
	Held                  // share of the question, each word as much as it is rare, that the passage holds
	WordsOfMost           // score by words, as a share of the most that the question can give
	RankWords             // by words
	RankPieces            // by pieces
	Cosine                // with the question, in meaning
	CosineGap             // less the best cosine
	RankCosine            // by meaning
	SectionWords          // the best by words under the same headings
	SectionMean           // the mean by words under the same headings
	SectionGap            // the best cosine under the same headings, less the best of all
	SectionCount          // ln of how many were found under the same headings
	NeighborWords         // the better, by words, of the articles before and after
	NeighborGap           // the better cosine of these, less the best of all
	Opening               // 1 over the place of the article under its headings
	Length                // ln of the length over the mean length
	NoArticle             // the passage is of no article
	NumberedL             // « L. 122-1 »
	NumberedR             // « R. 122-1 », « D. 122-1 »
	NewWording            // it words an article of another text anew
	Foreign               // a country is named, and the text is the law of another
	UnknownCountry        // a country is named, and whose law the text is is not known
	ShortWords            // Words, where the question has few words
	ShortCosine           // Cosine, where the question has few words
	indexed               // how many the index fills in

	// Of the article, as it was read.
	Found          = iota - 1 // score of Find, of its best passage, less the best
	RankFound                 // by Find
	Covered                   // share of the question that the article, its headings or its title carry
	CoveredBody               // … that its text carries
	CoveredHeads              // … that the headings carry
	CoveredTitle              // … that the title of the text carries
	CoveredLegal              // what the words of the law for the question's add to Covered
	CoveredPlain              // Covered, names left out
	MissedNames               // share of the names that are not there
	Rarest                    // how much of the weightiest word of the question is there
	MissedMost                // weight of the weightiest missing word, as a share of the question
	Together                  // share of the question's neighbors that stand together
	LeafLikeness              // of the question and the nearest heading, by pieces of words
	PathLikeness              // of the question and all headings
	TitleLikeness             // of the question and the title of the text
	Unfigured                 // a figure is asked for, and there is none of its kind
	Unpunished                // what follows on a breach is asked for, and nothing of the kind is there
	TextNamed                 // the question names the text
	NotLocal                  // the catalogue has no law of the country that is named
	ArticleLong               // ln of the article's length in words, over 100
	BestCovered               // Covered less the best of all
	CoveredShape              // share of the words that only say what kind of answer is asked for
	CoveredEarlier            // … of those that only an earlier question has
	CoveredBeside             // … of those that stand in no sentence that asks, where another does
	InText                    // ln of the share of the articles read that are of its text
	Sentence                  // cosine of the question and the passage that is nearest to it, by sentences
	SentenceGap               // less the best of the articles read
	RankSentence              // by it
	ordered                   // how many the order goes by

	// Of the article, as the gate looks at it, and of the question, the same for all.
	NearCovered = iota - 2 // Covered with what the words of the article are near to in meaning
	NearMissed             // weight of the weightiest word that it is far from, as a share of the question
	Close                  // share of the question that stands close together
	Unknown                // share of the question in words that the catalogue has nowhere
	Asked                  // ln of 1 and how many words the question has
	Count
)

// names are those of the features in files.
var names = [Count]string{
	"words", "pieces", "held", "words_of_most", "rank_words", "rank_pieces", "cosine", "cosine_gap", "rank_cosine",
	"section_words", "section_mean", "section_gap", "section_count", "neighbor_words", "neighbor_gap", "opening", "length",
	"no_article", "numbered_l", "numbered_r", "anew", "foreign", "nobodys", "short_words", "short_cosine",
	"found", "rank_found", "covered", "covered_body", "covered_heads", "covered_title", "covered_legal", "covered_plain",
	"missed_names", "rarest", "missed_most", "together", "leaf_likeness", "path_likeness", "title_likeness", "unfigured",
	"unpunished", "text_named", "not_local", "article_long", "best_covered",
	"covered_shape", "covered_earlier", "covered_beside", "in_text", "sentence", "sentence_gap", "rank_sentence",
	"near_covered", "near_missed", "close", "unknown", "asked",
}

// Names are the names of the features, in order.
func Names() []string { return append([]string(nil), names[:]...) }

// Indexed reports whether a feature is one that the index fills in.
func Indexed(i int) bool { return i < indexed }

// Ordered reports whether a feature is one that articles are put in order by; the others
// are filled in for the first of them only.
func Ordered(i int) bool { return i < ordered }
