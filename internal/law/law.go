package law

import (
	"time"

	"github.com/google/uuid"
)

// DocType is the type of a legal text.
type DocType string

// The types of texts, in the order of the hierarchy of norms.
const (
	Constitution DocType = "constitution"
	Code         DocType = "code"
	Loi          DocType = "loi"
	Decret       DocType = "decret"
	Arrete       DocType = "arrete"
	Circulaire   DocType = "circulaire"
)

// DocTypes lists all types.
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

// Statuses lists all statuses.
func Statuses() []Status { return []Status{InForce, Repealed, Amended} }

// Document is one legal text of the catalogue.
type Document struct {
	ID             uuid.UUID
	IngestionID    uuid.UUID // id of the gazette file that contains the text
	Title          string
	Type           DocType
	Nature         string // what the text calls itself: « Ordonnance », « Acte uniforme »; "" if unknown
	Domain         string // code of a Domain
	OfficialNumber string // "" if the gazette gives no number
	Promulgated    time.Time
	EntersInForce  time.Time
	AsOf           *time.Time // day as of which a consolidated edition is printed; nil: the text is printed as it was published
	Status         Status
	RepealedBy     *uuid.UUID
	FirstPage      int // first page in the gazette's file, from 1
	LastPage       int
	Passages       int        // number of indexed passages
	SupersededBy   *uuid.UUID // better edition that has replaced the text
	Gazette        *Gazette   // issue that prints the text; nil: its file is no gazette
}

// Gazette is an issue of a gazette, as it names itself.
type Gazette struct {
	Name   string `json:"name"`
	Number string `json:"number,omitempty"`
	Day    string `json:"day,omitempty"` // YYYY-MM-DD
}

// Cite writes the issue as a citation names it: « Journal officiel de la République, n° 12 du 3 mars 2021 ».
func (g Gazette) Cite() string {
	cited := g.Name
	if g.Number != "" {
		cited += ", n° " + g.Number
	}
	if day, err := time.Parse(time.DateOnly, g.Day); err == nil {
		cited += " du " + WriteDate(day)
	}
	return cited
}

// Article is one article of a document, or a part before or after the articles (visas,
// annexes). Such a part has an empty or descriptive number.
type Article struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	Number     string   // « 1er », « 26 bis », « L. 1224-1 », « Annexe I »
	Path       []string // headings above the article, outermost first
	Heading    string   // the article's own title, often empty
	Page       int      // page on which the article begins, from 1
	Position   int      // order in the document, from 0
	Text       string
	Spans      []Span     // places of the lines of Text on the pages
	ValidFrom  *time.Time // first day in force; nil: that of the document
	ValidTo    *time.Time // first day no longer in force; nil: that of the document
	Wording    *Wording   // nil: an article of the document itself
}

// Passage is a searchable part of an article: the whole article, or consecutive alineas of
// it.
type Passage struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	ArticleID  uuid.UUID
	Position   int // order in the document, from 0
	Page       int
	Text       string
	Spans      []Span
	Quoted     bool // the text is that of a new wording, which has passages of its own
}

// Domain is a field of law by which the catalogue is divided.
type Domain struct {
	Code        string `json:"code"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Active      bool   `json:"-"` // only administrators see the others
	Position    int    `json:"-"`
	Documents   int    `json:"documents_count"` // number of its texts in the catalogue
}

// RelationKind is the kind of a change that one text makes to another.
type RelationKind string

// The kinds of changes.
const (
	Repeals RelationKind = "abroge"
	Amends  RelationKind = "modifie"
)

// Relation is a change that one text makes to another. The changed text is described by
// what the changing text says (type, number, articles). Once the relation is resolved, it
// also has an id.
type Relation struct {
	ID             uuid.UUID
	SourceID       uuid.UUID // document that makes the change
	SourceArticle  uuid.UUID // article that makes the change
	Kind           RelationKind
	TargetType     DocType    // "" if the words name no type
	TargetNumber   string     // « 2010-05 »; "" for a code that is named by its title
	TargetTitle    string     // « code du travail »; "" if the text is named by its number
	TargetDate     *time.Time // date of the changed text; nil if the words name none
	TargetArticles []string   // numbers of the changed articles; empty: the whole text
	TargetID       *uuid.UUID
	Effective      time.Time // first day of the change
	Adds           bool      // whether the change only adds to a wording, which stays law
}

// The values of RelationRef.Type.
const (
	RepealedBy = "abroge_par"
	AmendedBy  = "modifie_par"
)

// RelationRef is a change to a cited text or article, as a citation shows it.
type RelationRef struct {
	Type       string     `json:"type"` // abroge_par, modifie_par
	DocumentID uuid.UUID  `json:"document_id"`
	ArticleID  *uuid.UUID `json:"article_id"` // article that makes the change; nil if a person recorded the change
	Title      string     `json:"title"`
	Date       string     `json:"date"` // YYYY-MM-DD
}

// Citation points from a sentence of an answer to an article and a page. Its JSON is part
// of the public API.
type Citation struct {
	Index          int           `json:"index,omitempty"` // 0 for an article that the answer only points to
	DocumentID     uuid.UUID     `json:"document_id"`
	ArticleID      *uuid.UUID    `json:"article_id"`
	Title          string        `json:"title"`
	DocType        DocType       `json:"doc_type"`
	OfficialNumber string        `json:"numero_officiel"`
	Countries      []string      `json:"pays,omitempty"` // whose law the text is, as far as known
	Status         Status        `json:"statut"`
	AsOf           string        `json:"etat_au,omitempty"` // day whose words a consolidated edition prints, if the excerpt is printed in one
	Article        *string       `json:"article"`
	Page           *int          `json:"page"`
	Regions        []Region      `json:"regions"`
	Excerpt        string        `json:"excerpt"`
	Score          float64       `json:"score"`
	URL            string        `json:"url"`
	RepealedBy     *uuid.UUID    `json:"abroge_par"`
	Relations      []RelationRef `json:"relations"`
	Replaces       *Replaced     `json:"replaces"` // for a new wording: the article of another text that it replaces; Article is then the article that quotes the wording
}

// Filters narrows a search; fields with their zero value do not filter.
type Filters struct {
	Domain     string     `json:"domaine,omitempty"`
	Country    string     `json:"pays,omitempty"` // code of the country whose law is asked about, unless the question names one
	Type       DocType    `json:"doc_type,omitempty"`
	Status     Status     `json:"statut,omitempty"`
	Date       *time.Time `json:"date,omitempty"` // day that the question is about, at midnight UTC; nil: today
	DocumentID *uuid.UUID `json:"document_id,omitempty"`
}

// Admit reports whether the filters admit a text with these properties. Country and Date, for
// which its callers know more, do not count.
func (f *Filters) Admit(document uuid.UUID, domain string, kind DocType, status Status) bool {
	return (f.DocumentID == nil || *f.DocumentID == document) &&
		(f.Domain == "" || f.Domain == domain) &&
		(f.Type == "" || f.Type == kind) &&
		(f.Status == "" || f.Status == status)
}
