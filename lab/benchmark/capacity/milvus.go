package main

import "math"

// milvusSize is what a collection of so many passages takes in the memory of Milvus's query nodes, in bytes.
type milvusSize struct {
	vectors, graph, words, scalars float64
	head                           float64 // share that is kept free: growing segments, compaction
}

// Parts of a row (internal/search/milvus/rows.go), in bytes.
const (
	// rowText is id (36 of a UUID, ":0"), passage and document; domain, type and status are some 30 together.
	rowText    = 38 + 36 + 36 + 30
	rowNumbers = 4 * 8 // from, to, version, place
	hidden     = 2 * 8 // Milvus's own row id and timestamp
)

// milvus reckons it from what a row has: its vector as 4-byte numbers; the graph's lowest layer, which has twice as many
// links of 4 bytes as the others have (hnswlib's M), the others adding a twentieth; a number and a weight of 4 bytes for
// each word, once as they came and once by word; and the fields beside these. A third is kept free, as the sizing tool of
// its makers does.
func (m measured) milvus(h habits, passages float64) milvusSize {
	return milvusSize{
		vectors: passages * h.Dimensions * 4,
		graph:   passages * h.Links * 2 * 4 * 1.05,
		words:   passages * m.largest("terms_per_passage") * 8 * 2,
		scalars: passages * (rowText + rowNumbers + hidden + m.largest("counts_bytes_per_passage")),
		head:    1.0 / 3,
	}
}

func (s milvusSize) bytes() float64 { return s.vectors + s.graph + s.words + s.scalars }

// memory is in GiB, what is kept free among it.
func (s milvusSize) memory() float64 { return math.Ceil(s.bytes() * (1 + s.head) / gib) }

// disk is in GiB, in the bucket: what is in memory, the raw rows that indexes are made of, and as much again while
// segments are put together.
func (s milvusSize) disk() float64 { return math.Ceil(3 * s.bytes() / gib) }

// nodes is how many query nodes of a cluster hold it once.
func (s milvusSize) nodes(h habits) float64 { return math.Ceil(s.memory() / h.Node) }
