package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"vigueur/internal/search/transformer"
)

// write returns the file of weights of the given pieces and all layers.
func (s *source) write(h transformer.Header, kept []int) ([]byte, error) {
	p := &s.pieces
	h.Pieces.Norm = make(map[rune]string)
	for r, to := range p.Norm {
		if r < 0x370 || r >= 0x2000 && r < 0x2200 || r >= 0xfb00 && r < 0xfb07 || r >= 0xff00 && r < 0xff5f {
			h.Pieces.Norm[r] = to
		}
	}
	for to, from := range kept {
		switch from {
		case p.Begin:
			h.Pieces.Begin = to
		case p.End:
			h.Pieces.End = to
		case p.Lost:
			h.Pieces.Lost = to
		}
		h.Pieces.Names, h.Pieces.Scores = append(h.Pieces.Names, p.Names[from]), append(h.Pieces.Scores, p.Scores[from])
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(transformer.Magic)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	words, row := s.tensors["emb.word"], s.shape.Hidden/32*18
	if len(words) < len(p.Names)*row || len(s.tensors["emb.pos"]) < s.shape.Positions*s.shape.Hidden*4 || len(s.tensors["emb.type"]) < s.shape.Hidden*4 {
		return nil, errors.New("the model has vectors for fewer pieces or positions than it says")
	}
	for _, from := range kept {
		b.Write(words[from*row : (from+1)*row])
	}
	positions, kind := floats(s.tensors["emb.pos"]), floats(s.tensors["emb.type"])
	for i, x := range positions[:s.shape.Positions*s.shape.Hidden] {
		b.Write(binary.LittleEndian.AppendUint16(nil, half(x+kind[i%s.shape.Hidden])))
	}
	parts := []string{"emb.ln.w", "emb.ln.b"}
	for l := range s.shape.Layers {
		for _, name := range []string{"q.w", "q.b", "k.w", "k.b", "v.w", "v.b", "ao.w", "ao.b", "aln.w", "aln.b", "fi.w", "fi.b", "fo.w", "fo.b", "oln.w", "oln.b"} {
			parts = append(parts, fmt.Sprintf("l%d.%s", l, name))
		}
	}
	for _, name := range parts {
		t, ok := s.tensors[name]
		if !ok {
			return nil, fmt.Errorf("the model has no %s", name)
		}
		b.Write(t)
	}
	return b.Bytes(), nil
}

func floats(data []byte) (out []float32) {
	for ; len(data) >= 4; data = data[4:] {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return out
}

// half returns the nearest number of half precision, for numbers that it can tell.
func half(x float32) uint16 {
	b := math.Float32bits(x)
	sign, e := uint16(b>>16&0x8000), int(b>>23&255)-112
	switch {
	case e >= 31:
		return sign | 31<<10
	case e <= 0:
		return sign | uint16(math.RoundToEven(math.Abs(float64(x))*(1<<24)))
	}
	return sign + uint16((b&0x7fffff+0xfff+b>>13&1)>>13) + uint16(e<<10)
}
