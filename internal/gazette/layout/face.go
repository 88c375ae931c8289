package layout

import (
	"math"
	"slices"
)

// face is the style of a word. Words of one font and size have the same face.
type face struct {
	bold, ital bool
	size       float64 // in whole points
}

func faceOf(w *Word) face { return face{w.Bold, w.Ital, math.Round(w.Size)} }

// faces measures how legible the words of each face of a page are. Pages have few faces; if a page has more than fit
// into the array, the words of further faces count as words of the last one.
type faces struct {
	face [16]face
	read [16]legible
	n    int
}

// indexOf returns the index of a face, which it adds if it is new.
func (s *faces) indexOf(f face) int {
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

// measureWord measures a word.
func (s *faces) measureWord(w *Word) { s.read[s.indexOf(faceOf(w))].measureWord(w.Text) }

// facesOf measures the words of a page, face by face.
func facesOf(words []Word) (s faces) {
	for i := range words {
		s.measureWord(&words[i])
	}
	return s
}

// brokenShare returns the share of the words, by length, that are in broken faces.
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

// illegible reports whether words contain a broken face.
func illegible(words []Word) bool {
	s := facesOf(words)
	return s.brokenShare() > 0
}
