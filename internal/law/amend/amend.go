// Package amend reads amending acts and applies them. The text of an act goes in, paragraph
// by paragraph; Read returns its operations: which article of which text, which place in it
// (a path such as II, 2°, third alinea, first sentence), what is done there and the new
// wording. Apply takes the operations on one article and its text before, and returns the
// text after, or for each operation that cannot be applied the Reason. Assemble takes the
// articles of a text and the acts that amend it, and returns the versions of each article.
//
// Nothing is guessed. An instruction that is not understood to its last word, a place that
// does not exist, words that are not there or are there too often: each is a Reason, and the
// article waits for a person. All functions are pure, and take linear time.
package amend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// OperationKind is what an operation does.
type OperationKind string

// The kinds of operations.
const (
	ReplaceArticle  OperationKind = "replace_article"  // the article gets a new wording
	InsertArticle   OperationKind = "insert_article"   // a new article with its wording
	RepealArticle   OperationKind = "repeal_article"   // the article is repealed
	RenumberArticle OperationKind = "renumber_article" // the article gets the number NewNumber
	ReplaceWords    OperationKind = "replace_words"    // Words become New
	InsertWords     OperationKind = "insert_words"     // New is added before or after Words, or at an end of the place
	DeleteWords     OperationKind = "delete_words"     // Words are deleted
	ReplaceTail     OperationKind = "replace_tail"     // all that follows Words in the place becomes New
	ReplacePlace    OperationKind = "replace_place"    // alineas, sentences or items become New
	InsertPlace     OperationKind = "insert_place"     // New alineas, sentences or items are added
	DeletePlace     OperationKind = "delete_place"     // alineas, sentences or items are deleted
	RenumberPlace   OperationKind = "renumber_place"   // items get the labels NewLabels
	RepealText      OperationKind = "repeal_text"      // the whole text is repealed
	ReplaceHeading  OperationKind = "replace_heading"  // the title of the text or of Divisions becomes New
	InsertDivision  OperationKind = "insert_division"  // Divisions are added, under the title New; their articles are operations of their own
	Unread          OperationKind = "unread"           // an instruction about the article, or the text, that is not understood
)

// Level is the level of a step of a path.
type Level int

// The levels, from the outermost to the innermost.
const (
	Item     Level = iota + 1 // an enumerated part: « I », « 2° », « a »
	Alinea                    // a paragraph
	Sentence                  // a sentence of a paragraph
)

// Step is one step of a path.
type Step struct {
	Level Level
	Label string // of an item, as label returns it: « I », « 2° », « a bis »
	Or    bool   // an item « paragraphe 2 »: the second alinea, if the article has no numbered paragraphs
	Index int    // of an alinea, sentence or dash: 1 is the first, -1 the last
}

// Path is a place in an article, the outermost step first. The empty path is the whole
// article.
type Path []Step

// Side says where in relation to an anchor or a place something is added.
type Side int

// The sides.
const (
	Nowhere Side = iota
	Before       // before the anchor
	After        // after the anchor
	AtStart      // at the beginning of the place
	AtEnd        // at the end of the place
)

// Unit is what a new wording consists of.
type Unit int

// The units.
const (
	Words     Unit = iota // words within a sentence
	Sentences             // whole sentences
	Alineas               // whole paragraphs
	Items                 // enumerated parts
)

// Span is a range of bytes [Start,End).
type Span struct{ Start, End int }

// Operation is one change of one article.
type Operation struct {
	Kind      OperationKind
	Text      TargetText // the amended text
	Article   string     // number of the amended article, in the form of law.ArticleNumber
	Every     bool       // every article of the text, or of Divisions, is meant; Article is then ""
	Divisions []string   // the divisions that an operation on every article is limited to, the smallest first: « chapitre 2 »
	Except    []string   // articles that an operation on every article leaves out
	Places    []Path     // the places in the article; empty: the whole article
	Words     string     // the words that are replaced or deleted, or the anchor of what is added
	Side      Side
	Nth       int       // which occurrence of Words: 0 all, 1 the first, -1 the last
	Times     int       // how often the act says that Words occur; 0 if it does not say
	Unit      Unit      // what New consists of
	New       []string  // the new wording, a paragraph an element
	Labels    []string  // labels of added items, or the new labels of renumbered ones
	Ordinal   int       `json:",omitempty"` // of an added alinea, where the act counts it: « un alinéa 3 »; 0 if it does not
	Number    string    // new number of a renumbered article
	Elided    bool      `json:",omitempty"` // New leaves out words of the article before
	Rest      bool      `json:",omitempty"` // New leaves out what follows it in the article before
	Over      bool      // the new wording replaces whatever article has the number
	Under     []string  // labels of the headings above the instruction in the act, and its own: « I », « 2° »
	By        string    // number of the article of the act that has the instruction
	Effective time.Time // first day of the change that the instruction names; zero if it names none
	Waits     bool      // the instruction names an entry into force that is not a day
	Evidence  Span      // the instruction in the text of the act
	Wording   Span      // the new wording in the text of the act; empty if there is none
	Likely    bool      `json:",omitempty"` // an unread instruction that more likely orders a change than not
	Doubt     Reason    // why the instruction cannot be applied whatever the article says; "" if it can
}

// TargetText is a text as an instruction names it.
type TargetText struct {
	Title  string      // « code de commerce »; "" if it is named by number
	Type   law.DocType // "" if unknown
	Number string      // « 2010-05 »; "" if it is named by title
	Self   bool        // the amending act itself
}

// Zero reports whether no text is named.
func (t TargetText) Zero() bool { return t == TargetText{} }

// Reason is why an operation is not applied. It is "" for an applied operation.
type Reason string

// The reasons.
const (
	NotUnderstood   Reason = "not_understood"   // the instruction is not read to its last word
	WordingMissing  Reason = "wording_missing"  // a new wording is announced and does not follow
	WordingOpen     Reason = "wording_open"     // the quotation marks around a wording are not closed
	TooLong         Reason = "too_long"         // the act or the article is longer than MaxBytes
	WordsNotFound   Reason = "words_not_found"  // the words are not in the place
	WordsTooOften   Reason = "words_too_often"  // the words are in the place more often than the act says
	NoSuchPlace     Reason = "no_such_place"    // the article has no such item, alinea or sentence
	PlaceUnclear    Reason = "place_unclear"    // several places fit, or the end of the place is unclear
	ArticleMissing  Reason = "article_missing"  // the text has no such article
	ArticleExists   Reason = "article_exists"   // the article to insert exists already
	AlreadyThere    Reason = "already_there"    // the words to add are in the place already
	Conflict        Reason = "conflict"         // two operations change one place
	TextMissing     Reason = "text_missing"     // the amended text is not in the catalogue
	TextAmbiguous   Reason = "text_ambiguous"   // several texts of the catalogue have the name of the amended text
	TextRepealed    Reason = "text_repealed"    // the whole text is repealed, not an article
	OwnText         Reason = "own_text"         // the act amends itself
	DayUnclear      Reason = "day_unclear"      // the day of entry into force is not named
	EarlierWaits    Reason = "earlier_waits"    // an earlier operation on the article waits
	BeforeBase      Reason = "before_base"      // the base text contains the act already
	DatesDisordered Reason = "dates_disordered" // the change begins before the act, or the act has no day
)

// Part is an article of an act in the text that Read gets.
type Part struct {
	Article *law.Article
	Span    // of the article's text
}

// Written writes the articles of an act as Read wants it, and says where each of them is. Visas,
// signatures and annexes amend nothing. The body of an act without articles has no number.
func Written(articles []law.Article) (act string, parts []Part) {
	var b strings.Builder
	for i := range articles {
		a := &articles[i]
		if a.Number == "" && (a.Heading == "Préambule" || a.Heading == "Signatures") || strings.HasPrefix(law.Fold(a.Number), "annexe") {
			continue
		}
		if a.Number != "" {
			b.WriteString("Article " + a.Number + "\n")
		}
		start := b.Len()
		b.WriteString(a.Text)
		parts = append(parts, Part{a, Span{start, b.Len()}})
		b.WriteByte('\n')
	}
	return b.String(), parts
}

// Grammar is the version of what Read returns and of what Assemble makes of it. It grows with
// each change of either, so that stored operations and versions are made anew.
const Grammar = 15

// insert puts a new article after the last one whose number is smaller.
func (a *Assembly) insert(h *History) {
	pos := len(a.Articles)
	for i, other := range slices.Backward(a.Articles) {
		if CompareNumbers(other.Number, h.Number) < 0 {
			pos = i + 1
			break
		}
	}
	if pos < len(a.Articles) {
		h.Path = a.Articles[max(pos-1, 0)].Path
	}
	a.Articles = slices.Insert(a.Articles, pos, h)
}

// renumber moves the articles of a step to their new numbers, all at once.
func (a *Assembly) renumber(s step) {
	type move struct {
		op   Operation
		from *History
		last Version
	}
	var moves []move
	for _, op := range s.ops {
		if op.Kind != RenumberArticle || op.Doubt != "" {
			continue
		}
		history := a.byKey[law.ArticleKey(op.Article)]
		switch {
		case history == nil || history.Versions[len(history.Versions)-1].Gone:
			a.wait(s.act.ID, op, ArticleMissing, nil)
		case history.waits || history.undated:
			a.wait(s.act.ID, op, EarlierWaits, nil)
		default:
			moves = append(moves, move{op, history, history.Versions[len(history.Versions)-1]})
		}
	}
	for _, m := range moves {
		gone := Version{Gone: true, From: s.day, Act: s.act.ID}
		gone.describe([]Operation{m.op})
		a.append(m.op.Article, law.ArticleKey(m.op.Article), gone)
	}
	for _, m := range moves {
		key := law.ArticleKey(m.op.Number)
		if _, exists := a.last(key); exists {
			a.wait(s.act.ID, m.op, ArticleExists, nil)
			continue
		}
		v := Version{Text: m.last.Text, From: s.day, Act: s.act.ID}
		v.describe([]Operation{m.op})
		a.append(m.op.Number, key, v)
	}
}

// CompareNumbers compares the numbers of articles as they follow one another in a text: « L.
// 9 » is before « L. 10 », « 5 » before « 5-1 » and « 5 bis ».
func CompareNumbers(a, b string) int {
	x, y := numberParts(a), numberParts(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if c := cmp.Or(cmp.Compare(len(x[i]), len(y[i])), strings.Compare(x[i], y[i])); c != 0 {
			if isFigure(x[i]) && isFigure(y[i]) {
				return c
			}
			if isFigure(x[i]) != isFigure(y[i]) && i > 0 { // « 2 bis » is before « 2-1 »
				if isFigure(x[i]) {
					return 1
				}
				return -1
			}
			return cmp.Or(suffixPlace(x[i])-suffixPlace(y[i]), strings.Compare(x[i], y[i]))
		}
	}
	return cmp.Compare(len(x), len(y))
}

func isFigure(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// suffixPlace orders the parts of numbers that are no figures: suffixes in their order.
func suffixPlace(s string) int {
	if i := slices.Index(suffixOrder, s); i >= 0 {
		return i + 1
	}
	return 0
}

// numberParts splits the number of an article into figures and words, without zeros in
// front.
func numberParts(number string) (out []string) {
	key := law.ArticleKey(number)
	for i := 0; i < len(key); {
		j := i
		for j < len(key) && isFigure(key[j:]) == isFigure(key[i:]) && key[j] != '-' {
			j++
		}
		if j > i {
			out = append(out, key[i:j])
		}
		i = max(j, i+1)
		if j < len(key) && key[j] != '-' {
			i = j
		}
	}
	return out
}

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
	verb := p.through(0, "entre|entrent|prend|prennent")
	if !p.is(verb, "<any> <in-force>") || p.through(0, "abroge|remplace|modifie") < verb { // « la présente loi abroge la loi … et entre en vigueur … »
		return false
	}
	if k := p.through(verb, "<done>"); k < len(p.toks) { // « la présente loi entre en vigueur … et sont abrogées toutes dispositions contraires »
		p.toks = p.toks[k:]
		return false
	}
	e := entryOf(p.source[p.toks[verb].end:])
	if e == (entry{}) {
		return true
	}
	if next, ok := p.match(0, "<the> present|presente"); ok {
		switch label, _, isLabel := p.label(next); {
		case p.word(next) == "article":
			r.rules = append(r.rules, forceRule{by: r.own, entry: e})
		case isLabel:
			if i := slices.IndexFunc(r.stack, func(l level) bool { return sameLabel(l.label, label) }); i >= 0 {
				r.rules = append(r.rules, forceRule{by: r.own, labels: labelsOf(r.stack[:i+1]), entry: e})
			}
		}
		return true
	}
	list, next, ok := p.spots(0, "<the>")
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
func isUnder(parents, labels []string) bool {
	k := 0
	for _, u := range parents {
		if k < len(labels) && sameLabel(u, labels[k]) {
			k++
		}
	}
	return k == len(labels)
}

// sentences has the French sentence for each reason.
var sentences = map[Reason]string{
	NotUnderstood:   "L’instruction n’a pas été comprise en entier.",
	WordingMissing:  "La nouvelle rédaction annoncée ne suit pas.",
	WordingOpen:     "Les guillemets de la nouvelle rédaction ne sont pas fermés.",
	TooLong:         "Le texte est trop long pour être traité.",
	WordsNotFound:   "Les mots à modifier ne se trouvent pas à l’endroit indiqué.",
	WordsTooOften:   "Les mots à modifier se trouvent plusieurs fois à l’endroit indiqué.",
	NoSuchPlace:     "L’article n’a pas la subdivision indiquée.",
	PlaceUnclear:    "L’endroit indiqué peut être compris de plusieurs façons.",
	ArticleMissing:  "L’article à modifier n’existe pas.",
	ArticleExists:   "L’article à insérer existe déjà.",
	AlreadyThere:    "Le texte contient déjà ces mots à cet endroit : l’édition les a peut-être déjà intégrés.",
	Conflict:        "Deux instructions modifient le même endroit.",
	TextMissing:     "Le texte à modifier n’est pas au catalogue.",
	TextAmbiguous:   "Plusieurs textes du catalogue portent le nom du texte à modifier, ou un seul d’une autre date.",
	TextRepealed:    "Le texte entier est abrogé, et non un article.",
	OwnText:         "L’acte se modifie lui-même.",
	DayUnclear:      "La date d’entrée en vigueur n’est pas fixée.",
	EarlierWaits:    "Une modification antérieure de l’article attend d’être réglée.",
	BeforeBase:      "Le texte de base tient déjà compte de cet acte.",
	DatesDisordered: "Les dates de l’acte et de la modification se contredisent.",
}

// Sentence returns the French sentence for a reason; "" for an applied operation.
func (r Reason) Sentence() string { return sentences[r] }
