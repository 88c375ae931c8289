package amend

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// forceRule says from when on the operations of a part of the act are law: « Le 2° du I entre
// en vigueur le 1er janvier 2011 ».
type forceRule struct {
	by     string   // number of the act's article
	labels []string // the labels of the part, the outermost first; none: the whole article
	entry  entry
}

// force reads a sentence on the entry into force of articles of the act, or of parts of the
// article that it is in. It reports whether the instruction is such a sentence.
func (r *reader) force(p *parser) bool {
	verb := slices.IndexFunc(p.toks, func(t token) bool {
		return t.text == "entre" || t.text == "entrent" || t.text == "prend" || t.text == "prennent"
	})
	if verb < 0 || !(p.word(verb+1) == "en" && p.word(verb+2) == "vigueur" || p.word(verb+1) == "effet") {
		return false
	}
	if slices.ContainsFunc(p.toks[:verb], func(t token) bool { return t.text == "abroge" || t.text == "remplace" || t.text == "modifie" }) {
		return false // « la présente loi abroge la loi … et entre en vigueur … »
	}
	for k := verb; k < len(p.toks); k++ {
		if p.passive(k) { // « la présente loi entre en vigueur … et sont abrogées toutes dispositions contraires »
			p.toks = p.toks[k:]
			return false
		}
	}
	e := entryOf(p.source[p.toks[verb].end:])
	if e == (entry{}) {
		return true
	}
	if at, ok := p.determiner(0, nominative); ok && (p.word(at) == "present" || p.word(at) == "presente") {
		switch label, _, isLabel := p.label(at + 1); {
		case p.word(at+1) == "article":
			r.rules = append(r.rules, forceRule{by: r.own, entry: e})
		case isLabel:
			if i := slices.IndexFunc(r.stack, func(l level) bool { return sameLabel(l.label, label) }); i >= 0 {
				r.rules = append(r.rules, forceRule{by: r.own, labels: labelsOf(r.stack[:i+1]), entry: e})
			}
		}
		return true
	}
	list, next, ok := p.spots(0, nominative)
	if !ok || next != verb {
		return true
	}
	for _, s := range list {
		if !s.text.Zero() && !s.text.Self {
			continue
		}
		rule := forceRule{by: s.article, entry: e}
		if s.article == "" {
			rule.by = r.own
		}
		for _, step := range s.path {
			rule.labels = append(rule.labels, step.Label)
		}
		if !slices.Contains(rule.labels, "") && (s.article != "" || len(rule.labels) > 0) {
			r.rules = append(r.rules, rule)
		}
	}
	return true
}

// entryOf reads the day of a sentence on entry into force. It is zero for the usual one, the
// day after publication.
func entryOf(text string) entry {
	folded := law.Fold(text)
	if strings.Contains(folded, "lendemain de") {
		return entry{}
	}
	if day, _, end, ok := law.FindDate(text); ok && !strings.Contains(folded, "au plus tard") && !strings.Contains(folded, "decret") {
		if _, _, _, second := law.FindDate(text[end:]); !second {
			return entry{day: day}
		}
	}
	return entry{waits: true}
}

// labelsOf returns the labels of headings.
func labelsOf(stack []level) (out []string) {
	for _, l := range stack {
		out = append(out, l.label)
	}
	return out
}

// obey gives the operations the days of the rules, unless their instruction names one. The
// most special rule decides.
func (r *reader) obey() {
	const most = 500 // no act has as many; the days would take too long to find
	slices.SortStableFunc(r.rules, func(a, b forceRule) int { return len(b.labels) - len(a.labels) })
	for i := range r.ops {
		op := &r.ops[i]
		if !op.Effective.IsZero() || op.Waits {
			continue
		}
		if len(r.rules) > most {
			op.Waits = true
			continue
		}
		for _, rule := range r.rules {
			if law.ArticleKey(rule.by) == law.ArticleKey(op.By) && isUnder(op.Under, rule.labels) {
				op.Effective, op.Waits = rule.entry.day, rule.entry.waits
				break
			}
		}
	}
}

// isUnder reports whether labels are among those of an instruction, in order.
func isUnder(under, labels []string) bool {
	k := 0
	for _, u := range under {
		if k < len(labels) && sameLabel(u, labels[k]) {
			k++
		}
	}
	return k == len(labels)
}
