package amend

import (
	"time"

	"vigueur/internal/law"
)

// Kind is what an operation does.
type Kind string

// The kinds of operations.
const (
	ReplaceArticle  Kind = "replace_article"  // the article gets a new wording
	InsertArticle   Kind = "insert_article"   // a new article with its wording
	RepealArticle   Kind = "repeal_article"   // the article is repealed
	RenumberArticle Kind = "renumber_article" // the article gets the number NewNumber
	ReplaceWords    Kind = "replace_words"    // Words become New
	InsertWords     Kind = "insert_words"     // New is added before or after Words, or at an end of the place
	DeleteWords     Kind = "delete_words"     // Words are deleted
	ReplaceTail     Kind = "replace_tail"     // all that follows Words in the place becomes New
	ReplacePlace    Kind = "replace_place"    // alineas, sentences or items become New
	InsertPlace     Kind = "insert_place"     // New alineas, sentences or items are added
	DeletePlace     Kind = "delete_place"     // alineas, sentences or items are deleted
	RenumberPlace   Kind = "renumber_place"   // items get the labels NewLabels
	RepealText      Kind = "repeal_text"      // the whole text is repealed
	ReplaceHeading  Kind = "replace_heading"  // the title of the text or of Divisions becomes New
	InsertDivision  Kind = "insert_division"  // Divisions are added, under the title New; their articles are operations of their own
	Unread          Kind = "unread"           // an instruction about the article, or the text, that is not understood
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
	Kind      Kind
	Text      Text     // the amended text
	Article   string   // number of the amended article, in the form of law.ArticleNumber
	Every     bool     // every article of the text, or of Divisions, is meant; Article is then ""
	Divisions []string // the divisions that an operation on every article is limited to, the smallest first: « chapitre 2 »
	Except    []string // articles that an operation on every article leaves out
	Places    []Path   // the places in the article; empty: the whole article
	Words     string   // the words that are replaced or deleted, or the anchor of what is added
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

// Text is a text as an instruction names it.
type Text struct {
	Title  string      // « code de commerce »; "" if it is named by number
	Type   law.DocType // "" if unknown
	Number string      // « 2010-05 »; "" if it is named by title
	Self   bool        // the amending act itself
}

// Zero reports whether no text is named.
func (t Text) Zero() bool { return t == Text{} }
