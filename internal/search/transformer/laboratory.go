package transformer

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// Index prepares a vocabulary for Of. The laboratory uses it to choose pieces before it has a model.
func Index(p Pieces) *Pieces {
	p.index()
	return &p
}

// Bytes returns the file that ReadProjection reads.
func (p *Projection) Bytes() ([]byte, error) {
	head, err := json.Marshal(p.ProjectionHeader)
	if err != nil {
		return nil, err
	}
	out := append([]byte(ProjectionMagic), binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...)
	out = append(out, head...)
	for _, row := range append([][]float32{p.mean}, p.rows...) {
		for _, x := range row {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out, nil
}
