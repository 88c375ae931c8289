// Package relations finds what a text does to other texts. Its articles go in. The repeals and amendments that they order
// come out, and the new wordings that they give to articles of other texts, derived from what package amend reads.
package relations

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
)

// Of derives the changes that the articles of a text make to other texts from the operations that they order, and the
// new wordings that they give to articles of other texts. What only may be an order is left out.
func Of(doc law.Document, articles []law.Article) ([]gazette.Relation, []gazette.Wording) {
	act, parts := amend.Written(articles)
	index := make(map[*law.Article]int, len(articles))
	for i := range articles {
		index[&articles[i]] = i
	}
	d := deriver{act: act, own: amend.Named(doc.Title)}
	if doc.OfficialNumber != "" {
		d.own.Number = doc.OfficialNumber
	}
	pos, ops := 0, amend.Read(act, amend.Options{Parts: parts, Title: doc.Title})
	for _, op := range ops {
		for pos < len(parts)-1 && op.Evidence.Start >= parts[pos].End {
			pos++
		}
		if d.changesItself(op.Text) || !identifies(op.Text) || op.Kind == amend.Unread && !(op.Likely && d.ordered(doc.Title, parts[pos], op, ops)) {
			continue
		}
		d.add(index[parts[pos].Article], parts[pos], op)
	}
	return d.changes, d.given
}

// deriver derives the changes of one act from its operations, in order.
type deriver struct {
	act     string           // the act, as amend.Written writes it
	own     amend.TargetText // its name
	changes []gazette.Relation
	given   []gazette.Wording
	used    int // byte of the act up to which it is already part of new wordings
}

// identifies reports whether the name of a text can mean a single one: by number, by day, as the code of something, as
// the constitution of a state, or by a title of several words. « La constitution de la société » and « la loi ou le
// règlement » name none.
func identifies(t amend.TargetText) bool {
	const title = 3 // words that say what a text is about
	if _, _, _, dated := law.FindDate(t.Title); dated || t.Number != "" {
		return true
	}
	if titles.Dangling.MatchString(t.Title) { // « décision prise dans les conditions prévues par l' », and an article
		return false
	}
	noun, rest, _ := strings.Cut(strings.TrimSpace(t.Title), " ")
	about := french.Terms(rest)
	switch t.Type {
	case law.Code:
		first, _, _ := strings.Cut(rest, " ")
		return len(about) > 0 && !slices.Contains([]string{"ou", "et", "qui", "dont"}, first)
	case law.Constitution:
		return rest == "" && strings.HasPrefix(noun, "C") || len(country.In(rest)) > 0 || slices.Contains(about, french.Terms("république")[0])
	}
	return len(about) >= title
}

// ordered reports whether an instruction that is not understood orders a change all the same: its own sentence does in an
// act whose title says what it changes, or a sentence of its article that names the text does, and no instruction that is
// understood makes the same change. What only a title says has no sentence.
func (d *deriver) ordered(title string, p amend.Part, op amend.Operation, all []amend.Operation) bool {
	if op.Evidence.Start == op.Evidence.End {
		return true
	}
	if slices.ContainsFunc(all, func(o amend.Operation) bool {
		return o.Kind != amend.Unread && o.By == op.By && o.Text.Fits(op.Text) && (o.Article == op.Article || op.Article == "")
	}) {
		return false
	}
	if changing.MatchString(title) && names(title, op.Text) {
		return amend.Orders(d.act[op.Evidence.Start:op.Evidence.End])
	}
	orders := func(words string) bool { return names(words, op.Text) && amend.Orders(words) }
	if orders(d.act[op.Evidence.Start:op.Evidence.End]) {
		return true
	}
	for item := range strings.SplitSeq(d.act[min(p.Start, op.Evidence.Start):op.Evidence.End], ";") {
		if slices.ContainsFunc(french.Sentences(item), func(s french.Span) bool { return orders(item[s.Start:s.End]) }) {
			return true
		}
	}
	return false
}

// names reports whether words name a text: its number, its day or the beginning of its title is in them, or they refer
// to it as « le même décret ».
func names(words string, t amend.TargetText) bool {
	if t.Number != "" && strings.Contains(words, t.Number) {
		return true
	}
	flat := func(s string) string { return law.Fold(strings.Join(strings.Fields(s), " ")) }
	title, plain := flat(t.Title), flat(words)
	noun, _, _ := strings.Cut(title, " ")
	for _, word := range []string{"meme ", "dudit ", "ledit ", "ladite "} {
		if strings.Contains(plain, word+noun) {
			return true
		}
	}
	if day, _, _, dated := law.FindDate(t.Title); dated {
		for rest := words; ; {
			other, _, end, found := law.FindDate(rest)
			if !found || other.Equal(day) {
				return found
			}
			rest = rest[end:]
		}
	}
	const beginning = 20
	return t.Number == "" && strings.Contains(plain, title[:min(len(title), beginning)])
}

// changing matches what makes a title that of an act which changes what it names.
var changing = law.Pattern(`(?i)\b(?:modifi|complét|abrog|rectifi|rapport)\pL+`)

// changesItself reports whether the text of an operation is the act itself, or unknown.
func (d *deriver) changesItself(t amend.TargetText) bool {
	return t.Zero() || t.Self || t.Number != "" && t.Number == d.own.Number || t.Number == "" && d.own.Equal(t)
}

// add adds the change that an operation makes, and the new wording that it gives. Operations of an article that differ
// only in the article that they change are one relation.
func (d *deriver) add(article int, p amend.Part, op amend.Operation) {
	r := gazette.Relation{Article: article, Relation: relationOf(op)}
	r.Words = d.sentence(op)
	n := slices.IndexFunc(d.changes, func(o gazette.Relation) bool { return differOnlyInArticles(o, r) })
	if n < 0 {
		n = len(d.changes)
		d.changes = append(d.changes, r)
	} else if c := &d.changes[n]; op.Article != "" && !slices.Contains(c.TargetArticles, op.Article) {
		c.TargetArticles = append(c.TargetArticles, op.Article)
	}
	if w, ok := d.wording(p, op); ok {
		w.Article, w.Relation = article, n
		d.given = append(d.given, w)
	}
}

func differOnlyInArticles(a, b gazette.Relation) bool {
	return a.Article == b.Article && a.Kind == b.Kind && a.Adds == b.Adds && a.Effective.Equal(b.Effective) &&
		a.TargetType == b.TargetType && a.TargetNumber == b.TargetNumber && a.TargetTitle == b.TargetTitle &&
		(len(a.TargetArticles) == 0) == (len(b.TargetArticles) == 0)
}

// sentence returns the words that order an operation, the title of the act if no others do.
func (d *deriver) sentence(op amend.Operation) string {
	const most = 500
	words := strings.Join(strings.Fields(d.act[op.Evidence.Start:op.Evidence.End]), " ")
	if words == "" {
		words = d.own.Title
	}
	if len(words) > most {
		words = strings.ToValidUTF8(words[:most], "") + "…"
	}
	return words
}

// forming matches what stands between the name of an act and that of the code that it contains: « décret du 6 août 1959 portant ».
var forming = law.Pattern(`(?i)\b(?:portant|formant|instituant|promulguant|approuvant|relatif au|relative au)\s+(?:(?:le|la|du|l['’]) *)?$`)

// relationOf returns the change that an operation makes. The repeal of a division, or of all but some articles, names
// no article, so it is an amendment of the text.
func relationOf(op amend.Operation) law.Relation {
	r := law.Relation{Kind: law.Amends, TargetType: op.Text.Type, TargetNumber: op.Text.Number, Effective: op.Effective}
	refs := read.Printed(op.Text.Title)
	switch {
	case r.TargetNumber == "" && len(refs) > 0 && refs[0].Title != "" && (refs[0].Start == 0 || forming.MatchString(op.Text.Title[:refs[0].Start])):
		r.TargetTitle = refs[0].Title
	case r.TargetNumber == "":
		r.TargetTitle = op.Text.Title
	case len(refs) > 0 && !refs[0].Date.IsZero():
		day := refs[0].Date
		r.TargetDate = &day
	}
	if op.Article != "" {
		r.TargetArticles = []string{op.Article}
	}
	switch op.Kind {
	case amend.RepealText:
		r.Kind = law.Repeals
	case amend.RepealArticle:
		if r.Adds = op.Article == ""; !r.Adds {
			r.Kind = law.Repeals
		}
	case amend.InsertArticle:
		r.Adds = !op.Over
	case amend.ReplaceArticle, amend.Unread:
		r.Adds = op.Doubt == amend.PlaceUnclear // the act words only a part
	default:
		r.Adds = true
	}
	return r
}

// wording returns the new wording of an article, or of a part that a head names, that an operation gives. What is printed
// between two wordings, such as headings of divisions, belongs to the second one.
func (d *deriver) wording(p amend.Part, op amend.Operation) (w gazette.Wording, ok bool) {
	switch op.Kind {
	case amend.ReplaceArticle, amend.InsertArticle, amend.ReplacePlace:
	default:
		return w, false
	}
	first, end := max(op.Wording.Start, d.used), op.Wording.End
	if op.Article == "" || len(op.New) == 0 || op.Wording.Start < p.Start || end > p.End || first >= end {
		return w, false
	}
	start, last := -1, first
	for _, line := range op.New {
		pos := strings.Index(d.act[last:end], line)
		if pos < 0 {
			return w, false
		}
		if start < 0 {
			start = last + pos
		}
		last += pos + len(line)
	}
	if op.Kind == amend.ReplacePlace {
		if len(op.Places) == 0 || !strings.ContainsFunc(d.act[first:start], unicode.IsLetter) { // no head names the article
			return w, false
		}
		w.Part = nameOf(op.Places[0])
	}
	d.used = last + len(d.act[last:end]) - len(strings.TrimLeft(d.act[last:end], " \u00a0\u202f»”\".;,\n"))
	w.Number, w.Inserted = op.Article, op.Kind == amend.InsertArticle && !op.Over
	w.Start, w.End, w.From, w.To = start-p.Start, last-p.Start, first-p.Start, d.used-p.Start
	return w, true
}

// nameOf names a part of an article: « alinéa 2 ».
func nameOf(path amend.Path) string {
	switch step := path[0]; {
	case step.Level == amend.Item:
		return step.Label
	case step.Index == 1:
		return "premier alinéa"
	case step.Index < 0:
		return "dernier alinéa"
	default:
		return "alinéa " + strconv.Itoa(step.Index)
	}
}
