package doctor

// What a worker holds of the catalogue, in bytes: of a passage the larger of what « scripts/bench search » measured at 90,000
// and at 1,000,000 (docs/capacity.md); beside a Milvus, where the register lies in files, so much of a catalogue of any size.
const (
	heldOfPassage     = 716 + 169 // its place in the index with its vector, and what was asked before
	heldBesideAMilvus = 1 << 20
)

// held is about how many bytes each worker holds of a catalogue: it grows with the passages, but not beside a Milvus.
func held(passages int64, milvus bool) int64 {
	if milvus {
		return heldBesideAMilvus
	}
	return passages * heldOfPassage
}
