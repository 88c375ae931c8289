package french

import "math"

// Gram is a piece of four or five letters of a term, with its beginning marked.
type Gram uint64

// Grams appends the pieces of term to dst, each once, in order: the beginning
// of a word counts as a letter, its end does not, since that is where French
// inflects.
func Grams(dst []Gram, term string) []Gram {
	from := len(dst)
	at := func(i int) byte {
		if i == 0 {
			return '^'
		}
		return term[i-1]
	}
	for size := 4; size <= 5; size++ {
		for i := 0; i+size <= len(term)+1; i++ {
			var g Gram
			for k := range size {
				g = g<<8 | Gram(at(i+k))
			}
			dst = addGram(dst, from, g)
		}
	}
	return dst
}

func addGram(dst []Gram, from int, g Gram) []Gram {
	for _, d := range dst[from:] {
		if d == g {
			return dst
		}
	}
	return append(dst, g)
}

// Likeness compares two terms by their pieces: shared is how many pieces they
// have in common, a and b how many each has. 1 is the same pieces, 0 none in
// common (Salton's cosine over sets).
func Likeness(shared, a, b int) float64 {
	if shared == 0 {
		return 0
	}
	return float64(shared) / math.Sqrt(float64(a)*float64(b))
}

// Similar is the Likeness of two terms.
func Similar(a, b string) float64 {
	if a == b {
		return 1
	}
	var room [64]Gram
	ga := Grams(room[:0], a)
	gb := Grams(nil, b)
	shared := 0
	for _, x := range ga {
		for _, y := range gb {
			if x == y {
				shared++
			}
		}
	}
	return Likeness(shared, len(ga), len(gb))
}

// Akin is how alike two terms are when one may stand for the other, 0 when it may
// not. Short ones must be nearly the same: « viol » is no
// « violence ».
func Akin(a, b string) float64 {
	const resembling, short, nearly = 0.5, 4, 0.75
	like := Similar(a, b)
	if like < resembling || like < nearly && min(len(a), len(b)) <= short {
		return 0
	}
	return like
}
