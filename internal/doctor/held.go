package doctor

// What a worker holds of the catalogue, in bytes: of a passage the larger of what « scripts/bench search » measured at 90,000
// and at 1,000,000 (docs/capacity.md), of a text with a title of 130 letters.
const (
	heldOfPassage = 716 + 169 // its place in the index with its vector, and what was asked before
	heldOfText    = 1000      // beside a Milvus: what texts are called, once a question names one; the register lies in files
)

// held is about how many bytes each worker holds of a catalogue: it grows with the passages, beside a Milvus with the texts.
func held(texts, passages int64, milvus bool) int64 {
	if milvus {
		return texts * heldOfText
	}
	return passages * heldOfPassage
}
