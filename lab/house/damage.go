package house

import (
	"math"
	"math/rand/v2"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
)

// Damage is what happened to an issue between the press and the reader, each from
// 0, nothing, to 1, as bad as it gets. The truth about texts stays what it was,
// even about one whose title was lost with a line.
type Damage struct {
	OCR       bool    // the words are recognized ones: layout.OCR, no sizes, no bold, one height a line
	Skew      float64 // lines lean, by two degrees at most, and wave
	Noise     float64 // boxes jitter, words are split and run together, specks become words, lines are lost
	Blur      float64 // stops, commas, degrees and apostrophes are lost
	Accents   float64 // share of the accents that are lost
	Shift     float64 // share of the pages whose codes are shifted, wholly or in one face
	Confusion float64 // letters are read as others: at 0.5 as often as on the scans measured
	Fonts     float64 // share of the pages with a font whose glyphs are taken for other letters
	Ligatures float64 // share of the pages whose font loses what it sets as one: « fi », « ff »
	Tall      float64 // share of the recognized lines whose boxes reach into the lines above or below: bent paper, stains
}

// tallest is by how much of its height the box of a recognized line may be too high:
// higher ones are taken for two lines by whoever reads them.
const tallest = 0.7

// wear damages one page.
type wear struct {
	Damage
	rng    *rand.Rand
	page   *layout.Page
	labels []Label
	owner  []int
}

func (d Damage) apply(i *Issue, rng *rand.Rand) {
	if d == (Damage{}) {
		return
	}
	angle := (2*rng.Float64() - 1) * 2 * d.Skew
	for n := range i.Pages {
		w := wear{d, rng, &i.Pages[n], i.Labels[n], i.Owner[n]}
		// The order is that of things: what the press, the codes, the paper and the
		// reader do.
		w.shift()
		w.fonts()
		w.ligatures()
		w.letters()
		w.specks()
		w.lost()
		w.recognized()
		w.jitter()
		w.lean(angle + (2*rng.Float64()-1)*0.3*d.Skew)
		i.Labels[n], i.Owner[n] = w.labels, w.owner
	}
}

// chance is true in a share of all cases.
func (w *wear) chance(share float64) bool { return share > 0 && w.rng.Float64() < share }

// edit replaces each word by what f emits for it, under the same label.
func (w *wear) edit(f func(k int, o layout.Word, emit func(layout.Word))) {
	words := make([]layout.Word, 0, len(w.page.Words)+8)
	labels, owner := make([]Label, 0, cap(words)), make([]int, 0, cap(words))
	for k, o := range w.page.Words {
		f(k, o, func(made layout.Word) {
			if made.Text != "" {
				words, labels, owner = append(words, made), append(labels, w.labels[k]), append(owner, w.owner[k])
			}
		})
	}
	w.page.Words, w.labels, w.owner = words, labels, owner
}

// sameRow reports whether the words k and k+1 stand beside each other on one line.
func (w *wear) sameRow(k int) bool {
	if k < 0 || k+1 >= len(w.page.Words) {
		return false
	}
	a, b := w.page.Words[k].Rect, w.page.Words[k+1].Rect
	return a[3] == b[3] && b[0] >= a[2] && b[0]-a[2] < 2*(a[3]-a[1])
}

// specks become words, and lose the order of nothing: they belong to no text.
func (w *wear) specks() {
	if w.Noise == 0 {
		return
	}
	p := w.page
	for range w.rng.IntN(1 + int(14*w.Noise)) {
		h := 2 + 8*w.rng.Float64()
		x, y := w.rng.Float64()*(p.Width-10), w.rng.Float64()*(p.Height-10)
		text := []string{".", "'", "-", "—", ",", "|", "i", "\"", "~", "1", "_", "l", "•", "’"}[w.rng.IntN(14)]
		p.Words = append(p.Words, layout.Word{Text: text, Size: hundredth(h), Rect: [4]float64{hundredth(x), hundredth(y), hundredth(x + h/2), hundredth(y + h)}})
		w.labels, w.owner = append(w.labels, Furniture), append(w.owner, -1)
	}
}

// lost takes whole lines away, at most one in fifty.
func (w *wear) lost() {
	gone := false
	w.edit(func(k int, o layout.Word, emit func(layout.Word)) {
		if !w.sameRow(k - 1) {
			gone = w.chance(0.02 * w.Noise)
		}
		if !gone {
			emit(o)
		}
	})
}

// recognized makes the words what Tesseract gives: no sizes and faces, boxes about
// the letters, as high as their line's.
func (w *wear) recognized() {
	if !w.OCR {
		return
	}
	p := w.page
	p.Source, p.Cover, p.Drawn, p.DPI = layout.OCR, 1, true, []float64{150, 200, 300}[w.rng.IntN(3)]
	if len(p.Words) == 0 {
		p.Source = layout.None
	}
	var top, bottom float64
	for k := range p.Words {
		if !w.sameRowAs(k) {
			// The highest and the lowest letter of the line decide.
			top, bottom = 0.17+0.08*w.rng.Float64(), 0.02+0.05*w.rng.Float64()
			if w.chance(0.1) { // a line of figures: nothing hangs below
				bottom += 0.12
			}
			if w.chance(w.Tall) {
				reach := tallest * w.rng.Float64()
				share := w.rng.Float64()
				top, bottom = top-reach*share, bottom-reach*(1-share)
			}
		}
		o := &p.Words[k]
		h := o.Rect[3] - o.Rect[1]
		o.Rect[1], o.Rect[3] = hundredth(o.Rect[1]+top*h), hundredth(o.Rect[3]-bottom*h)
		o.Size, o.Bold, o.Ital = 0, false, false
		if strings.ContainsFunc(o.Text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
			o.Text = w.guess(len([]rune(o.Text)))
		}
	}
}

// guess is what a reader of French makes of so many letters of another script.
func (w *wear) guess(n int) string {
	const made = "aicsjltLSJEuo5&_-.;'|Aéwb"
	r := []rune(made)
	out := make([]rune, 0, n)
	for range 1 + w.rng.IntN(n+1) {
		out = append(out, r[w.rng.IntN(len(r))])
	}
	return string(out)
}

// sameRowAs reports whether the word k goes on with the line of the one before it,
// whose box may have been changed.
func (w *wear) sameRowAs(k int) bool {
	if k == 0 {
		return false
	}
	a, b := w.page.Words[k-1].Rect, w.page.Words[k].Rect
	return math.Abs(a[3]-b[3]) < 0.3*(b[3]-b[1]) && b[0] >= a[2] && b[0]-a[2] < 2*(b[3]-b[1])
}

// jitter moves the edges of boxes.
func (w *wear) jitter() {
	if w.Noise == 0 {
		return
	}
	for k := range w.page.Words {
		r := &w.page.Words[k].Rect
		for i := range r {
			r[i] = hundredth(r[i] + (2*w.rng.Float64()-1)*w.Noise*0.8)
		}
		r[2], r[3] = max(r[2], r[0]+0.5), max(r[3], r[1]+0.5)
	}
}

// lean turns and waves the lines. The lean of a scan that a reader would see is
// told as a reader tells it.
func (w *wear) lean(angle float64) {
	if w.Skew == 0 {
		return
	}
	p := w.page
	high, long, from := 1.5*w.Skew*w.rng.Float64(), 150+400*w.rng.Float64(), 6*w.rng.Float64()
	for k := range p.Words {
		r := layout.Lean(p.Words[k].Rect, angle, p.Width, p.Height)
		d := high * math.Sin(from+(r[0]+r[2])/2/long*2*math.Pi)
		for i := range r {
			r[i] += d * float64(i%2)
			r[i] = hundredth(r[i])
		}
		p.Words[k].Rect = r
	}
	const told = 0.2 // degrees: less is not looked for
	if p.Source == layout.OCR && math.Abs(angle) >= told {
		p.Skew = math.Round(angle*20) / 20
	}
}
