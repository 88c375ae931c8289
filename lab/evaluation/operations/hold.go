package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
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
	orders   []order
	read     []reading
	verdicts []verdict
	false    []found // operations that nobody ordered
}

// found is an operation of a text.
type found struct {
	*reading
	op      amend.Operation
	sealed  bool
	verdict string
}

func (h *holding) hold() (open, sealed score) {
	h.verdicts = make([]verdict, len(h.orders))
	var all []found
	for i := range h.read {
		for _, op := range h.read[i].ops {
			all = append(all, found{reading: &h.read[i], op: op, sealed: h.sealed(&h.read[i])})
		}
	}
	used := make([]verdict, len(all)) // the best that an operation is for an order
	near := make([]bool, len(all))    // an order is about the operation's article, or is read from its words
	for n, o := range h.orders {
		for i, f := range all {
			v, about := o.judge(f)
			h.verdicts[n], used[i] = max(h.verdicts[n], v), max(used[i], v)
			near[i] = near[i] || about
		}
	}
	for n, o := range h.orders {
		s := &open
		if o.sealed() {
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
		place := fmt.Sprint(f.text.Document.ID, f.text.First, f.op.Evidence)
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

// sealed reports whether a text is one of the sealed acts.
func (h *holding) sealed(r *reading) bool {
	d := r.text.Document
	return slices.ContainsFunc(h.orders, func(o order) bool {
		return o.sealed() && (value(o.Act.Number) != "" && value(o.Act.Number) == d.OfficialNumber || value(o.Act.Date) == d.Promulgated.Format(time.DateOnly))
	})
}

// kinds are the kinds of operations that may do what an order of a kind says.
var kinds = map[string][]amend.Kind{
	"replace_article": {amend.ReplaceArticle}, "insert_article": {amend.InsertArticle}, "repeal_article": {amend.RepealArticle},
	"renumber": {amend.RenumberArticle, amend.RenumberPlace}, "replace_words": {amend.ReplaceWords, amend.ReplaceTail, amend.ReplacePlace},
	"insert_words": {amend.InsertWords, amend.InsertPlace}, "delete_words": {amend.DeleteWords, amend.DeletePlace},
	"replace_paragraph": {amend.ReplacePlace}, "add_paragraph": {amend.InsertPlace}, "delete_paragraph": {amend.DeletePlace},
	"repeal_text": {amend.RepealText}, "replace_heading": {amend.ReplaceHeading}, "insert_division": {amend.InsertDivision}, "rectify": {amend.ReplaceWords, amend.ReplacePlace, amend.ReplaceArticle},
}

// judge says what an operation is for an order, and whether it is about the same place.
func (o order) judge(f found) (v verdict, about bool) {
	op := f.op
	instruction := f.act[op.Evidence.Start:op.Evidence.End]
	read := sharedWords(o.Instruction, instruction) >= 0.5
	whole := o.Article == ""
	same := !whole && op.Article != "" && law.ArticleKey(op.Article) == law.ArticleKey(o.Article) || whole && op.Article == "" && (read || o.names(op.Text))
	if !same {
		if read && op.Doubt != "" && op.Kind == amend.Unread {
			return noticed, true
		}
		return missed, read
	}
	if !o.by(f) && !read {
		return missed, false
	}
	switch {
	case op.Kind == amend.Unread:
		return noticed, true
	case o.Kind == "repeal_text" && (op.Kind != amend.RepealText || !o.names(op.Text)):
		return noticed, true
	case (slices.Contains(kinds[o.Kind], op.Kind) || op.Over && (o.Kind == "replace_article" || o.Kind == "insert_article")) && op.Doubt == "" && o.words(op.New):
		return right, true
	}
	return partly, true
}

// by reports whether a text may be the act of the order.
func (o order) by(f found) bool {
	d := f.text.Document
	if n := value(o.Act.Number); n != "" && d.OfficialNumber != "" {
		return letters(n) == letters(d.OfficialNumber) || strings.HasPrefix(letters(n), letters(d.OfficialNumber))
	}
	day := value(o.Act.Date)
	return day == "" || day == d.Promulgated.Format(time.DateOnly)
}

// names reports whether an operation names the text of the order.
func (o order) names(t amend.Text) bool {
	if n := value(o.Target.Number); n != "" && t.Number != "" {
		return letters(n) == letters(t.Number) || strings.HasSuffix(letters(n), letters(t.Number)) || strings.HasSuffix(letters(t.Number), letters(n))
	}
	if day := value(o.Target.Date); day != "" {
		if on, _, _, ok := law.FindDate(t.Title); ok {
			return day == on.Format(time.DateOnly)
		}
	}
	return t.Title != "" && sharedWords(t.Title, o.Target.Title) >= 0.5
}

// words reports whether a wording begins and ends as the order's does.
func (o order) words(wording []string) bool {
	made := strings.Join(wording, " ")
	made, first := letters(withoutHead(made)), letters(withoutHead(o.First))
	last := letters(o.Last)
	return o.First == "" && o.Last == "" || begins(made, first) && begins(reversed(made), reversed(last))
}

// heading matches the head of an article before its words.
var heading = law.Pattern(`^[«"“ ]*(?i:art(?:icle)?\b)\.? *[\dLRD.~ ]+(?:er|bis|ter|quater)?(?: *\([^)]*\))?[ .:~―]*`)

func withoutHead(s string) string { return s[len(heading.FindString(s)):] }

// letters returns the letters and digits of a text, folded.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, law.Fold(s))
}

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

// sharedWords returns the share of three words in a row of the shorter text that the other one has too.
func sharedWords(a, b string) float64 {
	three := func(s string) map[string]bool {
		w := strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		out := map[string]bool{}
		for i := range w {
			out[strings.Join(w[i:min(len(w), i+3)], " ")] = true
		}
		return out
	}
	x, y := three(a), three(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	if len(x) == 0 {
		return 0
	}
	return float64(n) / float64(len(x))
}

// tell prints the orders that are not right and the operations that nobody ordered, but those of sealed acts.
func (h *holding) tell(out io.Writer, file string) {
	names := [...]string{"not noticed", "noticed", "partly", "right"}
	for n, o := range h.orders {
		if h.verdicts[n] == right || o.sealed() {
			continue
		}
		fmt.Fprintf(out, "== %s  %s: %s, %s, art. %s of %.60s, place %q\n   %.400s\n", o.ID, file, names[h.verdicts[n]], o.Kind, o.Article, o.Target.Title, value(o.Place), o.Instruction)
		for i := range h.read {
			for _, op := range h.read[i].ops {
				f := found{reading: &h.read[i], op: op}
				if v, about := o.judge(f); about && v > missed {
					fmt.Fprintf(out, "   -- %s %s %s %v %q doubt=%s text=%.60q %.200q\n", names[v], op.Kind, op.Article, op.Places, op.Words, op.Doubt, op.Text.Title, strings.Join(op.New, "|"))
				}
			}
		}
	}
	for _, f := range h.false {
		if !f.sealed {
			fmt.Fprintf(out, "!! %s  %s: %s art. %s of %.60q doubt=%s by=%s  %.300q new=%.120q\n", f.verdict, file, f.op.Kind, f.op.Article, f.op.Text.Title, f.op.Doubt, f.op.By, f.act[f.op.Evidence.Start:f.op.Evidence.End], strings.Join(f.op.New, "|"))
		}
	}
}
