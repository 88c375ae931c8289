package answering

import (
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/search/retrieve"
)

// numbered returns the text that the reader gets for the pieces of a model's text, and the
// order of the sources.
func numbered(sources int, pieces ...string) (string, []int) {
	n := numbering{sources: sources}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(n.write(p))
	}
	b.WriteString(n.flush())
	return b.String(), n.order
}

func TestSourcesAreNumberedAsTheyAreUsed(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"A [3]. B [1]. C [3].":          "A [1]. B [2]. C [1].",
		"A [2, 5] B":                    "A [1] [2] B",
		"A [99].":                       "A.",
		"A [99, 2].":                    "A [1].",
		"A [0] B [4":                    "A B [4",
		"« (…) [sic] » [2]\n\nEt [1] !": "« (…) [sic] » [1]\n\nEt [2] !",
		"A [":                           "A [",
		"A [ 1234 ]":                    "A [ 1234 ]",
		"":                              "",
	} {
		if got, _ := numbered(5, given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestMarksInPiecesAreOneMark(t *testing.T) {
	t.Parallel()
	const text = "Le préavis\u00a0[4] est de [[2] trois mois [12] [4, 1]. Fin [1"
	whole, order := numbered(4, text)
	for size := 1; size < 9; size++ {
		var pieces []string
		for rest := text; rest != ""; {
			k := min(size, len(rest))
			pieces, rest = append(pieces, rest[:k]), rest[k:]
		}
		if got, other := numbered(4, pieces...); got != whole || len(other) != len(order) {
			t.Errorf("pieces of %d: %q, %v, want %q, %v", size, got, other, whole, order)
		}
	}
}

func TestCitedSourcesComeFirst(t *testing.T) {
	t.Parallel()
	var hits []retrieve.Hit
	for _, number := range []string{"1", "2", "3"} {
		h := retrieve.Hit{}
		h.Article = law.Article{Number: number}
		hits = append(hits, h)
	}
	n := numbering{sources: 3}
	n.write("[3] [2]")
	var got string
	for _, h := range n.arrange(hits) {
		got += h.Article.Number
	}
	if got != "321" {
		t.Errorf("sources in the order %s, want 321", got)
	}
}

// Whatever a model writes, and however its text is cut into pieces, the reader gets only
// marks of existing sources, and the text is not changed otherwise.
func FuzzNumbering(f *testing.F) {
	f.Add("A [3]. B [1].", 2)
	f.Add("[[[1, 99]]] [\xff2]", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 {
			size = 1
		}
		var pieces []string
		for rest := text; rest != ""; {
			k := min(size, len(rest))
			pieces, rest = append(pieces, rest[:k]), rest[k:]
		}
		got, order := numbered(3, pieces...)
		whole, _ := numbered(3, text)
		if got != whole {
			t.Errorf("in pieces %q, at once %q", got, whole)
		}
		for _, m := range marks.FindAllStringSubmatch(whole, -1) {
			if len(m[1]) > 1 || m[1] < "1" || m[1] > "3" {
				t.Errorf("%q: the mark %s of no source", whole, m[0])
			}
		}
		if len(order) > 3 {
			t.Errorf("%v of 3 sources", order)
		}
	})
}
