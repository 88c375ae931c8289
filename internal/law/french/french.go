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

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Word    Kind = iota
	Number       // « 1000000 », « 1.5 »
	Ordinal      // « 2e »
	Date         // « 2010-05-03 »
	Text         // the official number of a text: « 2010-5 »
	Article      // the number of an article: « art14bis », « artl1224-1 »
)

// Token is one unit of a text.
type Token struct {
	Term  string // form for comparison; equal tokens have equal terms
	Start int    // bytes [Start,End) of the text
	End   int
	Kind  Kind
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
// (« 14 », « 1er », « L. 1224-1 », « 26 bis »), "" for a number without digits.
func ArticleTerm(number string) string {
	for _, t := range Analyze("article " + number) {
		if t.Kind == Article {
			return t.Term
		}
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
