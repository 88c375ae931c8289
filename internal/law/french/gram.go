package french

import "math"

// Gram is a piece of a term: four or five letters in a row. A piece at the beginning of the
// term differs from the same letters elsewhere.
type Gram uint64

// Grams appends the pieces of term to dst, each once, in order. The beginning of a word
// counts as a letter. Its end does not, because French words inflect there.
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

// Likeness compares two terms by their pieces (Salton's cosine over sets). shared is the
// number of pieces that both have, a and b are the numbers of pieces of each. The result is
// 1 for the same pieces and 0 without common pieces.
func Likeness(shared, a, b int) float64 {
	if shared == 0 {
		return 0
	}
	return float64(shared) / math.Sqrt(float64(a)*float64(b))
}

// Similar returns the Likeness of two terms.
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

// Akin returns the similarity of two terms if one may stand for the other, else 0. Short
// terms must be nearly the same: « viol » does not stand for « violence ».
func Akin(a, b string) float64 {
	const resembling, short, nearly = 0.5, 4, 0.75
	like := Similar(a, b)
	if like < resembling || like < nearly && min(len(a), len(b)) <= short {
		return 0
	}
	return like
}
