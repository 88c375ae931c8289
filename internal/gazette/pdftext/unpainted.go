package pdftext

import (
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// A file may have text that nobody who looks at the page sees: white on white, masked, clipped away, of no size, in letters without
// a shape, in a layer that is switched off. It is no part of the print. So the page is painted, and painted again without its
// text: the words whose place looks the same in both pictures are left out. Text that a shape or a picture covers was printed
// before somebody laid that over it; it is kept, and marked.
//
// The words that a scanner's recognition lays over or under its picture are invisible by intent, and stay where the picture
// has ink.

// The resolution of the two pictures, by how much one of their dots must differ to show ink, and the pixels of a picture: that of
// a larger page is coarser.
const (
	inkDPI   = 96
	leastInk = 16
	mostDots = 16_000_000
)

const (
	leastType = 2.5 // points: an eye does not read smaller type. The letters of this size are 5 minutes of arc high, a foot away
	cover     = 6.0 // points: what is lower or narrower covers no word
)

// ink tells which letters of a loaded page people see.
type ink struct {
	*engine
	scan       bool           // the page is a scan, and words without ink are its recognition
	order      map[uint64]int // place of each text object that belongs to no form, in the order of painting
	over       []covering     // what may cover text, in the order of painting
	scale      float64        // dots for a point
	size       image.Point
	page, rest []byte            // the page, and the page without its text; nil if it cannot be painted
	rows       map[int][]printed // the painted words, by their height on the page
}

// covering is a filled shape, a shading, a picture or a form that may cover text.
type covering struct {
	place int
	rect  law.Rect
}

// inkOf looks through the objects of a loaded page and paints it. Its text paints nothing afterwards, until it is loaded again.
func (e *engine) inkOf(h uint64, f frame, scan bool) ink {
	k := ink{engine: e, scan: scan, order: map[uint64]int{}, rows: map[int][]printed{}, scale: min(inkDPI/72.0, math.Sqrt(mostDots/max(f.width*f.height, 1)))}
	k.size = image.Pt(int(f.width*k.scale+0.5), int(f.height*k.scale+0.5))
	var texts []uint64
	for i := range min(e.int("FPDFPage_CountObjects", h), maxObjects) {
		obj := uint64(uint32(e.call("FPDFPage_GetObject", h, uint64(i))))
		kind := e.int("FPDFPageObj_GetType", obj)
		switch kind {
		case objText:
			k.order[obj] = i
			texts = append(texts, obj)
			continue
		case objForm:
			texts = e.textsOf(obj, texts, 0)
		}
		if r, ok := e.bounds(obj, f); ok && r[2]-r[0] > cover && r[3]-r[1] > cover && !(kind == objPath && !e.filled(obj)) && !(scan && kind == objImage) {
			k.over = append(k.over, covering{i, r})
		}
	}
	if k.size.X <= 0 || k.size.Y <= 0 {
		return k
	}
	page, err := e.paint(h, k.size)
	if err != nil {
		return k
	}
	rest := page
	if slices.ContainsFunc(texts, func(obj uint64) bool { return e.int("FPDFTextObj_GetTextRenderMode", obj) != renderInvisible }) {
		for _, obj := range texts {
			e.ok("FPDFPageObj_SetIsActive", obj, 0)
		}
		if rest, err = e.paint(h, k.size); err != nil {
			return k
		}
	}
	k.page, k.rest = page, rest
	return k
}

// mostNested is the number of forms within each other in which text is looked for.
const mostNested = 8

// textsOf appends the text objects of a form.
func (e *engine) textsOf(form uint64, texts []uint64, depth int) []uint64 {
	for i := range min(e.int("FPDFFormObj_CountObjects", form), maxObjects) {
		obj := uint64(uint32(e.call("FPDFFormObj_GetObject", form, uint64(i))))
		switch kind := e.int("FPDFPageObj_GetType", obj); {
		case kind == objText:
			texts = append(texts, obj)
		case kind == objForm && depth < mostNested:
			texts = e.textsOf(obj, texts, depth+1)
		}
	}
	return texts
}

// bounds returns the box of an object on the page as displayed.
func (e *engine) bounds(obj uint64, f frame) (law.Rect, bool) {
	ok := e.ok("FPDFPageObj_GetBounds", obj, e.at(0), e.at(1), e.at(2), e.at(3))
	return f.place(e.float32At(0), e.float32At(3), e.float32At(2), e.float32At(1)), ok
}

func (e *engine) filled(path uint64) bool {
	return e.ok("FPDFPath_GetDrawMode", path, e.at(0), e.at(1)) && e.uint32At(0) != 0
}

// sight is what people see of a word.
type sight int

const (
	seen    sight = iota
	covered       // something covers it, or a part of it has no ink
	unseen        // it has no ink
)

// leastDots is the width of a letter, in dots, from which one of them shows its ink: digits of 6 points have it.
const leastDots = 4

// look tells what people see of the characters of a word.
func (k *ink) look(run []char, s style) sight {
	if k.page == nil {
		return covered
	}
	word := boxOf(run, s)
	tiny := s.size > 0 && s.size < leastType
	letters, wide, bare := 0, 0, 0
	for _, c := range run {
		if !latin(c.r) {
			continue
		}
		letters++
		if r := between(c.rect, word, s.turn); k.dots(r).Dx() >= leastDots && k.dots(r).Dy() >= leastDots {
			wide++
			bare += oneIf(!k.paints(r))
		}
	}
	painted := !tiny && bare == 0 && (wide > 0 || k.paints(word))
	switch {
	case letters == 0, k.scan && !painted && k.shows(word):
		return seen
	case painted && (k.scan || s.turn == layout.Askew || !k.overprinted(run, word)):
		return seen
	case painted, !tiny && bare < wide, k.coveredLater(s.object, word):
		return covered
	}
	return unseen
}

// overprinted reports whether a word stands where another one was read, whose ink hides that it may have none.
func (k *ink) overprinted(run []char, word law.Rect) bool {
	text := make([]rune, len(run))
	for i, c := range run {
		text[i] = c.r
	}
	const row, most = 6.0, 100 // points; words of a row that are compared
	at := int((word[1] + word[3]) / 2 / row)
	over := false
	for y := at - 1; y <= at+1; y++ {
		near := k.rows[y]
		for _, o := range near[max(0, len(near)-most):] {
			over = over || overlap(o.box, word, 0) && overlap(o.box, word, 1) && !strings.Contains(o.text, string(text)) && !strings.Contains(string(text), o.text)
		}
	}
	k.rows[at] = append(k.rows[at], printed{string(text), word})
	return over
}

// printed is a word with its place.
type printed struct {
	text string
	box  law.Rect
}

// overlap reports whether two boxes have half of the smaller one in common, along one axis.
func overlap(a, b law.Rect, axis int) bool {
	return 2*(min(a[axis+2], b[axis+2])-max(a[axis], b[axis])) > min(a[axis+2]-a[axis], b[axis+2]-b[axis])
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// latin reports whether r is a letter or a digit of French: PDFium has the shapes of others only if the file brings them.
func latin(r rune) bool { return unicode.Is(unicode.Latin, r) || r >= '0' && r <= '9' }

// between returns the box of a character with the height of its word, because the height that fonts claim reaches into other lines.
func between(char, word law.Rect, turn layout.Rotation) law.Rect {
	switch turn {
	case layout.Upright, layout.Over:
		char[1], char[3] = word[1], word[3]
	case layout.Down, layout.Up:
		char[0], char[2] = word[0], word[2]
	case layout.Askew:
	}
	return char
}

// dots returns the dots of the pictures whose centers are in a rectangle of the page.
func (k *ink) dots(r law.Rect) image.Rectangle {
	dot := func(x float64) int { return int(math.Ceil(min(max(x*k.scale, -1), 1e6) - 0.5)) }
	return image.Rect(dot(r[0]), dot(r[1]), dot(r[2]), dot(r[3])).Intersect(image.Rectangle{Max: k.size})
}

// paints reports whether the text of the page paints something in a rectangle.
func (k *ink) paints(r law.Rect) bool {
	in := k.dots(r)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for i := y*k.size.X + in.Min.X; i < y*k.size.X+in.Max.X; i++ {
			if d := int(k.page[i]) - int(k.rest[i]); d >= leastInk || d <= -leastInk {
				return true
			}
		}
	}
	return false
}

// shows reports whether the page shows something else than text in a rectangle.
func (k *ink) shows(r law.Rect) bool {
	in := k.dots(r)
	least, most := byte(255), byte(0)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := k.rest[y*k.size.X:][in.Min.X:in.Max.X]
		least, most = min(least, slices.Min(row)), max(most, slices.Max(row))
	}
	return int(most)-int(least) >= leastInk
}

// coveredLater reports whether something that is painted after a text object may cover a word of it.
func (k *ink) coveredLater(obj uint64, word law.Rect) bool {
	place, known := k.order[obj]
	return known && slices.ContainsFunc(k.over, func(c covering) bool {
		return c.place > place && c.rect[0] < word[2] && word[0] < c.rect[2] && c.rect[1] < word[3] && word[1] < c.rect[3]
	})
}
