package doctor

// The memory that a worker needs for the catalogue, in bytes. The value per passage is the larger one of two
// measurements of « scripts/bench search », with 90,000 and with 1,000,000 passages (docs/capacity.md). With Milvus,
// the index is kept in files and the memory does not depend on the size of the catalogue.
const (
	heldOfPassage     = 716 + 169 // the passage in the index with its vector, plus cached results
	heldBesideAMilvus = 1 << 20
)

// held returns the approximate memory of a worker for a catalogue, in bytes.
func held(passages int64, milvus bool) int64 {
	if milvus {
		return heldBesideAMilvus
	}
	return passages * heldOfPassage
}
