package layout

import (
	"math"
	"slices"
)

// face is how words of a page are set: those of one font are set alike.
type face struct {
	bold, ital bool
	size       float64 // in whole points
}

func faceOf(w *Word) face { return face{w.Bold, w.Ital, math.Round(w.Size)} }

// faces is how well the words of each face of a page can be read. A page is set in few:
// what comes behind the last of them counts with it.
type faces struct {
	face [16]face
	read [16]legible
	n    int
}

// at is the index of a face, which it takes in where it is new.
func (s *faces) at(f face) int {
	if i := slices.Index(s.face[:s.n], f); i >= 0 {
		return i
	}
	if s.n == len(s.face) {
		return s.n - 1
	}
	s.face[s.n] = f
	s.n++
	return s.n - 1
}

// add reads a word.
func (s *faces) add(w *Word) { s.read[s.at(faceOf(w))].add(w.Text) }

// facesOf reads the words of a page, face by face.
func facesOf(words []Word) (s faces) {
	for i := range words {
		s.add(&words[i])
	}
	return s
}

// brokenShare is how much of the words stands in broken faces, by their length.
func (s *faces) brokenShare() float64 {
	broken, all := 0, 0
	for _, r := range s.read[:s.n] {
		all += r.bytes
		if r.broken() {
			broken += r.bytes
		}
	}
	return share(broken, all)
}

// illegible reports whether a face of words cannot be read.
func illegible(words []Word) bool {
	s := facesOf(words)
	return s.brokenShare() > 0
}
