package segment

import (
	"cmp"
	"slices"

	"vigueur/internal/law"
)

// bounds begins and merges texts as the edits say, in their order, and puts moved
// lines where they belong.
func (m *mending) bounds(lines []line, heads []head, top *masthead) ([]line, []head) {
	if len(m.edits) == 0 {
		return lines, heads
	}
	for i, e := range m.edits {
		switch e.Kind {
		case SplitHere:
			heads = m.beginText(i, e, lines, heads)
		case MergeBefore:
			heads = m.mergeText(i, e, lines, heads, top)
		}
	}
	lines = m.putBack(lines, heads, top)
	top.body = min(top.body, heads[0].at)
	return lines, heads
}

// beginText lets a text begin at a line.
func (m *mending) beginText(i int, e Edit, lines []line, heads []head) []head {
	at := m.index(e.Lines[0], lines)
	if at < 0 {
		m.gone(i, e.Lines[0])
		return heads
	}
	end := len(lines)
	for k, h := range heads {
		if h.at > at {
			end = min(end, h.at)
		}
		if h.at < at && at < h.at+h.lines {
			heads[k].lines = at - h.at
		}
	}
	h := m.headOf(e, lines[:end], at)
	heads = slices.DeleteFunc(heads, func(known head) bool { return known.at == at })
	heads = append(heads, h)
	slices.SortFunc(heads, func(a, b head) int { return cmp.Compare(a.at, b.at) })
	return heads
}

// headOf reads the head of a text that a person has seen, and takes over what was
// said of it.
func (m *mending) headOf(e Edit, lines []line, at int) head {
	h, ok := headAt(lines, at)
	if !ok {
		h = head{at: at}
		if _, _, article := lines[at].article(""); !article {
			h.lines = titleLines(lines[at:])
		}
	}
	if n := m.marked(e, lines, at); n > 1 {
		h.lines = n
	}
	if title := joined(lines[at : at+h.lines]); !h.abridged && !h.read(title) {
		h.object = title
	}
	h.seen = true
	h.said(e)
	return h
}

// marked tells how many lines of a title a person has named.
func (m *mending) marked(e Edit, lines []line, at int) int {
	n := 1
	for _, p := range e.Lines[1:] {
		if k := m.index(p, lines); k >= at {
			n = max(n, k-at+1)
		}
	}
	return n
}

// said takes over what a person says of a text.
func (h *head) said(e Edit) {
	if e.Nature != "" {
		h.kind = kindOf(e.Nature)
	}
	if e.Type != "" {
		h.kind.as = e.Type
		h.kind.label = cmp.Or(h.kind.label, typeLabels[e.Type])
	}
	if e.Nature != "" || e.Type != "" {
		h.kind.sure = true
	}
	h.number = cmp.Or(e.Number, h.number)
	if e.Promulgated != nil {
		h.date, h.dated = *e.Promulgated, law.WrittenDay(*e.Promulgated)
	}
}

// typeLabels is how the catalogue's kinds call themselves.
var typeLabels = map[law.DocType]string{
	law.Loi: "Loi", law.Decret: "Décret", law.Arrete: "Arrêté", law.Circulaire: "Circulaire", law.Code: "Code", law.Constitution: "Constitution",
}

// mergeText lets no text begin at a line; where none does there is nothing to do.
func (m *mending) mergeText(i int, e Edit, lines []line, heads []head, top *masthead) []head {
	at := m.index(e.Lines[0], lines)
	if at < 0 {
		m.gone(i, e.Lines[0])
		return heads
	}
	k := slices.IndexFunc(heads, func(h head) bool { return h.at == at || h.at < at && at < h.at+h.lines })
	if k < 0 {
		return heads
	}
	if k == 0 && (len(heads) == 1 || !top.gazette || top.body >= heads[0].at || !begun(lines[top.body:heads[0].at])) {
		m.fault(i, "aucun texte ne précède celui qui commence par « %s », page %d.", e.Lines[0].Text, e.Lines[0].Page)
		return heads
	}
	return slices.Delete(heads, k, k+1)
}

// putBack puts moved lines behind the line that their edit names; one of them may
// be moved itself. What finds no place belongs to no text.
func (m *mending) putBack(lines []line, heads []head, top *masthead) []line {
	left := m.runs
	for moved := true; moved; {
		moved = false
		for k, r := range left {
			if r.after == nil {
				continue
			}
			if at := m.index(*r.after, lines); at >= 0 {
				r.lines[0].opens = opens(lines[at], r.lines[0], r.lines[0].Gap)
				lines = insert(lines, r.lines, at+1, heads, top)
				left, moved = slices.Delete(slices.Clone(left), k, k+1), true
				break
			}
		}
	}
	for _, r := range left {
		m.loose = append(m.loose, r.lines...)
		if r.after != nil {
			m.fault(r.edit, "la ligne « %s », page %d, derrière laquelle elle place des lignes, n’est dans aucun texte ; ces lignes n’y sont pas non plus.", r.after.Text, r.after.Page)
		}
	}
	return lines
}

// insert puts lines before line i. Within a title they become part of it; what is
// behind moves on.
func insert(lines, more []line, i int, heads []head, top *masthead) []line {
	n := len(more)
	lines = slices.Insert(slices.Clone(lines), i, more...)
	if i <= top.body {
		top.body += n
	}
	for k := range heads {
		h := &heads[k]
		switch {
		case h.at >= i:
			h.at += n
		case i < h.at+h.lines:
			h.lines += n
			h.read(joined(lines[h.at : h.at+h.lines]))
		}
	}
	return lines
}
