package amend

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// replacePlaces gives regions their new wording. Several regions must follow one another, or
// the wording must have a paragraph for each.
func (a *applier) replacePlaces(op Operation, regions []region) ([]edit, Reason) {
	slices.SortStableFunc(regions, func(x, y region) int { return x.Start - y.Start })
	joined := regions[0]
	contiguous := true
	for _, next := range regions[1:] {
		between := Span{joined.End, next.Start}
		if between.Start > between.End || strings.TrimFunc(a.text[between.Start:between.End], blankOrInvisible) != "" {
			contiguous = false
			break
		}
		joined.End, joined.last, joined.loose = next.End, next.last, next.loose
	}
	if a.listBelow(op, joined) {
		return nil, PlaceUnclear
	}
	if contiguous {
		return a.replaceRegion(op, joined, op.New)
	}
	if len(op.New) != len(regions) {
		return nil, PlaceUnclear
	}
	var edits []edit
	for i, at := range regions {
		e, why := a.replaceRegion(op, at, op.New[i:i+1])
		if why != "" {
			return nil, why
		}
		edits = append(edits, e...)
	}
	return edits, ""
}

// replaceRegion gives a region a new wording. The label of its first line stays, unless the
// wording has one.
func (a *applier) replaceRegion(op Operation, at region, wording []string) ([]edit, Reason) {
	if at.loose {
		return nil, PlaceUnclear
	}
	if len(wording) == 0 {
		return nil, WordingMissing
	}
	text := strings.Join(wording, "\n")
	first := a.s.lines[at.first]
	_, _, labeled := labelOf(wording[0], nil)
	if at.sentence {
		if at.Start == first.body && first.body > first.Start && labeled > 0 {
			text = text[labeled:]
		}
		return []edit{{Span: at.Span, text: text}}, ""
	}
	if op.Unit == Words {
		end := at.End
		if r, _ := utf8.DecodeLastRuneInString(text); wordRune(r) {
			end = a.bodyEnd(at)
		}
		return []edit{{Span: Span{first.body, end}, text: text}}, ""
	}
	start := first.Start
	if first.body > first.Start && labeled == 0 {
		start = first.body
	}
	return []edit{{Span: Span{start, at.End}, text: text}}, ""
}

// insertPlace adds alineas, items or sentences beside or at an end of the regions.
func (a *applier) insertPlace(op Operation, regions []region) ([]edit, Reason) {
	if len(op.New) == 0 {
		return nil, WordingMissing
	}
	if op.Side == After || op.Side == Before { // « après les 1° et 2° »: beside all of them
		if len(regions) > 1 {
			return nil, PlaceUnclear
		}
	}
	var edits []edit
	for _, at := range regions {
		e, why := a.insertAt(op, at)
		if why != "" {
			return nil, why
		}
		edits = append(edits, e)
	}
	return edits, ""
}

func (a *applier) insertAt(op Operation, at region) (edit, Reason) {
	lines := strings.Join(op.New, "\n")
	switch {
	case op.Side == AtStart && a.s.headings(at):
		return edit{}, PlaceUnclear
	case op.Unit == Sentences || op.Unit == Words:
		return a.sentenceAt(op, at)
	case op.Side == AtStart || op.Side == Before:
		start := a.s.lines[at.first].Start
		return edit{Span: Span{start, start}, text: lines + "\n"}, ""
	case op.Side == AtEnd && op.Unit == Items && len(op.Labels) > 0:
		return a.itemAtEnd(op, at, lines)
	}
	if at.loose || op.Side == AtEnd && op.Ordinal > 0 && op.Ordinal != at.last-at.first+2-a.s.headed {
		return edit{}, PlaceUnclear
	}
	end := a.s.lines[at.last].End
	return edit{Span: Span{end, end}, text: "\n" + lines}, ""
}

// sentenceAt adds sentences.
func (a *applier) sentenceAt(op Operation, at region) (edit, Reason) {
	text := strings.Join(op.New, "\n")
	switch {
	case op.Side == After && at.sentence, op.Side == AtEnd:
		if at.loose {
			return edit{}, PlaceUnclear
		}
		return edit{Span: Span{at.End, at.End}, text: " " + text}, ""
	case op.Side == Before && at.sentence:
		return edit{Span: Span{at.Start, at.Start}, text: text + " "}, ""
	case op.Side == AtStart:
		start := at.Start
		if !at.sentence {
			start = a.s.lines[at.first].body
		}
		return edit{Span: Span{start, start}, text: text + " "}, ""
	}
	return edit{}, PlaceUnclear
}

// itemAtEnd adds items to their enumeration in the region: after the last item whose label is
// smaller, or at the end of the region if it has no such enumeration.
func (a *applier) itemAtEnd(op Operation, at region, lines string) (edit, Reason) {
	enumeration := a.s.enumeration(at, kindsOfLabel(op.Labels[0]))
	end, loose := at.last, at.loose
	added, suffix, counts := rank(op.Labels[0])
	if len(enumeration) == 0 && counts && (added > 1 || a.s.listBelow(at.first)) {
		return edit{}, PlaceUnclear // what it continues has no labels
	}
	for i, p := range enumeration {
		n, s, ok := rank(p.label)
		switch {
		case !counts || !ok || n < added || n == added && s < suffix:
			end, loose = p.last, p.loose
			continue
		case n == added && s == suffix:
			return edit{}, PlaceUnclear // the enumeration has the label already
		}
		if i == 0 {
			return edit{}, PlaceUnclear
		}
		break
	}
	if loose {
		return edit{}, PlaceUnclear
	}
	to := a.s.lines[end].End
	return edit{Span: Span{to, to}, text: "\n" + lines}, ""
}

// enumeration returns the outermost parts of some kinds in a region.
func (s *structure) enumeration(at region, kinds []labelKind) (out []part) {
	for _, p := range s.parts {
		if p.first < at.first || p.last > at.last || !slices.Contains(kinds, p.kind) || p.first == at.first && s.covers(at, p) {
			continue
		}
		if len(out) > 0 && p.depth < out[0].depth {
			out = nil
		}
		if len(out) == 0 || p.depth == out[0].depth {
			out = append(out, p)
		}
	}
	return out
}

// deletePlaces deletes regions, whole lines with their line feeds.
func (a *applier) deletePlaces(regions []region) (edits []edit, why Reason) {
	for _, at := range regions {
		if at.loose {
			return nil, PlaceUnclear
		}
		e := edit{Span: at.Span}
		if at.sentence {
			for e.End < len(a.text) && a.text[e.End] == ' ' {
				e.End++
			}
		} else {
			e.Start = a.s.lines[at.first].Start
			if e.End < len(a.text) && a.text[e.End] == '\n' {
				e.End++
			}
		}
		edits = append(edits, e)
	}
	return edits, ""
}

// relabel gives items their new labels.
func (a *applier) relabel(op Operation, regions []region) (edits []edit, why Reason) {
	if len(op.Labels) != len(regions) {
		return nil, PlaceUnclear
	}
	for i, at := range regions {
		l := a.s.lines[at.first]
		old := a.text[l.Start:l.body]
		step := op.Places[i][len(op.Places[i])-1]
		k := strings.Index(old, step.Label)
		if step.Level != Item || k < 0 {
			return nil, NoSuchPlace
		}
		edits = append(edits, edit{Span: Span{l.Start + k, l.Start + k + len(step.Label)}, text: op.Labels[i]})
	}
	return edits, ""
}

// listBelow reports whether the alinea that gets a new wording ends with a colon and lines of a list without labels follow
// it: some countries count these as part of the alinea.
func (a *applier) listBelow(op Operation, at region) bool {
	return op.Unit == Alineas && !at.sentence && a.s.listBelow(at.last)
}
