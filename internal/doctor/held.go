package doctor

// What a worker holds of the catalogue, in bytes: the larger of what « scripts/bench search » measured at 90,000 and at
// 1,000,000 passages (docs/capacity.md).
const (
	heldOfPassage = 716 + 169 // its place in the index with its vector, and what was asked before
	heldOfText    = 1325      // beside a Milvus, where passages lie in files
)

// held is about how many bytes each worker holds of a catalogue: it grows with the passages, beside a Milvus with the texts.
func held(texts, passages int64, milvus bool) int64 {
	if milvus {
		return texts * heldOfText
	}
	return passages * heldOfPassage
}
