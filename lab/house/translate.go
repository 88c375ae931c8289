package house

import (
	"strconv"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// The languages of the other side.
const (
	english = 1 // in a column of its own
	arabic  = 2 // on pages of its own
)

// besides sets English beside each French block of texts. The words there are no
// text's: the French ones count.
func (p *pen) besides(blocks []block) []block {
	out := make([]block, 0, len(blocks))
	for _, b := range blocks {
		if b.cells != nil || b.beside != nil || b.wide || b.label == Masthead || b.label == Summary || b.label == Notice || b.label == Furniture {
			out = append(out, b)
			continue
		}
		other := b
		other.label, other.rest, other.owner, other.article = Notice, "", -1, ""
		other.runs = []run{{p.translation(&b), b.runs[0].bold && len(b.runs) == 1, false}}
		pair := block{label: b.label, owner: b.owner, beside: [][]block{{b}, {other}}, shares: []float64{0, 0.51}, before: b.before, keep: b.keep, fresh: b.fresh}
		out = append(out, pair)
	}
	return out
}

// translation is what stands for a block in English: as long as it, and of its kind.
func (p *pen) translation(b *block) string {
	n := len(b.text())
	switch b.label {
	case Head:
		return p.style.upper(p.say("enKind") + " " + p.slot("n", "60-99") + "/" + p.slot("n", "10-400") + " of " + p.slot("n", "1-28") + " " + p.say("enMonth") + " " + strconv.Itoa(p.day.Year()) + " " + p.say("enTitle"))
	case Visa:
		return p.say("enVisa")
	case Rubric, Division, Annex:
		return p.style.upper(p.pick("Chapter "+p.slot("n", "1-9")+"\n", "Part "+law.WriteRoman(p.between(1, 9))+"\n", "") + p.say("enSector"))
	case Formula:
		return p.pick("HEREBY DECREES AS FOLLOWS:", "The National Assembly has deliberated and adopted; the President hereby enacts the law set out below:", "Hereby orders as follows:")
	case Signature:
		return p.pick("President of the Republic", "The Minister,", p.name())
	case Place:
		return p.capital + ", " + p.slot("n", "1-28") + " " + p.say("enMonth") + " " + strconv.Itoa(p.day.Year())
	}
	s := ""
	if b.label == Article {
		s = p.pick("Section ", "Article ", "SECTION ") + p.slot("n", "1-40") + p.pick(".- ", ": ", ". — ")
	}
	for len(s) < n*3/4 || s == "" {
		s += p.sentence("english") + " "
	}
	return s
}

// facing puts a page in Arabic after each page. Its words are read as they are
// stored, each in its place from the right.
func (p *pen) facing(i *Issue) {
	var pages []layout.Page
	var labels [][]Label
	var owner [][]int
	for n := range i.Pages {
		i.Pages[n].Number = 2*n + 1
		other := layout.Page{Number: 2*n + 2, Width: i.Pages[n].Width, Height: i.Pages[n].Height, Source: layout.Layer}
		p.arabicPage(&other)
		pages = append(pages, i.Pages[n], other)
		none, nobody := make([]Label, len(other.Words)), make([]int, len(other.Words))
		for k := range none {
			none[k], nobody[k] = Notice, -1
		}
		labels, owner = append(labels, i.Labels[n], none), append(owner, i.Owner[n], nobody)
	}
	for k := range i.Texts {
		i.Texts[k].Page = 2*i.Texts[k].Page - 1
	}
	i.Pages, i.Labels, i.Owner = pages, labels, owner
}

// arabicPage fills a page from the right to the left.
func (p *pen) arabicPage(o *layout.Page) {
	s := p.style
	size := s.size * 1.1
	for y := s.top; y < o.Height-s.bottom; y += size * s.leading * 1.1 {
		x := o.Width - s.margin
		for _, word := range strings.Fields(p.say("arabic")) {
			wide := s.measure(word, size, false)
			if x-wide < s.margin {
				break
			}
			o.Words = append(o.Words, layout.Word{Text: word, Size: hundredth(size),
				Rect: law.Rect{hundredth(x - wide), hundredth(y), hundredth(x), hundredth(y + 1.15*size)}})
			x -= wide + s.measure(" ", size, false)
		}
	}
}
