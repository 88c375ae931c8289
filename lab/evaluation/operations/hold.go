package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/lab/evaluation/operations/orders"
)

// verdict is what became of an order.
type verdict int

const (
	missed verdict = iota
	noticed
	partly
	right
)

// holding holds what is read of a file against the orders in it.
type holding struct {
	orders.File
	read     []orders.Text
	verdicts []verdict
	false    []found // operations that nobody ordered
}

// found is an operation of a text.
type found struct {
	*orders.Text
	op      amend.Operation
	sealed  bool
	verdict string
}

func (h *holding) hold() (open, sealed score) {
	h.verdicts = make([]verdict, len(h.Known))
	var all []found
	for i := range h.read {
		for _, op := range h.read[i].Operations {
			all = append(all, found{Text: &h.read[i], op: op, sealed: h.Sealed(h.read[i])})
		}
	}
	used := make([]verdict, len(all)) // the best that an operation is for an order
	near := make([]bool, len(all))    // an order is about the operation's article, or is read from its words
	for n, o := range h.Known {
		for i, f := range all {
			v, about := judge(o, f)
			h.verdicts[n], used[i] = max(h.verdicts[n], v), max(used[i], v)
			near[i] = near[i] || about
		}
	}
	for n, o := range h.Known {
		s := &open
		if o.Sealed() {
			s = &sealed
		}
		s.Orders++
		switch h.verdicts[n] {
		case right:
			s.Right++
		case partly:
			s.Partly++
		case noticed:
			s.Noticed++
		default:
			s.Missed++
		}
	}
	places := map[string]bool{}
	for i, f := range all {
		s := &open
		if f.sealed {
			s = &sealed
		}
		place := fmt.Sprint(f.Document.Title, f.First, f.op.Evidence)
		switch sure := f.op.Doubt == ""; {
		case used[i] == right || f.op.Text.Self || near[i] && (len(f.op.Except) > 0 || f.op.Kind == amend.ReplaceHeading): // what a division loses follows from its new wording
			continue
		case sure && near[i]:
			s.Wrong++
			f.verdict = "wrong"
		case sure:
			s.Invented++
			f.verdict = "invented"
		case !near[i] && !places[place]:
			s.False++
			f.verdict = "false"
		default:
			continue
		}
		places[place] = true
		h.false = append(h.false, f)
	}
	return open, sealed
}

// kinds are the kinds of operations that may do what an order of a kind says.
var kinds = map[string][]amend.OperationKind{
	"replace_article": {amend.ReplaceArticle}, "insert_article": {amend.InsertArticle}, "repeal_article": {amend.RepealArticle},
	"renumber": {amend.RenumberArticle, amend.RenumberPlace}, "replace_words": {amend.ReplaceWords, amend.ReplaceTail, amend.ReplacePlace},
	"insert_words": {amend.InsertWords, amend.InsertPlace}, "delete_words": {amend.DeleteWords, amend.DeletePlace},
	"replace_paragraph": {amend.ReplacePlace}, "add_paragraph": {amend.InsertPlace}, "delete_paragraph": {amend.DeletePlace},
	"repeal_text": {amend.RepealText}, "replace_heading": {amend.ReplaceHeading}, "insert_division": {amend.InsertDivision}, "rectify": {amend.ReplaceWords, amend.ReplacePlace, amend.ReplaceArticle},
}

// judge says what an operation is for an order, and whether it is about the same place.
func judge(o orders.Order, f found) (v verdict, about bool) {
	op := f.op
	instruction := f.Act[op.Evidence.Start:op.Evidence.End]
	read := orders.Alike(o.Instruction, instruction) >= 0.5
	whole := o.Article == ""
	same := !whole && op.Article != "" && law.ArticleKey(op.Article) == law.ArticleKey(o.Article) || whole && op.Article == "" && (read || names(o, op.Text))
	if !same {
		if read && op.Doubt != "" && op.Kind == amend.Unread {
			return noticed, true
		}
		return missed, read
	}
	if !o.By(f.Document) && !read {
		return missed, false
	}
	switch {
	case op.Kind == amend.Unread:
		return noticed, true
	case o.Kind == "repeal_text" && (op.Kind != amend.RepealText || !names(o, op.Text)):
		return noticed, true
	case (slices.Contains(kinds[o.Kind], op.Kind) || op.Over && (o.Kind == "replace_article" || o.Kind == "insert_article")) && op.Doubt == "" && words(o, op.New):
		return right, true
	}
	return partly, true
}

// names reports whether an operation names the text of the order.
func names(o orders.Order, t amend.TargetText) bool {
	if n := o.Target.Number; n != "" && t.Number != "" {
		return orders.Letters(n) == orders.Letters(t.Number) || strings.HasSuffix(orders.Letters(n), orders.Letters(t.Number)) || strings.HasSuffix(orders.Letters(t.Number), orders.Letters(n))
	}
	if day := o.Target.Date; day != "" {
		if on, _, _, ok := law.FindDate(t.Title); ok {
			return day == on.Format(time.DateOnly)
		}
	}
	return t.Title != "" && orders.Alike(t.Title, o.Target.Title) >= 0.5
}

// words reports whether a wording begins and ends as the order's does.
func words(o orders.Order, wording []string) bool {
	made := strings.Join(wording, " ")
	made, first := orders.Letters(withoutHead(made)), orders.Letters(withoutHead(o.First))
	last := orders.Letters(o.Last)
	return o.First == "" && o.Last == "" || begins(made, first) && begins(reversed(made), reversed(last))
}

// heading matches the head of an article before its words.
var heading = law.Pattern(`^[«"“ ]*(?i:art(?:icle)?\b)\.? *[\dLRD.~ ]+(?:er|bis|ter|quater)?(?: *\([^)]*\))?[ .:~―]*`)

func withoutHead(s string) string { return s[len(heading.FindString(s)):] }

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// begins reports whether a text begins with letters, of which one in eight may be misread.
func begins(text, with string) bool {
	row := make([]int, len(with)+1)
	for i := range row {
		row[i] = i
	}
	best := row[len(with)]
	for i := range min(len(text), len(with)+len(with)/8+1) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(with) {
			cost := diagonal
			if text[i] != with[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
		best = min(best, row[len(with)])
	}
	return best*8 <= len(with)
}

// tell prints the orders that are not right and the operations that nobody ordered, but those of sealed acts.
func (h *holding) tell(out io.Writer) {
	names := [...]string{"not noticed", "noticed", "partly", "right"}
	for n, o := range h.Known {
		if h.verdicts[n] == right || o.Sealed() {
			continue
		}
		fmt.Fprintf(out, "== %s  %s: %s, %s, art. %s of %.60s, place %q\n   %.400s\n", o.ID, h.Name, names[h.verdicts[n]], o.Kind, o.Article, o.Target.Title, o.Place, o.Instruction)
		for i := range h.read {
			for _, op := range h.read[i].Operations {
				f := found{Text: &h.read[i], op: op}
				if v, about := judge(o, f); about && v > missed {
					fmt.Fprintf(out, "   -- %s %s %s %v %q doubt=%s text=%.60q %.200q\n", names[v], op.Kind, op.Article, op.Places, op.Words, op.Doubt, op.Text.Title, strings.Join(op.New, "|"))
				}
			}
		}
	}
	for _, f := range h.false {
		if !f.sealed {
			fmt.Fprintf(out, "!! %s  %s: %s art. %s of %.60q doubt=%s by=%s  %.300q new=%.120q\n", f.verdict, h.Name, f.op.Kind, f.op.Article, f.op.Text.Title, f.op.Doubt, f.op.By, f.Act[f.op.Evidence.Start:f.op.Evidence.End], strings.Join(f.op.New, "|"))
		}
	}
}
