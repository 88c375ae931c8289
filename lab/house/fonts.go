package house

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
)

// What a broken font does to the words set in it, as PDFs do whose fonts were embedded
// without the table that tells which letters their glyphs are. A page is painted as it was
// printed all the same: only its text layer is wrong.

// fonts breaks the fonts of a page: all of them, or that of its heads. A shift moves the
// codes by a fixed step; other fonts number their glyphs in any order.
func (w *wear) fonts() {
	if !w.chance(w.Fonts) {
		return
	}
	letters := w.recode()
	set := w.faceOf()
	for k := range w.page.Words {
		if o := &w.page.Words[k]; set(o) {
			o.Text = strings.Map(letters, o.Text)
		}
	}
}

// recode draws which letters the glyphs of a font are taken for.
func (w *wear) recode() func(rune) rune {
	if w.chance(0.5) {
		step := []rune{-29, -31, 1, 3, -3}[w.rng.IntN(5)]
		return func(r rune) rune {
			if moved := r + step; moved > ' ' && moved != '\u00a0' && unicode.IsPrint(moved) {
				return moved
			}
			return unicode.ReplacementChar
		}
	}
	var to [unicode.MaxLatin1 + 1]rune
	shuffle(w.rng, &to, 'a', 'z')
	shuffle(w.rng, &to, 'A', 'Z')
	shuffle(w.rng, &to, 'À', 'ÿ')
	return func(r rune) rune {
		if r <= unicode.MaxLatin1 && to[r] != 0 {
			return to[r]
		}
		return r
	}
}

// shuffle makes each of the characters from..through another one of them.
func shuffle(rng *rand.Rand, to *[unicode.MaxLatin1 + 1]rune, from, through rune) {
	for i, k := range rng.Perm(int(through - from + 1)) {
		to[int(from)+i] = from + rune(k)
	}
}

// faceOf draws which words are set in the broken font: all, the bold ones, or the largest
// ones where nothing is bold.
func (w *wear) faceOf() func(o *layout.Word) bool {
	if w.chance(0.4) {
		return func(*layout.Word) bool { return true }
	}
	largest, bold := 0.0, false
	for k := range w.page.Words {
		largest, bold = max(largest, w.page.Words[k].Size), bold || w.page.Words[k].Bold
	}
	return func(o *layout.Word) bool { return bold && o.Bold || !bold && o.Size == largest }
}

// tied are the letters that fonts set as one.
var tied = strings.NewReplacer("ffi", "\x00", "ffl", "\x00", "ff", "\x00", "fi", "\x00", "fl", "\x00")

// ligatures takes the letters away that the page's font sets as one: they are lost, part
// their word, or become a mark that stands for nothing.
func (w *wear) ligatures() {
	if !w.chance(w.Ligatures) {
		return
	}
	become := []string{"", " ", "•"}[w.rng.IntN(3)]
	w.edit(func(_ int, o layout.Word, emit func(layout.Word)) {
		o.Text = strings.Trim(strings.ReplaceAll(tied.Replace(o.Text), "\x00", become), " ")
		apart(o, emit)
	})
}

// Wear damages pages of words in place, whoever made them: those of a real file, of which
// no truth is known but that they could be read before.
func Wear(pages []layout.Page, damage Damage, seed uint64) {
	i := Issue{Pages: pages, Labels: make([][]Label, len(pages)), Owner: make([][]int, len(pages))}
	for n := range pages {
		i.Labels[n], i.Owner[n] = make([]Label, len(pages[n].Words)), make([]int, len(pages[n].Words))
	}
	damage.apply(&i, rand.New(rand.NewPCG(seed, 0x57454152)))
}
