package transformer

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Pieces is the vocabulary of a unigram tokenizer (Kudo, « Subword Regularization », 2018),
// as in SentencePiece. It splits a text into the sequence of pieces with the highest
// probability.
type Pieces struct {
	Names  []string
	Scores []float32 // logarithms of the probabilities of the pieces
	Norm   map[rune]string
	Begin  int // <s>
	End    int // </s>
	Lost   int // <unk>

	ids     map[string]int32
	longest int // length of the longest piece in bytes
	lost    float32
}

// lostPenalty is the difference between the lowest score of a piece and the score of an
// unknown character (SentencePiece's kUnkPenalty).
const lostPenalty = 10

// space represents a space in pieces.
const space = '\u2581'

func (p *Pieces) index() {
	p.ids, p.lost = make(map[string]int32, len(p.Names)), math.MaxFloat32
	for i, name := range p.Names {
		if i != p.Begin && i != p.End && i != p.Lost { // no text is split into these
			p.ids[name] = int32(i)
		}
		p.longest = max(p.longest, len(name))
		p.lost = min(p.lost, p.Scores[i])
	}
	p.lost -= lostPenalty
}

// normalize replaces characters as the vocabulary requires, and each run of spaces by the
// character space.
func (p *Pieces) normalize(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		to, other := p.Norm[r]
		if !other {
			to = string(r)
		}
		for _, r := range to {
			if r != ' ' && b.Len() == 0 {
				b.WriteRune(space)
			}
			if r != ' ' {
				b.WriteRune(r)
			} else if !blank {
				b.WriteRune(space)
			}
			blank = r == ' '
		}
	}
	if b.Len() == 0 {
		b.WriteRune(space)
	}
	return b.String()
}

// node is the most probable sequence of pieces up to an offset: its score, its last piece,
// and where that begins.
type node struct {
	score float32
	piece int32
	from  int32
}

// Of returns the pieces of a text.
func (p *Pieces) Of(text string) []int32 {
	text = p.normalize(text)
	nodes := make([]node, len(text)+1)
	for i := range nodes {
		nodes[i].score = -math.MaxFloat32
	}
	nodes[0].score = 0
	for at := 0; at < len(text); {
		_, width := utf8.DecodeRuneInString(text[at:])
		here := nodes[at].score
		for end := at + width; end <= len(text) && end-at <= p.longest; {
			if id, ok := p.ids[text[at:end]]; ok {
				if s := here + p.Scores[id]; s > nodes[end].score {
					nodes[end] = node{s, id, int32(at)}
				}
			}
			if end == len(text) {
				break
			}
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
		}
		if s := here + p.lost; s > nodes[at+width].score {
			nodes[at+width] = node{s, int32(p.Lost), int32(at)}
		}
		at += width
	}
	var out []int32
	for at := int32(len(text)); at > 0; at = nodes[at].from {
		out = append(out, nodes[at].piece)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
