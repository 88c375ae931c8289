package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/french"
	encoder "vigueur/lab/training/encoder/learn"
)

// Weak lists are made without questions that a person wrote: headings, sentences, definitions and citations stand for
// questions, and the articles below, around or behind them for what answers. What stands for the question is taken out of
// the articles of its list.

// Sizes of weak lists.
const (
	weakWrong    = 6   // wrong articles of a list
	weakNear     = 12  // the best wrong ones by words, of which they are drawn
	weakRight    = 2   // right ones
	weakBytes    = 520 // length of what is read of an article
	weakLeast    = 5   // articles of a text that has lists
	weakShort    = 30  // length in bytes of the shortest query
	weakLong     = 260 // … and of the longest
	weakUnder    = 12  // articles under a heading that stands for a question
	weakOfCode   = 130 // articles of a French code, in runs of weakRun
	weakRun      = 26
	weakOfSheet  = 4    // sentences of a sheet
	weakOfLaw    = 0.64 // share of the articles of which a sentence stands for a question
	weakSeed     = 1
	weakCountry  = 2600 // articles of a country, in runs of its texts
	weakOrdinary = 3    // texts with a heading that says nothing
)

// weak writes weak lists.
type weak struct {
	*writer
	rand *rand.Rand
	n    int
	held map[string]int // texts that have a heading
}

// weakItem is an article of a weak list: its pieces are those of title and headings, then those of its sentences
// without one that is skipped.
type weakItem struct {
	Right bool `json:"right,omitempty"`
	Head  span `json:"head"`
	Text  span `json:"text"`
	Skip  span `json:"skip"`
}

type weakList struct {
	ID      string     `json:"id"`
	Set     string     `json:"set"`
	Country string     `json:"country"`
	At      int        `json:"at"`
	N       int        `json:"n"`
	Items   []weakItem `json:"items"`
}

// query is what stands for a question.
type query struct {
	kind   string
	text   string
	right  []int
	barred map[int]bool // articles that might answer too
	skip   int          // sentence of the right article that is taken out; -1: none
	leaf   bool         // whether the last headings are taken out of all articles
}

// list writes the list of a query.
func (w *weak) list(t *weakText, q query) error {
	q.text = strings.TrimSpace(q.text)
	if len(q.text) < weakShort && q.kind != "definition" && q.kind != "heading" || len(q.right) == 0 {
		return nil
	}
	if len(q.text) > weakLong {
		q.text = q.text[:weakLong]
		q.text = q.text[:max(strings.LastIndexByte(q.text, ' '), 0)]
	}
	terms := french.Terms(q.text)
	if len(terms) == 0 {
		return nil
	}
	right := make(map[int]bool)
	for _, i := range q.right {
		right[i] = true
	}
	var wrong []int
	for _, i := range t.near(terms) {
		if !right[i] && !q.barred[i] {
			wrong = append(wrong, i)
		}
		if len(wrong) == weakNear {
			break
		}
	}
	w.rand.Shuffle(len(wrong), func(i, j int) { wrong[i], wrong[j] = wrong[j], wrong[i] })
	wrong = wrong[:min(len(wrong), weakWrong-1)]
	for _, d := range []int{1, -1, 2, -2} { // one beside the right one
		if i := q.right[0] + d; i >= 0 && i < len(t.articles) && !right[i] && !q.barred[i] && !slices.Contains(wrong, i) {
			wrong = append(wrong, i)
			break
		}
	}
	if len(wrong) < 3 {
		return nil
	}
	l := weakList{ID: fmt.Sprintf("w%05d", w.n), Set: "weak " + q.kind, Country: t.country}
	l.At, l.N = w.writer.put("query: " + q.text)
	w.rand.Shuffle(len(q.right), func(i, j int) { q.right[i], q.right[j] = q.right[j], q.right[i] })
	for _, i := range q.right[:min(len(q.right), weakRight)] {
		l.Items = append(l.Items, w.item(t, i, terms, q.skip, q.leaf, true))
	}
	for _, i := range wrong {
		l.Items = append(l.Items, w.item(t, i, terms, -1, q.leaf, false))
	}
	w.n++
	w.count[l.Set]++
	return json.NewEncoder(w.lists).Encode(l)
}

// item returns an article of a list: the run of sentences that has most of the words of the query.
func (w *weak) item(t *weakText, i int, terms []string, skip int, leaf, right bool) weakItem {
	a := t.articles[i]
	if a.at == nil {
		for _, s := range a.sentences {
			a.at = append(a.at, w.at)
			w.append(w.model.Pieces.Of(s))
		}
		a.at = append(a.at, w.at)
	}
	path := a.path
	if a.heading != "" {
		path = append(path[:len(path):len(path)], a.heading)
	}
	if leaf && len(path) > 0 {
		path = path[:len(path)-1]
	}
	at, n := w.put("passage: " + strings.Join(append([]string{t.title}, path[max(0, len(path)-4):]...), ". ") + ".")
	x := weakItem{Right: right, Head: span{at, n}}
	weight := make(map[string]float64)
	for _, term := range terms {
		weight[term] = t.rarity(term)
	}
	from, to, most := 0, 0, -1.0
	for j := range a.sentences {
		if j == skip {
			continue
		}
		size, sum, found := 0, 0.0, make(map[string]bool)
		for k := j; k < len(a.sentences) && (k == j || size+len(a.sentences[k]) <= weakBytes); k++ {
			if k == skip {
				continue
			}
			size += len(a.sentences[k]) + 1
			for _, term := range a.terms[k] {
				if !found[term] {
					found[term] = true
					sum += weight[term]
				}
			}
			if sum > most || from == j {
				from, to, most = j, k+1, max(sum, most)
			}
		}
	}
	x.Text = span{a.at[from], a.at[to] - a.at[from]}
	if skip >= from && skip < to {
		x.Skip = span{a.at[skip], a.at[skip+1] - a.at[skip]}
	}
	return x
}

// kindOfHeading is what stands before the words of a heading.
var kindOfHeading = regexp.MustCompile(`(?i)^\s*(livre|titre|chapitre|section|sous[- ]?section|sous[- ]titre|paragraphe|§|partie|annexe|art(icle)?\.?)\s*(préliminaire|premi[eè]re?|unique|[ivxlcdm0-9]+(er|ère|e|ème)?|[a-z])?\b(\s*(bis|ter|quater))?\s*[-–—.:)]*\s*`)

// headingWords returns the words of a heading as they would be asked for.
func headingWords(heading string) string {
	text := strings.Trim(kindOfHeading.ReplaceAllString(heading, ""), " .-–—:;")
	lower := 0
	for _, r := range text {
		if unicode.IsLower(r) {
			lower++
		}
	}
	if lower*2 < utf8.RuneCountInString(text) {
		text = strings.ToLower(text)
	}
	return text
}

// headings writes the lists of headings: what stands under them answers.
func (w *weak) headings(t *weakText) error {
	under := make(map[string][]int)
	var order []string
	for i, a := range t.articles {
		h := a.heading
		if h == "" && len(a.path) > 0 {
			h = a.path[len(a.path)-1]
		}
		key := strings.Join(a.path, "\n") + "\n" + a.heading
		if h == "" {
			continue
		}
		if under[key] == nil {
			order = append(order, key)
		}
		under[key] = append(under[key], i)
	}
	for _, key := range order {
		a := t.articles[under[key][0]]
		h, rest := a.heading, a.path
		if h == "" {
			h, rest = a.path[len(a.path)-1], a.path[:len(a.path)-1]
		}
		h = headingWords(h)
		if len(under[key]) > weakUnder || w.held[h] > weakOrdinary || len(french.Terms(h)) < 2 {
			continue
		}
		known := make(map[string]bool)
		for _, term := range french.Terms(t.title + "\n" + strings.Join(rest, "\n")) {
			known[term] = true
		}
		if !slices.ContainsFunc(french.Terms(h), func(term string) bool { return !known[term] }) {
			continue
		}
		if err := w.list(t, query{kind: "heading", text: h, right: slices.Clone(under[key]), skip: -1, leaf: true}); err != nil {
			return err
		}
	}
	return nil
}

// sentences writes a list of each article that has several sentences: one of them, which is taken out, stands for the
// question, and the others answer.
func (w *weak) sentences(t *weakText) error {
	for i, a := range t.articles {
		var may []int
		size := 0
		for k, s := range a.sentences {
			size += len(s)
			if len(s) >= 60 && len(s) <= 2*weakLong && whole.MatchString(s) && len(french.Terms(s)) >= 5 {
				may = append(may, k)
			}
		}
		if len(may) == 0 || len(a.sentences) < 2 || w.rand.Float64() > weakOfLaw {
			continue
		}
		k := may[w.rand.IntN(len(may))]
		if size-len(a.sentences[k]) < 80 {
			continue
		}
		if err := w.list(t, query{kind: "sentence", text: a.sentences[k], right: []int{i}, skip: k}); err != nil {
			return err
		}
	}
	return nil
}

// defined finds what a sentence of a definition begins with.
var defined = regexp.MustCompile(`^\s*(?:[-–—•*]|\d+[°.)]|[a-z][.)])?\s*[«"“<]?\s*([\p{L}][\p{L}’' -]{3,50}?)\s*[»"”>]?\s*[:;]\s+\p{L}`)

// asks are ways of asking for a definition.
var asks = []string{"c'est quoi %s", "Que veut dire « %s » ?", "définition de %s", "Qu'est-ce que %s ?", "qu'entend-on par %s"}

// definitions writes the lists of what articles define: the one with the definition answers, others use the word.
func (w *weak) definitions(t *weakText) error {
	for i, a := range t.articles {
		if !strings.Contains(strings.Join(a.sentences[:min(3, len(a.sentences))], " "), "enten") {
			continue
		}
		for _, s := range a.sentences {
			m := defined.FindStringSubmatch(s)
			if m == nil || w.rand.Float64() > 0.4 {
				continue
			}
			term := strings.ToLower(strings.TrimSpace(m[1]))
			if n := len(french.Terms(term)); n == 0 || n > 5 || strings.Contains(term, "enten") {
				continue
			}
			if err := w.list(t, query{kind: "definition", text: fmt.Sprintf(asks[w.rand.IntN(len(asks))], term), right: []int{i}, skip: -1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// cites finds a citation of one article of the same text.
var cites = regexp.MustCompile(`(?i)\b(?:(?:à|de|par|dans|en application de|conformément à|au sens de|en vertu de)\s+)?(?:l['’]\s*)?art(?:icle|\.)\s+((?:[LRDA]\.?\s*)?\d[\d\-.]*(?:er)?(?:\s*(?:bis|ter))?)(\s+(?:ci-dessus|ci-après|ci-dessous|de la présente loi|du présent code|précité))?`)

// citations writes the lists of sentences that cite another article of their text: that article answers.
func (w *weak) citations(t *weakText) error {
	numbers := make(map[string]int)
	for i, a := range t.articles {
		key := plain(a.number)
		if _, twice := numbers[key]; twice {
			numbers[key] = -1
			continue
		}
		numbers[key] = i
	}
	for i, a := range t.articles {
		for _, s := range a.sentences {
			found := cites.FindAllStringSubmatchIndex(s, -1)
			if len(found) != 1 || len(s) > 2*weakLong {
				continue
			}
			m := found[0]
			at, known := numbers[plain(s[m[2]:m[3]])]
			after := strings.TrimLeft(s[m[1]:], " ,")
			if !known || at < 0 || at == i || elsewhere(after) || strings.HasPrefix(after, "et ") || strings.HasPrefix(after, "à ") {
				continue
			}
			if err := w.list(t, query{kind: "citation", text: s[:m[0]] + s[m[1]:], right: []int{at}, barred: map[int]bool{i: true}, skip: -1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// elsewhere reports whether the words behind a citation name another text.
func elsewhere(after string) bool {
	for _, w := range []string{"du code", "de la loi", "du décret", "de l'ordonnance", "de l’ordonnance", "de la constitution", "du traité", "de l'arrêté", "de l’arrêté", "de l'acte", "de l’acte", "du règlement", "de la convention", "de la directive", "du livre", "de l'annexe"} {
		if strings.HasPrefix(strings.ToLower(after), w) {
			return true
		}
	}
	return false
}

// plain is the number of an article for comparison.
func plain(number string) string {
	return strings.NewReplacer(" ", "", ".", "", "er", "", "premier", "1").Replace(strings.ToLower(number))
}

// sheets writes the lists of sentences of sheets in everyday words: the article that the sheet rests on and that has most
// of their words answers; wrong ones are the best others of its code.
func (w *weak) sheets(c *encoder.Corpus) error {
	codes := make(map[string]*weakText)
	place := make(map[int]int)
	for i := range c.Sheets {
		for _, at := range c.Sheets[i].Right {
			codes[c.Articles[at].Code] = nil
		}
	}
	for i := range c.Articles {
		a := &c.Articles[i]
		t, used := codes[a.Code]
		if !used {
			continue
		}
		path := strings.Split(a.Title, " > ")
		if t == nil {
			t = &weakText{country: "France", title: path[0]}
			codes[a.Code] = t
		}
		n := len(t.articles)
		t.add(a.Num, path[1:], a.Text)
		if len(t.articles) > n {
			place[i] = n
		}
	}
	for _, t := range codes {
		if t != nil {
			t.index()
		}
	}
	for i := range c.Sheets {
		s := &c.Sheets[i]
		type asked struct {
			text  string
			at    int
			score float64
		}
		right := make(map[string]map[int]bool)
		for _, at := range s.Right {
			if k, known := place[at]; known {
				code := c.Articles[at].Code
				if right[code] == nil {
					right[code] = make(map[int]bool)
				}
				right[code][k] = true
			}
		}
		var all []asked
		for _, p := range french.Sentences(s.Text) {
			text := s.Text[p.Start:p.End]
			if len(text) < 50 || len(text) > weakLong || strings.Contains(text, "rticle") {
				continue
			}
			terms := french.Terms(text)
			best := asked{text: text, at: -1}
			for _, at := range s.Right {
				k, known := place[at]
				if !known {
					continue
				}
				t := codes[c.Articles[at].Code]
				sum, seen := 0.0, make(map[string]bool)
				for _, term := range terms {
					if !seen[term] && t.has(k, term) {
						seen[term] = true
						sum += t.rarity(term)
					}
				}
				if sum > best.score {
					best.at, best.score = at, sum
				}
			}
			if best.at >= 0 {
				all = append(all, best)
			}
		}
		slices.SortStableFunc(all, func(a, b asked) int { return cmp.Compare(b.score, a.score) })
		for _, x := range all[:min(len(all), weakOfSheet)] {
			code := c.Articles[x.at].Code
			if err := w.list(codes[code], query{kind: "sheet", text: x.text, right: []int{place[x.at]}, barred: right[code], skip: -1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// weak writes the weak lists of law of many countries and of French codes.
func (w *writer) weak(dir string, folders []string) error {
	draw := rand.New(rand.NewPCG(weakSeed, weakSeed))
	texts, err := weakLaw(append([]string{filepath.Join(dir, "qa", "breadth")}, folders...), draw)
	if err != nil {
		return err
	}
	corpus, err := encoder.Read(filepath.Join(dir, "retrieval"))
	if err != nil {
		return err
	}
	texts = append(texts, weakCodes(corpus, draw)...)
	x := &weak{writer: w, rand: draw, held: make(map[string]int)}
	for _, t := range texts {
		seen := make(map[string]bool)
		for _, a := range t.articles {
			for _, h := range append(a.path[:len(a.path):len(a.path)], a.heading) {
				if h = headingWords(h); !seen[h] {
					seen[h] = true
					x.held[h]++
				}
			}
		}
	}
	for _, t := range texts {
		t.index()
		for _, of := range []func(*weakText) error{x.headings, x.definitions, x.citations, x.sentences} {
			if err := of(t); err != nil {
				return err
			}
		}
	}
	return x.sheets(corpus)
}
