package pdftext

import (
	"image"
	"math"
	"unicode/utf16"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// A file may have text that nobody who looks at the page sees: white on white, in an invisible mode, or in a layer that is
// switched off. It is no part of the print. Text that a shape or a picture covers was printed before somebody laid that
// over it, and text beside the page may have got there by damage; both are kept, and marked. Each text object that may be such is suspected for what it says
// about itself, and the page, painted with and without the suspects, shows which words they paint. Without a suspect
// nothing is painted, as painting takes longer than reading.
//
// The words that a scanner's recognition lays over or under its picture are invisible by intent, and stay: the picture
// shows them.

// Text modes of PDFium that fill no letter: strokes only, nothing, and nothing but a clipping path.
const (
	renderStroke = 1
	renderClip   = 7
)

// Bounds of what is suspected. Painting decides, so they only have to be wide enough.
const (
	pale   = 170 // each color of letters that may be too pale to be seen, of 255
	opaque = 170 // letters that are less opaque may not be seen
	cover  = 6.0 // points: what is lower or narrower covers no word
)

// The picture in which suspects are sought, and how much darker or lighter than its surroundings a word must make at
// least one dot of it.
const (
	suspectDPI = 48
	leastInk   = 16
)

// suspects tells which text objects of a loaded page may paint nothing.
type suspects struct {
	*engine
	scan  bool              // the page is a scan, and invisible words are its recognition
	order map[uint64]int    // place of each text object that belongs to no form, in the order of painting
	over  []coveringObject  // what may cover text, in the order of painting
	found map[uint64]hiding // text objects that are suspected
}

// hiding is how the words of a suspect are hidden, if they are.
type hiding int

const (
	visible hiding = iota
	unseen
	covered
)

// coveringObject is a filled shape, a shading, a picture or a form that may cover text.
type coveringObject struct {
	place                    int
	left, bottom, right, top float64
}

// suspectsOf looks through the objects of a loaded page.
func (e *engine) suspectsOf(h uint64, scan bool) suspects {
	s := suspects{engine: e, scan: scan, order: map[uint64]int{}, found: map[uint64]hiding{}}
	for i := range min(e.int("FPDFPage_CountObjects", h), maxObjects) {
		obj := uint64(uint32(e.call("FPDFPage_GetObject", h, uint64(i))))
		kind := e.int("FPDFPageObj_GetType", obj)
		if kind == objText {
			s.order[obj] = i
		} else if scan && kind == objImage {
			continue // the words under it are its recognition
		} else if left, bottom, right, top, ok := e.bounds(obj); ok && right-left > cover && top-bottom > cover && !(kind == objPath && !e.filled(obj)) {
			s.over = append(s.over, coveringObject{i, left, bottom, right, top})
		}
	}
	return s
}

// bounds returns the box of an object in the coordinates of the page, or of the form that holds it.
func (e *engine) bounds(obj uint64) (left, bottom, right, top float64, ok bool) {
	ok = e.ok("FPDFPageObj_GetBounds", obj, e.at(0), e.at(1), e.at(2), e.at(3))
	return e.float32At(0), e.float32At(1), e.float32At(2), e.float32At(3), ok
}

func (e *engine) filled(path uint64) bool {
	return e.ok("FPDFPath_GetDrawMode", path, e.at(0), e.at(1)) && e.uint32At(0) != 0
}

// mayHide reports whether the text object of character i may paint nothing, and keeps it if so.
func (s *suspects) mayHide(text, obj uint64, i int) bool {
	if obj == 0 {
		return false
	}
	if s.found[obj] == visible {
		place, ofPage := s.order[obj]
		mode := s.int("FPDFTextObj_GetTextRenderMode", obj)
		invisible := mode == renderInvisible || mode == renderClip
		switch {
		case invisible && s.scan:
		case invisible || !ofPage || s.paleAt(text, i, mode) || s.layered(obj):
			s.found[obj] = unseen
		case s.coveredAfter(obj, place):
			s.found[obj] = covered
		}
	}
	return s.found[obj] != visible
}

// paleAt reports whether a character is painted in a color that may not be seen on paper, or nearly transparent.
func (s *suspects) paleAt(text uint64, i, mode int) bool {
	color := "FPDFText_GetFillColor"
	if mode == renderStroke {
		color = "FPDFText_GetStrokeColor"
	}
	if !s.ok(color, text, uint64(i), s.at(0), s.at(1), s.at(2), s.at(3)) {
		return true
	}
	return s.uint32At(0) >= pale && s.uint32At(1) >= pale && s.uint32At(2) >= pale || s.uint32At(3) < opaque
}

// coveredAfter reports whether something that is painted later may cover a text object.
func (s *suspects) coveredAfter(obj uint64, place int) bool {
	if len(s.over) == 0 || s.over[len(s.over)-1].place < place {
		return false
	}
	left, bottom, right, top, ok := s.bounds(obj)
	for _, c := range s.over {
		if c.place > place && (!ok || c.left < right && left < c.right && c.bottom < top && bottom < c.top) {
			return true
		}
	}
	return false
}

// layered reports whether an object is marked as part of a layer, which may be switched off.
func (s *suspects) layered(obj uint64) bool {
	const nameAt, nameBytes = 16, 16
	for k := range s.int("FPDFPageObj_CountMarks", obj) {
		mark := s.call("FPDFPageObj_GetMark", obj, uint64(k))
		if mark == 0 || !s.ok("FPDFPageObjMark_GetName", mark, s.at(nameAt), nameBytes, s.at(0)) {
			continue
		}
		name, _ := s.mem.Read(uint32(s.at(nameAt)), nameBytes)
		units := []uint16{uint16(name[0]) | uint16(name[1])<<8, uint16(name[2]) | uint16(name[3])<<8}
		if s.uint32At(0) == 6 && string(utf16.Decode(units)) == "OC" { // six bytes, with the end
			return true
		}
	}
	return false
}

// dropUnpainted returns the words of a page without those that people cannot see, and how many it leaves out. It marks those
// that are covered or beside the page. doubtful are the indexes of the words of suspected objects, and objects the latter. Suspects paint
// nothing any more afterwards, until the page is loaded again.
func (s *suspects) dropUnpainted(h uint64, f frame, words []layout.Word, doubtful []int, objects []uint64) (seen []layout.Word, left int) {
	out := map[int]bool{}
	for i, w := range words {
		if x, y := (w.Rect[0]+w.Rect[2])/2, (w.Rect[1]+w.Rect[3])/2; x < 0 || y < 0 || x > f.width || y > f.height {
			words[i].Covered = true // it may stand there because the file is damaged
		}
	}
	if paints := s.paints(h, f, words, doubtful); paints != nil {
		again := s.printedAgain()
		for k, i := range doubtful {
			switch {
			case paints[k] || again(objects[k]):
			case s.found[objects[k]] == covered:
				words[i].Covered = true
			default:
				out[i] = true
			}
		}
	}
	if len(out) == 0 {
		return words, 0
	}
	for i, w := range words {
		if !out[i] {
			seen = append(seen, w)
		}
	}
	return seen, len(out)
}

// paints tells which of the doubtful words paint something, nil if there are none or the page cannot be painted.
func (s *suspects) paints(h uint64, f frame, words []layout.Word, doubtful []int) []bool {
	size := image.Pt(int(f.width*suspectDPI/72.0+0.5), int(f.height*suspectDPI/72.0+0.5))
	if len(doubtful) == 0 || size.X <= 0 || size.Y <= 0 || size.X*size.Y > maxPixels {
		return nil
	}
	replacement, err := s.paint(h, size)
	if err != nil {
		return nil
	}
	for obj := range s.found {
		s.ok("FPDFPageObj_SetIsActive", obj, 0)
	}
	rest, err := s.paint(h, size)
	if err != nil {
		return nil
	}
	out := make([]bool, len(doubtful))
	for k, i := range doubtful {
		out[k] = differ(replacement, rest, size, words[i].Rect)
	}
	return out
}

// shadow is how many points apart the two prints of a word are that is printed with a shadow, or twice to make it bold.
const shadow = 2.0

// printedAgain returns a function that reports whether a suspected object is printed a second time in its place by one
// that is not suspected: of two such prints PDFium gives the letters of only one, which may be the shadow of the other.
func (s *suspects) printedAgain() func(obj uint64) bool {
	var beyond map[[2]int][][4]float64 // boxes of objects that are not suspected, by their corner
	at := func(box [4]float64) [2]int { return [2]int{int(box[0] / shadow), int(box[1] / shadow)} }
	boxOf := func(obj uint64) (box [4]float64, ok bool) {
		box[0], box[1], box[2], box[3], ok = s.bounds(obj)
		return box, ok
	}
	return func(obj uint64) bool {
		if beyond == nil {
			beyond = map[[2]int][][4]float64{}
			for other := range s.order {
				if box, ok := boxOf(other); ok && s.found[other] == visible {
					beyond[at(box)] = append(beyond[at(box)], box)
				}
			}
		}
		box, ok := boxOf(obj)
		for dx := -1; ok && dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, b := range beyond[[2]int{at(box)[0] + dx, at(box)[1] + dy}] {
					if math.Abs(b[0]-box[0]) < shadow && math.Abs(b[1]-box[1]) < shadow && math.Abs(b[2]-box[2]) < shadow && math.Abs(b[3]-box[3]) < shadow {
						return true
					}
				}
			}
		}
		return false
	}
}

// differ reports whether two pictures of a page differ where a word is.
func differ(a, b []byte, size image.Point, r law.Rect) bool {
	const scale = suspectDPI / 72.0
	for y := max(0, int(r[1]*scale)); y < min(size.Y, int(r[3]*scale)+1); y++ {
		for x := max(0, int(r[0]*scale)); x < min(size.X, int(r[2]*scale)+1); x++ {
			if d := int(a[y*size.X+x]) - int(b[y*size.X+x]); d >= leastInk || d <= -leastInk {
				return true
			}
		}
	}
	return false
}
