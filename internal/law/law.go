package law

import (
	"time"

	"github.com/google/uuid"
)

// DocType is the kind of a legal text.
type DocType string

// The kinds of texts, in the order of the hierarchy of norms as shown to people.
const (
	Constitution DocType = "constitution"
	Code         DocType = "code"
	Loi          DocType = "loi"
	Decret       DocType = "decret"
	Arrete       DocType = "arrete"
	Circulaire   DocType = "circulaire"
)

// DocTypes lists every kind.
func DocTypes() []DocType {
	return []DocType{Loi, Decret, Arrete, Circulaire, Code, Constitution}
}

// Status says whether a text is law today.
type Status string

// The legal statuses of a text.
const (
	InForce  Status = "en_vigueur"
	Repealed Status = "abroge"
	Amended  Status = "modifie"
)

// Statuses lists every status.
func Statuses() []Status { return []Status{InForce, Repealed, Amended} }

// Document is one legal text of the catalogue.
type Document struct {
	ID             uuid.UUID
	IngestionID    uuid.UUID // the gazette file it was cut from
	Title          string
	Type           DocType
	Nature         string // what it calls itself: « Ordonnance », « Acte uniforme »; "" when unknown
	Domain         string // a Domain's code
	OfficialNumber string // "" when the gazette does not tell
	Promulgated    time.Time
	EntersInForce  time.Time
	Status         Status
	RepealedBy     *uuid.UUID
	FirstPage      int // in the gazette's file, from 1
	LastPage       int
	Passages       int        // passages indexed
	SupersededBy   *uuid.UUID // the better edition that has taken its place
}

// Article is one article of a document, or the text before or after them
// (visas, annexes), then with an empty or descriptive number.
type Article struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	Number     string   // « 1er », « 26 bis », « L. 1224-1 », « Annexe I »
	Path       []string // headings above it, outermost first
	Heading    string   // the article's own title, often empty
	Page       int      // where it begins, from 1
	Position   int      // order in the document, from 0
	Text       string
	Spans      []Span     // where the lines of Text stand on the pages
	ValidFrom  *time.Time // nil: as the document
	ValidTo    *time.Time // first day it is no longer law; nil: as the document
	Wording    *Wording   // nil: an article of the document itself
}

// Passage is a searchable part of an article: all of it, or consecutive
// alineas, never more than one article.
type Passage struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	ArticleID  uuid.UUID
	Position   int // order in the document, from 0
	Page       int
	Text       string
	Spans      []Span
	Quoted     bool // its words are those of a new wording, which has passages of its own
}

// Domain is a business domain of the catalogue.
type Domain struct {
	Code        string
	Label       string
	Description string
	Active      bool
	Position    int
	Documents   int // texts of the catalogue in it
}

// RelationKind is what one text does to another.
type RelationKind string

// What a text can do to another.
const (
	Repeals RelationKind = "abroge"
	Amends  RelationKind = "modifie"
)

// Relation is a change that one text makes to another. The target is known by
// what the words say (type, number, articles) and, once resolved, by its id.
type Relation struct {
	ID             uuid.UUID
	SourceID       uuid.UUID // the document that says it
	SourceArticle  uuid.UUID // the article that says it
	Kind           RelationKind
	TargetType     DocType    // "" when the words do not say
	TargetNumber   string     // « 2010-05 »; "" for a code named by its title
	TargetTitle    string     // « code du travail »; "" when named by number
	TargetDate     *time.Time // of the text that is meant, nil when the words do not say
	TargetArticles []string   // empty: the whole text
	TargetID       *uuid.UUID
	Effective      time.Time // first day of the change
	Adds           bool      // to a wording, which stays law
	Inserts        bool      // new articles; as it is read, not kept
}

// What a RelationRef's Type may be.
const (
	RepealedBy = "abroge_par"
	AmendedBy  = "modifie_par"
)

// RelationRef is how a citation tells of a change made to what it cites.
type RelationRef struct {
	Type       string     `json:"type"` // abroge_par, modifie_par
	DocumentID uuid.UUID  `json:"document_id"`
	ArticleID  *uuid.UUID `json:"article_id"` // the article that makes the change; nil where a person has said the change
	Title      string     `json:"title"`
	Date       string     `json:"date"` // YYYY-MM-DD
}

// Citation points from a sentence of an answer to an article and a page. Its
// JSON is the public contract's.
type Citation struct {
	Index          int           `json:"index"`
	DocumentID     uuid.UUID     `json:"document_id"`
	ArticleID      *uuid.UUID    `json:"article_id"`
	Title          string        `json:"title"`
	DocType        DocType       `json:"doc_type"`
	OfficialNumber string        `json:"numero_officiel"`
	Status         Status        `json:"statut"`
	Article        *string       `json:"article"`
	Page           *int          `json:"page"`
	Regions        []Region      `json:"regions"`
	Excerpt        string        `json:"excerpt"`
	Score          float64       `json:"score"`
	URL            string        `json:"url"`
	RepealedBy     *uuid.UUID    `json:"abroge_par"`
	Relations      []RelationRef `json:"relations"`
	Replaces       *Replaced     `json:"replaces"` // of a new wording: whose article it is; Article is the one that gives it
}

// Filters narrows a search; zero values do not narrow.
type Filters struct {
	Domain     string     `json:"domaine,omitempty"`
	Type       DocType    `json:"doc_type,omitempty"`
	Status     Status     `json:"statut,omitempty"`
	Date       *time.Time `json:"date,omitempty"` // the day asked about, midnight UTC; nil: today
	DocumentID *uuid.UUID `json:"document_id,omitempty"`
}
