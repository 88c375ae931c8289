package amend

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Result is what the operations of an act make of an article.
type Result struct {
	Text     string    // the text after; the text before unless Complete
	Gone     bool      // the article is repealed
	Complete bool      // all operations are applied
	Outcomes []Outcome // of each operation, in the order given
}

// Outcome is what became of an operation.
type Outcome struct {
	Reason Reason // why it is not applied; "" if it is
	Before []Span // what it changes in the text before; an empty span marks where it adds
	After  []Span // its new words in the text after
	// Remark is what a person should know of an applied operation: ArticleExists if the
	// inserted article takes the number of one that the act does not repeal.
	Remark Reason
	// Proposal is where words that were not found may be meant: the most similar words. It
	// is never applied.
	Proposal *Span
}

// edit replaces bytes of a text.
type edit struct {
	Span
	text string
	op   int
}

// Apply applies the operations of one act on one article to its text before. exists is false
// for an article that does not exist, or that is repealed. The operations of one article of
// the act refer to the same text, those of the next one to its result. If an operation
// cannot be applied, the text stays as it was.
func Apply(left string, exists bool, ops []Operation) Result {
	r := Result{Text: left, Gone: !exists, Complete: true, Outcomes: make([]Outcome, len(ops))}
	if len(left) > MaxBytes {
		for i := range ops {
			r.Outcomes[i].Reason = TooLong
		}
		r.Complete = len(ops) == 0
		return r
	}
	text, gone := left, !exists
	var history [][]edit
	for start := 0; start < len(ops); {
		end := start + 1
		for end < len(ops) && ops[end].By == ops[start].By {
			end++
		}
		a := applier{text: text, gone: gone, ops: ops[start:end], out: r.Outcomes[start:end]}
		a.run()
		for i := start; i < end; i++ {
			for _, earlier := range slices.Backward(history) {
				r.Outcomes[i].Before = shift(r.Outcomes[i].Before, earlier, true)
			}
		}
		for i := range start {
			r.Outcomes[i].After = shift(r.Outcomes[i].After, a.edits, false)
		}
		history = append(history, a.edits)
		text, gone, start = a.text, a.gone, end
	}
	for _, o := range r.Outcomes {
		r.Complete = r.Complete && o.Reason == ""
	}
	if r.Complete {
		r.Text, r.Gone = text, gone
	}
	return r
}

// shift moves spans through edits: from the text before them to the text after, or back.
func shift(spans []Span, edits []edit, back bool) []Span {
	move := func(pos int) int {
		delta := 0
		for _, e := range edits {
			if back {
				if pos >= e.Start+delta+len(e.text) {
					delta += len(e.text) - (e.End - e.Start)
					continue
				}
				return max(min(pos-delta, e.Start), 0)
			}
			if pos >= e.End {
				delta += len(e.text) - (e.End - e.Start)
				continue
			}
			break
		}
		if back {
			return pos - delta
		}
		return pos + delta
	}
	out := make([]Span, 0, len(spans))
	for _, s := range spans {
		moved := Span{move(s.Start), 0}
		moved.End = max(move(s.End), moved.Start)
		out = append(out, moved)
	}
	return out
}

// applier applies operations that refer to the same text.
type applier struct {
	text  string
	gone  bool
	ops   []Operation
	out   []Outcome
	s     *structure
	edits []edit
}

func (a *applier) run() {
	a.s = parseStructure(a.text)
	whole := -1
	for i, op := range a.ops {
		if op.Doubt != "" {
			a.out[i].Reason = op.Doubt
			continue
		}
		switch op.Kind {
		case ReplaceArticle, InsertArticle, RepealArticle:
			switch {
			case whole < 0, op.Kind != RepealArticle && a.ops[whole].Kind == RepealArticle: // the number is used again
				whole = i
			case op.Kind != RepealArticle:
				a.out[i].Reason, a.out[whole].Reason = Conflict, Conflict
			}
		}
	}
	var edits []edit
	for i, op := range a.ops {
		if a.out[i].Reason != "" {
			continue
		}
		switch {
		case op.Kind == ReplaceArticle, op.Kind == InsertArticle, op.Kind == RepealArticle:
			continue
		case a.gone && whole < 0:
			a.out[i].Reason = ArticleMissing
			continue
		case whole >= 0 && op.Kind != RenumberArticle:
			a.out[i].Reason = Conflict
			continue
		}
		more, why, span := a.edit(op)
		if why != "" {
			a.out[i].Reason, a.out[i].Proposal = why, span
			continue
		}
		for _, e := range more {
			e.op = i
			edits = append(edits, e)
		}
	}
	a.whole(whole, len(edits) > 0)
	if whole < 0 {
		a.write(edits)
	}
}

// whole applies the operation on the whole article.
func (a *applier) whole(i int, edited bool) {
	if i < 0 || a.out[i].Reason != "" {
		return
	}
	op := a.ops[i]
	everything := []Span{{0, len(a.text)}}
	switch {
	case edited:
		a.out[i].Reason = Conflict
		return
	case op.Kind == ReplaceArticle && a.gone && !op.Over:
		a.out[i].Reason = ArticleMissing
		return
	case op.Kind == RepealArticle && a.gone:
		a.out[i].Reason = ArticleMissing
		return
	case op.Kind == InsertArticle && !a.gone && !op.Over:
		a.out[i].Remark = ArticleExists // the old article has lost its number
	}
	right := ""
	if op.Kind != RepealArticle {
		lines := op.New
		if op.Elided {
			var ok bool
			if lines, ok = a.s.supply(op); !ok || a.gone {
				a.out[i].Reason = PlaceUnclear
				return
			}
		}
		right = strings.Join(lines, "\n")
	}
	a.edits = []edit{{Span: everything[0], text: right, op: i}}
	a.out[i].Before, a.out[i].After = everything, []Span{{0, len(right)}}
	a.text, a.gone = right, op.Kind == RepealArticle
}

// write makes the edits, unless two of them change one place.
func (a *applier) write(edits []edit) {
	slices.SortStableFunc(edits, func(x, y edit) int { return cmp.Or(x.Start-y.Start, x.End-y.End) })
	end, last := 0, -1
	for _, e := range edits {
		if last >= 0 && e.Start < end && e.op != last {
			a.out[e.op].Reason, a.out[last].Reason = Conflict, Conflict
		}
		if e.End >= end {
			end, last = e.End, e.op
		}
	}
	var out strings.Builder
	pos := 0
	for _, e := range edits {
		if a.out[e.op].Reason != "" || e.Start < pos {
			continue
		}
		e.text = a.parted(e)
		out.WriteString(a.text[pos:e.Start])
		start := out.Len()
		out.WriteString(e.text)
		a.out[e.op].Before = append(a.out[e.op].Before, e.Span)
		if e.text != "" {
			a.out[e.op].After = append(a.out[e.op].After, Span{start, out.Len()})
		}
		a.edits = append(a.edits, e)
		pos = e.End
	}
	out.WriteString(a.text[pos:])
	a.text = strings.Trim(out.String(), "\n")
}

// parted puts spaces between the words of an edit and those beside it.
func (a *applier) parted(e edit) string {
	if e.text == "" {
		return ""
	}
	left, _ := utf8.DecodeLastRuneInString(a.text[:e.Start])
	right := firstRune(a.text[e.End:])
	last, _ := utf8.DecodeLastRuneInString(e.text)
	if wordRune(left) && wordRune(firstRune(e.text)) {
		e.text = " " + e.text
	}
	if wordRune(last) && wordRune(right) {
		e.text += " "
	}
	return e.text
}

// edit returns the edits of an operation on a part of the article.
func (a *applier) edit(op Operation) (edits []edit, why Reason, span *Span) {
	if op.Kind == RenumberArticle {
		return nil, "", nil
	}
	regions := []region{a.s.whole()}
	if regions[0].last < 0 {
		return nil, NoSuchPlace, nil
	}
	if len(op.Places) > 0 {
		regions = regions[:0]
		for _, path := range op.Places {
			at, why := a.s.resolve(path)
			if why != "" {
				return nil, why, nil
			}
			regions = append(regions, at)
		}
	}
	if len(a.s.lines) > 1 && op.countsSentences() {
		return nil, PlaceUnclear, nil
	}
	if (op.Kind == InsertPlace || op.Kind == InsertWords) && a.hasAlready(op, regions) {
		return nil, AlreadyThere, nil
	}
	switch op.Kind {
	case ReplaceWords, DeleteWords, ReplaceTail:
		return a.inWords(op, regions)
	case InsertWords:
		if op.Words != "" {
			return a.inWords(op, regions)
		}
		edits, why = a.wordsAtEnd(op, regions)
	case ReplacePlace:
		edits, why = a.replacePlaces(op, regions)
	case InsertPlace:
		edits, why = a.insertPlace(op, regions)
	case DeletePlace:
		edits, why = a.deletePlaces(regions)
	case RenumberPlace:
		edits, why = a.relabel(op, regions)
	default:
		why = NotUnderstood
	}
	return edits, why, nil
}

// countsSentences reports whether an operation changes sentences of an article and names no alinea: the act takes the article
// for one alinea. Words that are named show themselves whether the sentence is theirs.
func (op Operation) countsSentences() bool {
	switch op.Kind {
	case ReplacePlace, DeletePlace:
	case InsertPlace:
		if len(op.Places) == 0 {
			return op.Unit == Sentences
		}
	default:
		return false
	}
	return slices.ContainsFunc(op.Places, func(p Path) bool { return p[0].Level == Sentence })
}

// hasAlready reports whether all sentences of what is added are in the regions already. Sentences of a few words may be in
// an article twice.
func (a *applier) hasAlready(op Operation, regions []region) bool {
	const fewWords = 5
	var there strings.Builder
	if len(a.text) > mostCompared || len(strings.Join(op.New, "")) > len(a.text) {
		return false
	}
	for _, at := range regions {
		there.WriteString(" " + strings.Join(wordsOf(a.text[at.Start:at.End]).text, " ") + " ")
	}
	compared := false
	for _, line := range op.New {
		for _, sentence := range strings.SplitAfter(line, ". ") {
			words := wordsOf(sentence).text
			if len(words) < fewWords {
				continue
			}
			if compared = strings.Contains(there.String(), " "+strings.Join(words, " ")+" "); !compared {
				return false
			}
		}
	}
	return compared
}

// mostCompared bounds the comparisons of letters in the search for similar words.
const mostCompared = 100_000

// Concerns reports whether an operation is about the article of a text with a number, under
// the headings of path, the outermost first. An operation on the articles of a division
// concerns no article whose headings are unknown.
func (op Operation) Concerns(number string, path []string) bool {
	key := law.ArticleKey(number)
	if !op.Every {
		return law.ArticleKey(op.Article) == key
	}
	if slices.ContainsFunc(op.Except, func(n string) bool { return law.ArticleKey(n) == key }) {
		return false
	}
	pos := len(path)
	for _, d := range op.Divisions {
		for pos--; pos >= 0 && !isHeading(path[pos], d); pos-- {
		}
		if pos < 0 {
			return false
		}
	}
	return true
}

// isHeading reports whether a heading such as « Chapitre II : Des peines » is that of the
// division « chapitre ii ».
func isHeading(heading, division string) bool {
	words := strings.FieldsFunc(law.Fold(heading), func(r rune) bool { return !wordRune(r) && r != '-' })
	named := strings.Fields(division)
	if len(words) < len(named) || len(named) < 2 || words[0] != named[0] {
		return false
	}
	for i, n := range named[1:] {
		if words[i+1] != n && divisionNumber(words[i+1]) != divisionNumber(n) {
			return false
		}
	}
	return len(words) == len(named) || !isSuffix(words[len(named)])
}

// divisionNumber returns the number of a division in figures, if it is one.
func divisionNumber(word string) string {
	if n, ok := ordinalOf(word); ok && n > 0 {
		return strconv.Itoa(n)
	}
	if n := law.Roman(word); n > 0 {
		return strconv.Itoa(n)
	}
	return word
}

// replacePlaces gives regions their new wording. Several regions must follow one another, or
// the wording must have a paragraph for each.
func (a *applier) replacePlaces(op Operation, regions []region) ([]edit, Reason) {
	slices.SortStableFunc(regions, func(x, y region) int { return x.Start - y.Start })
	joined := regions[0]
	contiguous := true
	for _, next := range regions[1:] {
		span := Span{joined.End, next.Start}
		if span.Start > span.End || strings.TrimFunc(a.text[span.Start:span.End], blankOrInvisible) != "" {
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
	last := a.s.lines[end].End
	return edit{Span: Span{last, last}, text: "\n" + lines}, ""
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
