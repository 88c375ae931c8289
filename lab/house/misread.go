package house

import (
	_ "embed"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/gazette/layout"
)

//go:embed confusions.tsv
var confusionsFile string

// reading is what is read for a piece of text, and how often.
type reading struct {
	text  string
	share float64
}

// confusions are the readings of each piece that is misread at times.
var confusions = sync.OnceValue(func() map[string][]reading {
	out := map[string][]reading{}
	for line := range strings.Lines(confusionsFile) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 3 {
			panic("house: no confusion: " + line)
		}
		share, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			panic(err)
		}
		out[f[0]] = append(out[f[0]], reading{f[1], share})
	}
	return out
})

// letters damages the words' letters, and the spaces between them.
func (w *wear) letters() {
	if w.Confusion+w.Noise+w.Blur+w.Accents == 0 {
		return
	}
	together := 0.015 * w.Noise
	for _, r := range confusions()[" "] {
		if r.text == "" {
			together += r.share * 2 * w.Confusion
		}
	}
	var held *layout.Word
	w.edit(func(k int, o layout.Word, emit func(layout.Word)) {
		o.Text = w.blur(w.bare(w.misread(o.Text)))
		if held != nil && o.Text != "" {
			o.Text, o.Rect[0] = held.Text+o.Text, held.Rect[0]
			held = nil
		}
		if w.sameRow(k) && w.labels[k] == w.labels[k+1] && w.owner[k] == w.owner[k+1] && w.chance(together) && o.Text != "" {
			kept := o
			held = &kept
			return
		}
		if held != nil { // the next word was lost
			o, held = *held, nil
		}
		if r := []rune(o.Text); len(r) > 3 && w.chance(0.015*w.Noise) {
			at := 1 + w.rng.IntN(len(r)-2)
			o.Text = string(r[:at]) + " " + string(r[at:])
		}
		apart(o, emit)
	})
}

// apart emits a word in which spaces were read as several.
func apart(o layout.Word, emit func(layout.Word)) {
	if !strings.Contains(o.Text, " ") {
		emit(o)
		return
	}
	all, x := float64(len([]rune(o.Text))), 0.0
	wide := o.Rect[2] - o.Rect[0]
	for part := range strings.SplitSeq(o.Text, " ") {
		n := float64(len([]rune(part)))
		made := o
		made.Text = part
		made.Rect[0], made.Rect[2] = hundredth(o.Rect[0]+wide*x/all), hundredth(o.Rect[0]+wide*(x+n)/all)
		emit(made)
		x += n + 1
	}
}

// misread reads letters as others.
func (w *wear) misread(s string) string {
	if w.Confusion == 0 {
		return s
	}
	table := confusions()
	var b strings.Builder
	r := []rune(s)
next:
	for i := 0; i < len(r); {
		for n := min(3, len(r)-i); n >= 1; n-- {
			piece := string(r[i : i+n])
			for _, c := range table[piece] {
				if w.chance(c.share * 2 * w.Confusion) {
					b.WriteString(c.text)
					i += n
					continue next
				}
			}
		}
		b.WriteRune(r[i])
		i++
	}
	return strings.TrimSpace(b.String())
}

// bare takes accents off.
func (w *wear) bare(s string) string {
	if w.Accents == 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r > unicode.MaxASCII && w.chance(w.Accents) {
			b.WriteString(bareLetters.Replace(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// blur takes small marks away.
func (w *wear) blur(s string) string {
	if w.Blur == 0 || !strings.ContainsAny(s, ".,'’°;:«»-") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".,'’°;:«»-", r) && w.chance(0.3*w.Blur) {
			return -1
		}
		return r
	}, s)
}

// shift moves the codes of a page's letters by a fixed step, as fonts do that were
// embedded without their table: of the whole page, or of its bold words.
func (w *wear) shift() {
	if !w.chance(w.Shift) {
		return
	}
	step := []rune{-29, 29, -31, 1, 3}[w.rng.IntN(5)]
	bold := w.chance(0.3)
	for k := range w.page.Words {
		o := &w.page.Words[k]
		if bold && !o.Bold {
			continue
		}
		o.Text = strings.Map(func(r rune) rune {
			if moved := r + step; moved > ' ' && moved != '\u00a0' && unicode.IsPrint(moved) {
				return moved
			}
			return '\ufffd'
		}, o.Text)
	}
}

// Obscure reads a piece of text as recognition does where it fails: of its letters and
// signs so many in 1 are misread, by the table of confusions where it knows them whatever
// their share there, and otherwise lost, doubled or taken for others.
func Obscure(s string, share float64, rng *rand.Rand) string {
	table := confusions()
	var b strings.Builder
	for _, r := range s {
		if rng.Float64() >= share {
			b.WriteRune(r)
			continue
		}
		known := table[string(r)]
		switch k := rng.IntN(5); {
		case k < 2 && len(known) > 0:
			b.WriteString(known[rng.IntN(len(known))].text)
		case k == 0:
		case k == 1:
			b.WriteRune(r)
			b.WriteRune(obscured[rng.IntN(len(obscured))])
		default:
			b.WriteRune(obscured[rng.IntN(len(obscured))])
		}
	}
	return b.String()
}

// obscured are letters, figures and signs that stand for others.
var obscured = []rune("abcdefghiklmnoprstuvxzACDEFILNOSTUVÀÉàé0123456789.,'’:;-—()!|/ ")
