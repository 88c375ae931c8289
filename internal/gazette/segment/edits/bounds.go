package edits

import (
	"cmp"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Masks returns the labels that the edits allow for each line: those that begin a text at the line, those that begin
// none, or, at the place where a moved line was put, those that begin none and belong to a text. plain is how the lines
// are read without edits; it locates the texts that edits name.
func (m *Applier) Masks(lines []line.Line, plain label.Reading) []chain.Mask {
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
		if at := slices.IndexFunc(lines, func(known line.Line) bool { return line.SpotOf(known.Line) == l }); at >= 0 && masks[at] == 0 {
			masks[at] = label.NoBegin &^ label.LooseLabels
		}
	}
	return masks
}

// beginText makes a text begin at a line. The lines of an announcement around the line become lines of that
// text.
func (m *Applier) beginText(i int, e gazette.Edit, lines []line.Line, plain label.Reading, masks []chain.Mask) {
	at := m.index(e.Lines[0], lines)
	if at < 0 {
		m.lineGone(i, e.Lines[0])
		return
	}
	masks[at] = label.Begins
	if _, _, article := lines[at].Article(""); article || at+1 < len(lines) && plain.Labels[at+1].BeginsText() {
		masks[at] = 1 << label.Abridged // it has no title
	}
	title := at + m.markedTitleLines(e, lines, at)
	for k := at + 1; k < title; k++ {
		masks[at], masks[k] = 1<<label.Head, 1<<label.Title
	}
	for k := title; k < len(lines) && k > 0 && plain.Labels[k].Loose() && plain.Labels[k] == plain.Labels[at] && masks[k] == 0; k++ {
		masks[k] = label.NoBegin &^ label.LooseLabels
	}
}

// markedTitleLines returns the number of title lines that a person has named.
func (m *Applier) markedTitleLines(e gazette.Edit, lines []line.Line, at int) int {
	n := 1
	for _, p := range e.Lines[1:] {
		if k := m.index(p, lines); k >= at {
			n = max(n, k-at+1)
		}
	}
	return n
}

// mergeText forbids the beginning of a text at a line. It does nothing if no text begins there. The lines of the text
// that began there join the text before.
func (m *Applier) mergeText(i int, e gazette.Edit, lines []line.Line, texts []label.Text, masks []chain.Mask) {
	at := m.index(e.Lines[0], lines)
	if at < 0 {
		m.lineGone(i, e.Lines[0])
		return
	}
	k := slices.IndexFunc(texts, func(s label.Text) bool { return s.From == at || s.From < at && at < s.From+s.Title.Lines })
	switch {
	case k < 0 && masks[at] != 0: // an earlier edit began a text here
		masks[at] = label.NoBegin
		for j := at + 1; j < len(lines) && masks[j] == 1<<label.Title; j++ {
			masks[j] = 0
		}
	case k < 0:
	case k == 0 && !articles.Resumes(lines[:texts[0].From]) && !beginsBefore(masks, at):
		m.addFault(i, remarks.NothingBefore, e.Lines[0])
	default:
		for j := texts[k].From; j < texts[k].Own; j++ {
			masks[j] = label.NoBegin &^ label.LooseLabels &^ (1 << label.Title)
		}
	}
}

// beginsBefore reports whether an edit begins a text before line at.
func beginsBefore(masks []chain.Mask, at int) bool {
	return slices.ContainsFunc(masks[:at], func(mask chain.Mask) bool { return mask != 0 && mask&^label.Begins == 0 })
}

// ApplyToTitles copies what people said about the texts that edits began into their heads.
func (m *Applier) ApplyToTitles(lines []line.Line, texts []label.Text) {
	for _, e := range m.edits {
		if e.Kind != gazette.SplitHere {
			continue
		}
		at := m.index(e.Lines[0], lines)
		k := slices.IndexFunc(texts, func(s label.Text) bool { return s.From == at })
		if at < 0 || k < 0 {
			continue
		}
		h := &texts[k].Title
		if _, _, article := lines[at].Article(""); article {
			*h = titles.Title{At: at}
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
			if at := m.index(*r.after, lines); at >= 0 {
				r.lines[0].Opens = line.Opens(lines[at], r.lines[0], r.lines[0].Gap)
				lines = slices.Insert(slices.Clone(lines), at+1, r.lines...)
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
