package edits

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Applier applies a person's edits while a file is cut. Split calls it four times: before anything is read,
// when the heads have been found, before the texts are completed, and after.
type Applier struct {
	split  func([]layout.Page, gazette.Hints) gazette.Issue // cuts the file
	given  []layout.Page                                    // as they were given to Split
	read   []layout.Page                                    // with corrected words
	Hints  gazette.Hints
	edits  []gazette.Edit
	faults []remarks.Remark      // for each edit, why it does not apply; remarks.None if it does
	runs   []carried             // lines that were taken out, in the order of their edits
	put    []line.Spot           // places of lines that were put elsewhere
	loose  []line.Line           // lines that were taken out and belong to no text
	sure   map[line.Spot]float64 // for each line, the probability of its label
	labels map[line.Spot]label.Label
	Aside  int // number of texts that were set aside before the first text that is returned
}

// Names reports whether an edit names one of the lines.
func (m *Applier) Names(lines []line.Line) bool {
	among := func(p gazette.Place) bool { return m.index(p, lines) >= 0 }
	return slices.ContainsFunc(m.edits, func(e gazette.Edit) bool {
		return slices.ContainsFunc(e.Lines, among) || e.After != nil && among(*e.After)
	})
}

// carried holds the lines that an edit moves.
type carried struct {
	edit  int
	after *gazette.Place
	lines []line.Line
}

// Start begins to apply the edits of a file: it corrects the words of lines, and removes lines that belong
// elsewhere, so that nothing is read from them in their old place. It does not change the given pages.
func Start(pages []layout.Page, hints gazette.Hints, split func([]layout.Page, gazette.Hints) gazette.Issue) (*Applier, []layout.Page) {
	m := &Applier{split: split, sure: map[line.Spot]float64{}, labels: map[line.Spot]label.Label{}, given: pages, read: pages, Hints: hints, edits: hints.Edits, faults: make([]remarks.Remark, len(hints.Edits))}
	if len(m.edits) == 0 {
		return m, pages
	}
	m.read = slices.Clone(pages)
	for i := range m.read {
		m.read[i].Lines = slices.Clone(m.read[i].Lines)
	}
	for i, e := range m.edits {
		if e.Kind == gazette.Correct && !e.Whole {
			m.correctLine(i, e)
		}
	}
	left := m.takeOut()
	return m, left
}

// correctLine replaces the words of a line.
func (m *Applier) correctLine(i int, e gazette.Edit) {
	if l := m.lineAt(i, e.Lines[0]); l != nil {
		l.Words = setWords(*l, e.Text)
	}
}

// lineAt returns the line of a page at a place. If there is none, it returns nil and records a fault of edit i.
func (m *Applier) lineAt(i int, p gazette.Place) *layout.Line {
	for k := range m.read {
		if m.read[k].Number != p.Page {
			continue
		}
		if pos := p.Find(m.read[k].Lines); pos >= 0 {
			return &m.read[k].Lines[pos]
		}
	}
	m.lineGone(i, p)
	return nil
}

// index returns the index in lines of the line at a place, -1 if it is not among them because it was set
// aside. It looks at the whole page first, because lines of other texts may have the same words.
func (m *Applier) index(p gazette.Place, lines []line.Line) int {
	for k := range m.read {
		if m.read[k].Number != p.Page {
			continue
		}
		pos := p.Find(m.read[k].Lines)
		if pos < 0 {
			continue
		}
		end := line.SpotOf(m.read[k].Lines[pos])
		return slices.IndexFunc(lines, func(l line.Line) bool { return l.Page == p.Page && line.SpotOf(l.Line) == end })
	}
	return -1
}

// lineGone records that a line of edit i is missing.
func (m *Applier) lineGone(i int, p gazette.Place) {
	m.addFault(i, remarks.LineGone, p)
}

// addFault records why edit i, which names a line, does not apply, unless a reason is known.
func (m *Applier) addFault(i int, why remarks.Subject, place gazette.Place) {
	if m.faults[i].Kind == remarks.None {
		m.faults[i] = remarks.Remark{Kind: why, Words: place.Text, Page: place.Page, Days: []time.Time{m.edits[i].Made}}
	}
}

// setWords lays out new words in the rectangle of a line. The width of each word is proportional to its number of
// letters.
func setWords(l layout.Line, text string) []layout.Word {
	fields := strings.Fields(text)
	if len(l.Words) == 0 || len(fields) == 0 {
		return l.Words
	}
	letters := utf8.RuneCountInString(strings.Join(fields, " "))
	words, pos := make([]layout.Word, len(fields)), 0
	for i, f := range fields {
		w := l.Words[0]
		n := utf8.RuneCountInString(f)
		w.Text, w.Rect = f, l.Rect
		if w.Turn == layout.Upright {
			share := func(n int) float64 { return l.Rect[0] + (l.Rect[2]-l.Rect[0])*float64(n)/float64(letters) }
			w.Rect = law.Rect{share(pos), l.Rect[1], share(pos + n), l.Rect[3]}
		}
		words[i] = w
		pos += n + 1
	}
	return words
}

// takeOut returns the pages without the lines that edits move. If two edits move a line, the later one wins.
func (m *Applier) takeOut() []layout.Page {
	taken := map[[2]int]int{} // page's index, line's index -> edit
	for i := len(m.edits) - 1; i >= 0; i-- {
		if m.edits[i].Kind == gazette.MoveLines {
			m.claimLines(i, taken)
		}
	}
	if len(taken) == 0 {
		return m.read
	}
	lines := map[int][]line.Line{}
	out := slices.Clone(m.read)
	for k, p := range m.read {
		var left []layout.Line
		own := map[int][]layout.Line{}
		for n, l := range p.Lines {
			if edit, ok := taken[[2]int{k, n}]; ok {
				own[edit] = append(own[edit], l)
			} else {
				left = append(left, l)
			}
		}
		out[k].Lines = left
		for edit, moved := range own {
			lines[edit] = append(lines[edit], line.Flatten([]layout.Page{{Source: p.Source, Lines: moved}})...)
		}
	}
	for i, e := range m.edits {
		if len(lines[i]) > 0 {
			m.runs = append(m.runs, carried{i, e.After, lines[i]})
		}
	}
	return out
}

// claimLines records in taken the lines that edit i moves and no later edit does. An edit whose target is missing
// moves nothing.
func (m *Applier) claimLines(i int, taken map[[2]int]int) {
	e := m.edits[i]
	if e.After != nil && m.lineAt(i, *e.After) == nil {
		return
	}
	for _, p := range e.Lines {
		found := false
		for k := range m.read {
			if m.read[k].Number != p.Page {
				continue
			}
			if n := p.Find(m.read[k].Lines); n >= 0 {
				found = true
				if _, later := taken[[2]int{k, n}]; !later {
					taken[[2]int{k, n}] = i
				}
			}
		}
		if !found {
			m.lineGone(i, p)
		}
	}
}

// Masks returns the labels that the edits allow for each line: those that begin a text at the line, those that begin
// none, or, at the place where a moved line was put, those that begin none and belong to a text. plain is how the lines
// are read without edits; it locates the texts that edits name.
func (m *Applier) Masks(lines []line.Line, plain label.Labeling) []chain.Mask {
	if len(m.edits) == 0 {
		return nil
	}
	masks := make([]chain.Mask, len(lines))
	texts := plain.Texts(lines)
	for i, e := range m.edits {
		switch e.Kind {
		case gazette.SplitHere:
			m.beginText(i, e, lines, plain, masks)
		case gazette.MergeBefore:
			m.mergeText(i, e, lines, texts, masks)
		}
	}
	for _, l := range m.put {
		if pos := slices.IndexFunc(lines, func(known line.Line) bool { return line.SpotOf(known.Line) == l }); pos >= 0 && masks[pos] == 0 {
			masks[pos] = label.NoBegin &^ label.LooseLabels
		}
	}
	return masks
}

// beginText makes a text begin at a line. The lines of an announcement around the line become lines of that
// text.
func (m *Applier) beginText(i int, e gazette.Edit, lines []line.Line, plain label.Labeling, masks []chain.Mask) {
	pos := m.index(e.Lines[0], lines)
	if pos < 0 {
		m.lineGone(i, e.Lines[0])
		return
	}
	masks[pos] = label.Begins
	if _, _, article := lines[pos].Article(""); article || pos+1 < len(lines) && plain.Labels[pos+1].BeginsText() {
		masks[pos] = 1 << label.Abridged // it has no title
	}
	title := pos + m.markedTitleLines(e, lines, pos)
	for k := pos + 1; k < title; k++ {
		masks[pos], masks[k] = 1<<label.Head, 1<<label.Title
	}
	for k := title; k < len(lines) && k > 0 && plain.Labels[k].Loose() && plain.Labels[k] == plain.Labels[pos] && masks[k] == 0; k++ {
		masks[k] = label.NoBegin &^ label.LooseLabels
	}
}

// markedTitleLines returns the number of title lines that a person has named.
func (m *Applier) markedTitleLines(e gazette.Edit, lines []line.Line, pos int) int {
	n := 1
	for _, p := range e.Lines[1:] {
		if k := m.index(p, lines); k >= pos {
			n = max(n, k-pos+1)
		}
	}
	return n
}

// mergeText forbids the beginning of a text at a line. It does nothing if no text begins there. The lines of the text
// that began there join the text before.
func (m *Applier) mergeText(i int, e gazette.Edit, lines []line.Line, texts []label.Extent, masks []chain.Mask) {
	pos := m.index(e.Lines[0], lines)
	if pos < 0 {
		m.lineGone(i, e.Lines[0])
		return
	}
	k := slices.IndexFunc(texts, func(s label.Extent) bool { return s.From == pos || s.From < pos && pos < s.From+s.Title.Lines })
	switch {
	case k < 0 && masks[pos] != 0: // an earlier edit began a text here
		masks[pos] = label.NoBegin
		for j := pos + 1; j < len(lines) && masks[j] == 1<<label.Title; j++ {
			masks[j] = 0
		}
	case k < 0:
	case k == 0 && !articles.Resumes(lines[:texts[0].From]) && !beginsBefore(masks, pos):
		m.addFault(i, remarks.NothingBefore, e.Lines[0])
	default:
		for j := texts[k].From; j < texts[k].Own; j++ {
			masks[j] = label.NoBegin &^ label.LooseLabels &^ (1 << label.Title)
		}
	}
}

// beginsBefore reports whether an edit begins a text before line at.
func beginsBefore(masks []chain.Mask, pos int) bool {
	return slices.ContainsFunc(masks[:pos], func(mask chain.Mask) bool { return mask != 0 && mask&^label.Begins == 0 })
}

// ApplyToTitles copies what people said about the texts that edits began into their heads.
func (m *Applier) ApplyToTitles(lines []line.Line, texts []label.Extent) {
	for _, e := range m.edits {
		if e.Kind != gazette.SplitHere {
			continue
		}
		pos := m.index(e.Lines[0], lines)
		k := slices.IndexFunc(texts, func(s label.Extent) bool { return s.From == pos })
		if pos < 0 || k < 0 {
			continue
		}
		h := &texts[k].Title
		if _, _, article := lines[pos].Article(""); article {
			*h = titles.Title{At: pos}
		}
		h.Confirmed = true
		applyEdit(h, e)
	}
}

// applyEdit copies what an edit says about a text into its head.
func applyEdit(h *titles.Title, e gazette.Edit) {
	if e.Nature != "" {
		if h.Kind = titles.KindOf(e.Nature); h.Kind.Label == "" {
			h.Kind.Label = e.Nature
		}
	}
	if e.Type != "" {
		h.Kind.Type = e.Type
		h.Kind.Label = cmp.Or(h.Kind.Label, typeLabels[e.Type])
	}
	h.Number = cmp.Or(e.Number, h.Number)
	if e.Promulgated != nil {
		h.Date, h.Dated = *e.Promulgated, law.WriteDate(*e.Promulgated)
	}
}

// typeLabels are the names that texts of each type have.
var typeLabels = map[law.DocType]string{
	law.Loi: "Loi", law.Decret: "Décret", law.Arrete: "Arrêté", law.Circulaire: "Circulaire", law.Code: "Code", law.Constitution: "Constitution",
}

// PutBack inserts moved lines after the line that their edit names, which may itself have moved. Moved lines
// whose target is missing belong to no text.
func (m *Applier) PutBack(lines []line.Line) []line.Line {
	left := m.runs
	for moved := true; moved; {
		moved = false
		for k, r := range left {
			if r.after == nil {
				continue
			}
			if pos := m.index(*r.after, lines); pos >= 0 {
				r.lines[0].Opens = line.Opens(lines[pos], r.lines[0], r.lines[0].Gap)
				lines = slices.Insert(slices.Clone(lines), pos+1, r.lines...)
				for _, l := range r.lines {
					m.put = append(m.put, line.SpotOf(l.Line))
				}
				left, moved = slices.Delete(slices.Clone(left), k, k+1), true
				break
			}
		}
	}
	for _, r := range left {
		m.loose = append(m.loose, r.lines...)
		if r.after != nil {
			m.addFault(r.edit, remarks.TargetOutside, *r.after)
		}
	}
	return lines
}
