// Package french is the analysis of French legal text that the index, questions and the
// checks of answers share, so that all of them agree on what is the same word.
//
// It folds case and accents, removes elisions (« l’employeur »), reduces inflected words to a
// light stem, and marks stop words. Numbers (« trois (3) », « 3 »; « 1.000.000 »,
// « 1 000 000 »), ordinals, dates, roman numerals of headings, acronyms with dots, numbers of
// texts (« n° 2010-05 ») and numbers of articles (« art. L. 1224-1 ») each have one form
// however they are written; the last two are kinds of tokens of their own. Compatibility
// characters (ligatures of PDF fonts, full-width digits) are read as what they represent.
// Tokens keep their position in the text, which may contain invalid UTF-8.
//
// All functions are pure and may be called at the same time; analyzed words are cached between
// calls only for speed.
package french

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// TokenKind is the kind of a token.
type TokenKind uint8

// The kinds of tokens.
const (
	Word    TokenKind = iota
	Number            // « 1000000 », « 1.5 »
	Ordinal           // « 2e »
	Date              // « 2010-05-03 »
	Text              // the official number of a text: « 2010-5 »
	Article           // the number of an article: « art14bis », « artl1224-1 »
)

// Token is one unit of a text.
type Token struct {
	Term  string // form for comparison; equal tokens have equal terms
	Start int    // bytes [Start,End) of the text
	End   int
	Kind  TokenKind
	Stop  bool // whether the word says nothing by itself
}

// Analyze returns the tokens of text in order.
func Analyze(text string) []Token {
	r := take()
	defer r.release()
	return r.Append(nil, text)
}

// Terms returns the terms of text in order, without stop words. Repetitions are included.
func Terms(text string) []string {
	r := take()
	defer r.release()
	r.tokens = r.Append(r.tokens[:0], text)
	var terms []string
	for _, t := range r.tokens {
		if !t.Stop {
			terms = append(terms, t.Term)
		}
	}
	return terms
}

// Analyzer analyzes texts one after the other. It caches more words between calls than
// Analyze does. The zero value is ready to use; only one goroutine at a time may use an
// Analyzer.
type Analyzer struct {
	known map[string]*word // by folded form
	buf   []byte
	lexes []lexeme
}

// knownLimit is the maximum number of words that an Analyzer caches, so that endless
// foreign words do not fill the memory.
const knownLimit = 1 << 17

// Append appends the tokens of text to dst.
func (a *Analyzer) Append(dst []Token, text string) []Token {
	a.lex(text)
	p := parser{text: text, lexes: a.lexes, out: dst, words: a}
	return p.run()
}

// ArticleTerm returns the term of an article's number as the catalogue writes the number
// (« 14 », « 1er », « L. 1224-1 », « 26 bis », « II »), "" for no number.
func ArticleTerm(number string) string {
	if key := law.ArticleKey(number); key != "" {
		return "art" + key
	}
	return ""
}

// TextTerm returns the term of a text's official number (« 2010-05 », « 028-2008/AN »), ""
// for a number without digits.
func TextTerm(number string) string {
	for _, t := range Analyze("n° " + number) {
		if t.Kind == Text {
			return t.Term
		}
	}
	return ""
}

// lexeme is a run of letters and digits, or a unit sign (« % »), with its place in the
// text.
type lexeme struct {
	start, end int
	*word
}

// lex splits text into a.lexes.
func (a *Analyzer) lex(text string) {
	a.lexes = a.lexes[:0]
	a.buf = a.buf[:0]
	start := -1
	flush := func(end int) {
		if start >= 0 && len(a.buf) > 0 {
			a.lexes = append(a.lexes, lexeme{start, end, a.word()})
		}
		a.buf, start = a.buf[:0], -1
	}
	for i := 0; i < len(text); {
		c := text[i]
		folded := ascii[c]
		if folded != 0 {
			if start < 0 {
				start = i
			}
			a.buf = append(a.buf, folded)
			i++
			continue
		}
		if c < utf8.RuneSelf && c != '\'' && c != '`' && c != '%' {
			flush(i)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch class := classOf(r); class {
		case letterClass:
			if start < 0 {
				start = i
			}
			a.buf = law.AppendLetter(a.buf, r)
		case apostropheClass:
			if start >= 0 && len(a.buf) <= longestElision && elisions[string(a.buf)] {
				a.buf, start = a.buf[:0], -1
			} else if start >= 0 && !wordFollows(text[i+size:]) {
				flush(i)
			} // an apostrophe as in « prud’homme » belongs to the word
		case unitClass:
			flush(i)
			a.buf = append(a.buf, '%')
			start = i
			flush(i + size)
		case breakClass:
			flush(i)
		case invisibleClass: // soft hyphens and joiners do not end a word
		}
		i += size
	}
	flush(len(text))
}

// ascii maps an ASCII letter or digit to its folded form, and all other bytes to 0.
var ascii = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

type class uint8

const (
	breakClass class = iota
	letterClass
	apostropheClass
	unitClass
	invisibleClass
)

func classOf(r rune) class {
	switch {
	case law.Apostrophe(r):
		return apostropheClass
	case r == '%' || r == '％':
		return unitClass
	case law.Invisible(r):
		return invisibleClass
	case r == utf8.RuneError:
		return breakClass
	}
	if r < 0x180 && r != 'ª' && r != 'º' && r > 0xbf && r != '×' && r != '÷' {
		return letterClass
	}
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return letterClass
	}
	return breakClass
}

// wordFollows reports whether text begins with a letter.
func wordFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// word returns the cached analysis of the folded form in a.buf.
func (a *Analyzer) word() *word {
	if w, ok := a.known[string(a.buf)]; ok {
		return w
	}
	if a.known == nil || len(a.known) >= knownLimit {
		a.known = make(map[string]*word)
	}
	w := newWord(strings.Clone(string(a.buf)))
	a.known[w.fold] = w
	return w
}

// elisions are the words that lose their last vowel before another vowel.
var elisions = set("l d j n s t c m qu jusqu lorsqu puisqu quoiqu quelqu presqu entr")

const longestElision = len("lorsqu")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// word is the analysis of a folded form without its context.
type word struct {
	fold  string
	stem  string
	stop  bool
	shape shape
	role  role
	value int64 // value of a number word, an ordinal, a month, or a run of digits (-1: too long)
}

type shape uint8

const (
	letters shape = iota
	digits
	mixed // letters and digits, or foreign numerals
)

type role uint8

const (
	plain      role = iota
	unit            // « trois », 0 to 16 and the tens
	hundred         // « cent »
	thousand        // « mille », « million », « milliard »
	one             // « un », « une »
	ordinalOf       // « deuxième »
	month           // « mai »
	measure         // « mois », « jour »: words that « un » may count
	articleOf       // « article », « art »
	articlesOf      // « articles »
	textOf          // « loi », « décret »
	heading         // « titre », « chapitre »
	suffix          // « bis », « ter »
	codeOf          // « L », « R », « D » of a code's article
)

func newWord(fold string) *word {
	w := &word{fold: fold, shape: shapeOf(fold)}
	switch w.shape {
	case digits:
		w.value, w.stem = parseDigits(fold), fold
		return w
	case mixed:
		w.stem = fold
		return w
	}
	w.stop = stopWords[fold]
	w.stem = stem(fold)
	w.role, w.value = roleOf(fold)
	return w
}

func shapeOf(s string) shape {
	var digit, letter bool
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digit = true
		default:
			letter = true
		}
	}
	switch {
	case digit && letter:
		return mixed
	case digit:
		return digits
	}
	return letters
}

// parseDigits returns the value of up to 15 digits, -1 for more.
func parseDigits(s string) int64 {
	if len(s) > 15 {
		return -1
	}
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

// CountOf returns the number that a folded word says: « trois », « vingt ». ok is false if it says none.
func CountOf(fold string) (n int, ok bool) {
	r, value := roleOf(fold)
	return int(value), (r == unit || r == one) && value > 0
}

// PlaceOf returns the place that a folded word says: « troisieme », « vingt-deuxieme »; 0 if it says none.
func PlaceOf(fold string) int {
	i := strings.LastIndexByte(fold, '-')
	tens, last := strings.TrimSuffix(fold[:max(i, 0)], "-et"), fold[i+1:]
	r, n := roleOf(last)
	if tens == "" && r == ordinalOf {
		return int(n)
	}
	if last == "unieme" {
		r, n = ordinalOf, 1
	}
	if kind, more := roleOf(tens); kind == unit && more >= 10 && r == ordinalOf {
		return int(more + n)
	}
	return 0
}

func roleOf(fold string) (role, int64) {
	if m := law.MonthOf(fold); m != 0 {
		return month, int64(m)
	}
	r := roles[fold]
	return r.role, r.value
}

// meaning is what a word says by itself.
type meaning struct {
	role  role
	value int64
}

// roles are the words of tables, with the first role that each has there.
var roles = func() map[string]meaning {
	out := map[string]meaning{}
	for _, t := range slices.Backward(tables) {
		for word, value := range t.words {
			out[word] = meaning{t.role, value}
		}
	}
	return out
}()

// tables lists, for each role, the words that have it with their values.
var tables = []struct {
	role  role
	words map[string]int64
}{
	{unit, map[string]int64{"zero": 0, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8,
		"neuf": 9, "dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16,
		"vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
		"octante": 80, "huitante": 80, "nonante": 90}},
	{one, map[string]int64{"un": 1, "une": 1}},
	{hundred, map[string]int64{"cent": 100, "cents": 100}},
	{thousand, map[string]int64{"mille": 1e3, "mil": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9}},
	{ordinalOf, map[string]int64{"premier": 1, "premiere": 1, "premiers": 1, "premieres": 1, "second": 2, "seconde": 2,
		"seconds": 2, "secondes": 2, "deuxieme": 2, "troisieme": 3, "quatrieme": 4, "cinquieme": 5, "sixieme": 6,
		"septieme": 7, "huitieme": 8, "neuvieme": 9, "dixieme": 10, "onzieme": 11, "douzieme": 12, "treizieme": 13,
		"quatorzieme": 14, "quinzieme": 15, "seizieme": 16, "vingtieme": 20, "trentieme": 30, "centieme": 100}},
	{measure, marks("an ans annee annees mois jour jours semaine semaines heure heures minute minutes trimestre trimestres semestre semestres")},
	{articleOf, marks("article art")},
	{articlesOf, marks("articles arts")},
	{textOf, marks("loi lois decret decrets arrete arretes ordonnance ordonnances circulaire circulaires")},
	{heading, marks("titre livre chapitre section paragraphe partie tome annexe division")},
	{suffix, marks(strings.ReplaceAll(law.SuffixWords, "|", " "))},
	{codeOf, marks("l r d lo lp")},
}

func marks(words string) map[string]int64 {
	m := make(map[string]int64)
	for w := range set(words) {
		m[w] = 0
	}
	return m
}

// stopWords say nothing by themselves in a legal text or a question.
var stopWords = set(`a afin ai aie ailleurs ainsi alors apres as au aucun aucune aujourdhui auquel aura aurai auraient aurait aussi autre autres aux
	auxquelles auxquels avaient avait avant avec avez avoir avons ayant beaucoup bien c car ce ceci cela celle celles celui cependant ces cet cette
	ceux chaque chez ci comme comment combien d dans de depuis des desquelles desquels dessous dessus devait devant devra devrait doit doivent donc dont du duquel
	durant e elle elles en encore entre es est et etaient etais etait etant etc ete etes etre eu eux faire fait faits faut fois font fut hors ici il ils j je
	jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui m ma mais me meme memes mes moi moins mon
	n ne ni no nos notamment notre nous numero o on ont ou par parce pas peut peuvent peux plus pour pourquoi pourra pourrait pouvait pouvoir pu puis puisque qu quand que
	quel quelle quelles quelqu quels qui quoi s sa sans se sera serait seraient seront ses si soi soient soit son sont sous suis sur t ta tel telle telles tels tes toi ton
	tous tout toute toutes tres tu un une va vers voici voila vont vos votre vous y quoique presque entr
	pendant selon parmi bonjour merci svp partir viens vient savoir veux voudrais souhaite souhaiterais aimerais dire dit quid cas dois`)

// reader is an Analyzer that calls of Analyze and Terms reuse, one after the other. Without
// it, computing the stems of frequent words would take more than half of their time.
type reader struct {
	Analyzer
	tokens []Token
}

var readers sync.Pool

// The sizes up to which a reader keeps its memory between calls, so that a long text does
// not stay in memory.
const (
	keptWords  = 1 << 13
	keptTokens = 1 << 10
)

// release makes the reader available to other calls, without the text of this one.
func (r *reader) release() {
	r.forget()
	readers.Put(r)
}

// forget drops the analyzed text, and the cached words if there are more than keptWords.
func (r *reader) forget() {
	if len(r.known) > keptWords {
		r.known = nil
	}
	if cap(r.lexes) > keptTokens {
		r.lexes = nil
	}
	if cap(r.tokens) > keptTokens {
		r.tokens = nil
	}
	clear(r.lexes[:cap(r.lexes)])
	clear(r.tokens[:cap(r.tokens)])
}

// take returns a reader that no other call uses. The caller must release it.
func take() *reader {
	if r, ok := readers.Get().(*reader); ok {
		return r
	}
	return new(reader)
}

// parser groups lexemes into tokens. Each rule reads the lexemes from i on and returns how
// many it used, 0 if it does not apply.
type parser struct {
	text  string
	lexes []lexeme
	out   []Token
	words *Analyzer
}

func (p *parser) run() []Token {
	for i := 0; i < len(p.lexes); {
		i += p.step(i)
	}
	return p.out
}

func (p *parser) step(i int) int {
	x := p.lexes[i]
	switch x.shape {
	case digits:
		return p.first(i, p.date, p.textNumber, p.number)
	case mixed:
		return p.first(i, p.date, p.codeArticle, p.readMixed)
	}
	switch x.role {
	case plain:
		if x.fold == "ler" { // « 1er », misread by text recognition
			return p.first(i, p.date, p.word)
		}
		if len(x.fold) == 1 && p.text[x.end:min(x.end+1, len(p.text))] == "." {
			return p.first(i, p.acronym, p.word)
		}
		if x.fold == "pour" && i+1 < len(p.lexes) && p.lexes[i+1].role == hundred && p.gap(i+1) == spaceGap {
			p.emit(i, 2, Word, "%")
			return 2
		}
	case unit, hundred, thousand, one:
		return p.first(i, p.numberWords, p.word)
	case ordinalOf:
		return p.first(i, p.date, p.ordinal)
	case articleOf, articlesOf:
		return p.first(i, p.articles, p.word)
	case heading:
		return p.first(i, p.headingNumber, p.word)
	case codeOf:
		return p.first(i, p.date, p.codeArticle, p.acronym, p.word)
	}
	return p.word(i)
}

func (p *parser) ordinal(i int) int {
	p.emit(i, 1, Ordinal, strconv.FormatInt(p.lexes[i].value, 10)+"e")
	return 1
}

// first applies the rules in order until one applies. The last rule must always apply.
func (p *parser) first(i int, rules ...func(int) int) int {
	for _, rule := range rules {
		if n := rule(i); n > 0 {
			return n
		}
	}
	return 1
}

// emit appends one token that consists of n lexemes from i on.
func (p *parser) emit(i, n int, kind TokenKind, term string) {
	p.out = append(p.out, Token{Term: term, Start: p.lexes[i].start, End: p.lexes[i+n-1].end, Kind: kind})
}

func (p *parser) word(i int) int {
	x := p.lexes[i]
	p.out = append(p.out, Token{Term: x.stem, Start: x.start, End: x.end, Kind: Word, Stop: x.stop})
	return 1
}

// acronym reads « S.M.I.G. »: single letters with only dots between them.
func (p *parser) acronym(i int) int {
	n := 1
	for i+n < len(p.lexes) && len(p.lexes[i+n].fold) == 1 && p.lexes[i+n].shape == letters && p.gap(i+n) == dotGap {
		n++
	}
	if n < 2 || len(p.lexes[i].fold) != 1 {
		return 0
	}
	var b strings.Builder
	for _, x := range p.lexes[i : i+n] {
		b.WriteString(x.fold)
	}
	p.emit(i, n, Word, stem(b.String()))
	return n
}

// headingNumber reads « TITRE II » and « Chapitre Ier » as « titre 2 ».
func (p *parser) headingNumber(i int) int {
	if i+1 >= len(p.lexes) || p.gap(i+1) != spaceGap {
		return 0
	}
	x := p.lexes[i+1]
	n := law.Roman(p.text[x.start:x.end])
	if n == 0 || p.text[x.start] >= 'a' {
		return 0
	}
	p.word(i)
	p.emit(i+1, 1, Number, strconv.Itoa(n))
	return 2
}

// gapKind is the kind of separator between a lexeme and the one before it.
type gapKind uint8

const (
	otherGap gapKind = iota
	noGap
	spaceGap // blanks within a line
	dotGap
	dotSpaceGap
	commaGap
	commaSpaceGap
	hyphenGap
	slashGap
	degreeGap // « n° »
	openGap   // an opening bracket
)

// gap classifies the separator before lexeme i.
func (p *parser) gap(i int) gapKind {
	if i == 0 {
		return otherGap
	}
	s := p.text[p.lexes[i-1].end:p.lexes[i].start]
	switch s { // fast path for nearly all separators
	case "":
		return noGap
	case " ":
		return spaceGap
	case "-":
		return hyphenGap
	case ".":
		return dotGap
	}
	const longest = 16 // every separator with a meaning is shorter
	if len(s) > longest {
		return otherGap
	}
	t := strings.Trim(s, " \u00a0\u202f\u2009\t")
	kind, ok := gaps[t]
	switch {
	case !ok || kind == hyphenGap && len(t) < len(s):
		return otherGap
	case kind == dotGap && len(t) < len(s):
		return dotSpaceGap
	case kind == commaGap && len(t) < len(s):
		return commaSpaceGap
	}
	return kind
}

var gaps = map[string]gapKind{"": spaceGap, ".": dotGap, ",": commaGap, "-": hyphenGap, "‑": hyphenGap, "‐": hyphenGap,
	"/": slashGap, "°": degreeGap, "°.": degreeGap, "(": openGap}
