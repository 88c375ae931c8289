// Package law is the domain model of legal texts: documents, articles, passages, changes of
// texts by other texts, and citations. It reads words of texts and questions; references,
// dates, numbers and titles are the results. Its folders compare and name texts
// (edition, naming, country), apply amending acts to them (amend), analyze French (french,
// fulltext, anonym) and write texts out (export).
//
// It contains only values and rules and imports no store. Its JSON uses the terms of the law
// (statut, domaine, numero_officiel); Go names are English. A Document is one legal text as
// published; an issue of a gazette contains several. An Article is the unit that is cited, a
// Passage the unit that is searched; the passages of an article, concatenated, are its text.
// The new wording of an article of another text is an Article too, with a Wording that says
// which article it replaces.
package law

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/lazyre"
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
	Countries      []string   // codes of the countries whose law the text is; empty if unknown
}

// Gazette is an issue of a gazette, as it names itself.
type Gazette struct {
	Name   string `json:"name"`
	Number string `json:"number,omitempty"`
	Day    string `json:"day,omitempty" format:"date"` // YYYY-MM-DD
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
	Words          string    // the sentence that orders the change, or its beginning; of a title alone, the title
}

// The values of RelationRef.Type.
const (
	RepealedBy = "abroge_par"
	AmendedBy  = "modifie_par"
)

// RelationRef is a change to a cited text or article, as a citation shows it.
type RelationRef struct {
	Type       string     `json:"type" enum:"abroge_par,modifie_par"` // abroge_par, modifie_par
	DocumentID uuid.UUID  `json:"document_id"`
	ArticleID  *uuid.UUID `json:"article_id"` // article that makes the change; nil if a person recorded the change
	Title      string     `json:"title"`
	Date       string     `json:"date" format:"date"` // YYYY-MM-DD
}

// Citation points from a sentence of an answer to an article and a page. Its JSON is part
// of the public API.
type Citation struct {
	Index          int           `json:"index" doc:"Le [n] du texte."`
	DocumentID     uuid.UUID     `json:"document_id"`
	ArticleID      *uuid.UUID    `json:"article_id"`
	Title          string        `json:"title"`
	DocType        DocType       `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	OfficialNumber string        `json:"numero_officiel"`
	Countries      []string      `json:"pays,omitempty" doc:"Pays dont le texte est la loi ; absent quand il n’est d’aucun ou que la réponse est d’avant."`
	Status         Status        `json:"statut" enum:"en_vigueur,abroge,modifie"`
	AsOf           string        `json:"etat_au,omitempty" format:"date" doc:"Jour de l’édition consolidée où l’extrait est imprimé ; absent d’un texte imprimé tel qu’il a paru et d’une rédaction que le service a assemblée."`
	Article        *string       `json:"article" doc:"Numéro de l’article du document. De la nouvelle rédaction d’un article d’un autre texte : l’article qui la donne ; replaces dit laquelle elle est."`
	Page           *int          `json:"page"`
	Regions        []Region      `json:"regions"`
	Excerpt        string        `json:"excerpt" doc:"Mot pour mot du document."`
	Score          float64       `json:"score"`
	URL            string        `json:"url" format:"uri-reference" doc:"Le PDF, à la page citée."`
	RepealedBy     *uuid.UUID    `json:"abroge_par" doc:"Le texte qui abroge celui-ci, s’il y en a un."`
	Relations      []RelationRef `json:"relations" doc:"Ce qui abroge ou modifie ce qui est cité, du plus ancien au plus récent."`
	Replaces       *Replaced     `json:"replaces" doc:"D’une nouvelle rédaction : l’article d’un autre texte dont elle prend la place."` // Article is then the article that quotes the wording
}

// Filters narrows a search; fields with their zero value do not filter.
type Filters struct {
	Domain     string     `json:"domaine,omitempty"`
	Country    string     `json:"pays,omitempty"` // code of the country whose law is asked about, unless the question names one
	Type       DocType    `json:"doc_type,omitempty" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Status     Status     `json:"statut,omitempty" enum:"en_vigueur,abroge,modifie"`
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

// ArticleKey returns the form in which article numbers are compared. « Art. L. 1224-1 »,
// « L1224-1 » and « l. 1224-1 » have the same key, and so have « 1er », « premier » and
// « 1 », « 1er bis » and « 1 bis », « 26-bis » and « 26 bis », « 01 » and « 1 », and the two spellings of the ninth
// suffix. Suffixes count: « 26 bis » and « 26 » have different keys.
func ArticleKey(number string) string {
	var b strings.Builder
	for _, r := range Fold(number) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			b.WriteRune(r)
		}
	}
	key := b.String()
	for _, prefix := range []string{"articles", "article", "arts", "art"} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			key = rest
			break
		}
	}
	if key = strings.TrimSuffix(key, "nouveau"); key == "unique" {
		return "1"
	}
	if m := firstKey.FindStringSubmatch(key); m != nil {
		key = "1" + m[1]
	}
	key = dashedSuffix.ReplaceAllString(key, "$1")
	if ninth, ok := strings.CutSuffix(key, "novies"); ok {
		key = ninth + "nonies"
	}
	return plainFigures(key)
}

// firstKey matches the ways to write « 1 » with an optional suffix. « Ier » is the Roman
// numeral, or a misreading of « 1er » by text recognition.
var firstKey = lazyre.New(`^(?:1ere?|[il]er|premiere?)((?:` + SuffixWords + `)?)$`)

// dashedSuffix matches the hyphen in « 26-bis » and « II-bis ».
var dashedSuffix = lazyre.New(`-(` + SuffixWords + `)\b`)

// figures matches a run of digits.
var figures = lazyre.New(`[0-9]+`)

// plainFigures removes leading zeros from each number in the key.
func plainFigures(key string) string {
	return figures.ReplaceAllStringFunc(key, func(f string) string {
		if plain := strings.TrimLeft(f, "0"); plain != "" {
			return plain
		}
		return "0"
	})
}

// AssembledNotice is said with each wording that the service has assembled from acts.
const AssembledNotice = "texte consolidé par le service, sans valeur officielle"

// LaterThan reports whether the printed words of the text are those of a later day than on:
// those of a consolidated edition, in which acts of the days between have changed nobody knows
// what. A wording that the service assembled has days of its own.
func (d Document) LaterThan(day time.Time) bool { return d.AsOf != nil && day.Before(*d.AsOf) }

// LaterNotice is said of the printed words of a text that are later than on; "" if they are not.
func (d Document) LaterNotice(day time.Time) string {
	if !d.LaterThan(day) {
		return ""
	}
	return "version consolidée au " + WriteDate(*d.AsOf) + " : l’état du texte au " + WriteDate(day) + " n’est pas connu"
}

// Doubt says that a field of a text could not be read with enough confidence;
// a text with doubts waits for a person to settle them.
type Doubt struct {
	Field      string  `json:"field"`           // name of the field in the catalogue: numero_officiel, date_promulgation…
	Reason     string  `json:"reason"`          // a French sentence
	Confidence float64 `json:"confidence"`      // 0 to 1
	Words      string  `json:"words,omitempty"` // printed words that the field was read from
	Page       int     `json:"page,omitempty"`  // page of these words, from 1
}

// indispensable are the fields without which a text cannot be in the catalogue. The number
// is not among them: many texts have no number.
var indispensable = []string{"doc_type", "date_promulgation"}

// Indispensable lists the fields without which a text cannot be in the catalogue.
func Indispensable() []string { return slices.Clone(indispensable) }

// Lacking lists the indispensable fields of which nothing was read. The text has only
// placeholders for these fields, and only a person can give the values.
func Lacking(doubts []Doubt) (fields []string) {
	for _, field := range indispensable {
		if Unread(doubts, field) {
			fields = append(fields, field)
		}
	}
	return fields
}

// Unread reports whether nothing was read of the given field.
func Unread(doubts []Doubt, field string) bool {
	return slices.ContainsFunc(doubts, func(d Doubt) bool { return d.Field == field && d.Confidence == 0 })
}

// Evidence is the source of one field of a text: the words that the field was read from,
// and how certain the reading is.
type Evidence struct {
	Field      string  `json:"field"`      // name of the field in the catalogue: numero_officiel, date_promulgation…
	Words      string  `json:"words"`      // words as printed; "" if nothing was found, or if a person gave the value
	Page       int     `json:"page"`       // page of the words, from 1; 0 without words
	Confidence float64 `json:"confidence"` // 0 to 1
}

// Force says whether a text is law on a day.
type Force int

// The values of Force.
const (
	NotYet   Force = iota // it enters into force later
	Current               // it is law
	NoLonger              // it was repealed as a whole
)

// ForceOn says whether a text is law on a day. repealed is its first day out of force; nil if
// none is known, as for some texts whose status is Repealed: these are law on no day.
func (d Document) ForceOn(day time.Time, repealed *time.Time) Force {
	switch {
	case day.Before(d.EntersInForce):
		return NotYet
	case repealed == nil && d.Status == Repealed, repealed != nil && !day.Before(*repealed):
		return NoLonger
	}
	return Current
}

// individual matches, in folded titles, the objects of measures about single persons. The
// first group are those whose publication on the internet French law forbids, because they
// tell a person's status and nationality (Code des relations entre le public et
// l'administration, articles L. 221-14 and R. 221-15): changes of name, naturalization, return
// to and loss of a nationality. The second group are the other measures of administrative law
// that name one person by their nature.
var individual = regexp.MustCompile(`\b(?:changement de nom|naturalis\w*|(?:re)?integration dans la nationalite|acquisition de la nationalite|perte de la nationalite|decheance de (?:la )?nationalite|liberation des? liens? d'allegeance|francisation` +
	`|nominations?|nommant|reintegrant|revocation|mise a la retraite|admission a la retraite|mise en disponibilite|concession d'une pension|remise gracieuse|mesure de grace|grace presidentielle|detachement d[eu']|titularisation|promotion (?:dans|a titre))\b`)

// person matches a title of address before a name, in a title as printed.
var person = regexp.MustCompile(`\b(?:M\.|MM\.|Mr|Mme|Mlle|Monsieur|Madame|Mademoiselle|Maître)[ \x{00a0}\x{202f}]+(?:(?:le|la|les)\s+)?\p{Lu}`)

// Individual reports whether a text, by its title, is a measure about single persons, such as
// a nomination or a naturalization. Such texts are printed in gazettes for all to read, but
// should not come up under a person's name in a search engine.
func Individual(title string) bool {
	return person.MatchString(title) || individual.MatchString(Fold(title))
}

// Record is a text of the catalogue as JSON, as the public API shows it (LegalDocument).
type Record struct {
	ID             uuid.UUID  `json:"id"`
	Title          string     `json:"title"`
	Type           DocType    `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature         string     `json:"nature"`
	Domain         string     `json:"domaine"`
	OfficialNumber string     `json:"numero_officiel"`
	Promulgated    string     `json:"date_promulgation" format:"date"`
	EntersInForce  string     `json:"date_entree_vigueur" format:"date"`
	AsOf           string     `json:"etat_au,omitempty" format:"date"` // only of a consolidated edition
	Status         Status     `json:"statut" enum:"en_vigueur,abroge,modifie"`
	SourceURL      string     `json:"url_source,omitempty" required:"true" format:"uri"` // only if there is a server to download from
	RepealedBy     *uuid.UUID `json:"abroge_par"`
	Passages       int        `json:"chunks_count"`
	Gazette        *Issue     `json:"gazette,omitempty"`
}

// Issue is the issue of a gazette that prints a text, and where.
type Issue struct {
	Gazette
	Page int    `json:"page"` // first page of the text in the issue's file
	Cite string `json:"cite"`
}

// Record returns the text as a Record.
func (d Document) Record() Record {
	r := Record{
		ID: d.ID, Title: d.Title, Type: d.Type, Nature: d.Nature, Domain: d.Domain, OfficialNumber: d.OfficialNumber,
		Promulgated: d.Promulgated.Format(time.DateOnly), EntersInForce: d.EntersInForce.Format(time.DateOnly),
		Status: d.Status, RepealedBy: d.RepealedBy, Passages: d.Passages,
	}
	if g := d.Gazette; g != nil {
		r.Gazette = &Issue{*g, d.FirstPage, g.Cite()}
	}
	if d.AsOf != nil {
		r.AsOf = d.AsOf.Format(time.DateOnly)
	}
	return r
}

// NatureLimit is the maximum number of characters of a nature.
const NatureLimit = 100

var typeWords = map[DocType]string{Constitution: "constitution", Code: "code", Loi: "loi", Decret: "décret", Arrete: "arrêté", Circulaire: "circulaire"}

// Word returns the French word for texts of the type: « décret ».
func (t DocType) Word() string { return typeWords[t] }

// TypeOf returns the type of a kind as a text or a question writes it, « Loi organique », « décret exécutif »; "" if it has none.
func TypeOf(kind string) DocType {
	folded := Fold(kind)
	for _, t := range []struct {
		begins string
		of     DocType
	}{{"loi", Loi}, {"ordonnance", Loi}, {"dahir", Loi}, {"decrets-lois", Loi}, {"decret-loi", Loi}, {"decret", Decret}, {"arrete", Arrete}, {"circulaire", Circulaire}} {
		if strings.HasPrefix(folded, t.begins) {
			return t.of
		}
	}
	return ""
}

// Kind returns the French word for a text, in small letters. It is the text's nature, if
// this says more than the type (« ordonnance », « acte uniforme »), else the word of the
// type. For a code or constitution it is always the word of the type, because the nature is
// that of the act that made it, a law.
func Kind(t DocType, nature string) string {
	nature = strings.Join(strings.Fields(nature), " ")
	if nature == "" || t == Code || t == Constitution || Fold(nature) == Fold(t.Word()) {
		return t.Word()
	}
	first, size := utf8.DecodeRuneInString(nature)
	if next, _ := utf8.DecodeRuneInString(nature[size:]); unicode.IsUpper(next) {
		return nature // an abbreviation, or a word in capitals
	}
	return string(unicode.ToLower(first)) + nature[size:]
}

// Wording says that an article is the new wording that an amending text gives to an article
// of another text. The article's number is made by NewNumber, and its text is a part of the
// article of the amending text that quotes the wording.
type Wording struct {
	Within       uuid.UUID // article of the amending text that quotes the wording
	WithinNumber string    // number of that article
	Relation     uuid.UUID // change that the wording belongs to
	Number       string    // number of the amended article
	Part         string    // « premier alinéa », if only that part is replaced
	Inserted     bool      // the wording is inserted and replaces nothing
	// The id and title of the amended text. If the catalogue lacks the text, there is no id,
	// and the title is what the amending text calls it.
	TargetID    *uuid.UUID
	TargetTitle string
}

// NewNumber returns the number under which a new wording of an article, or of a part of it,
// is listed in the amending text: « 5 (nouveau) », « 17 (alinéa 2 nouveau) ».
func NewNumber(number, part string) string {
	if part != "" {
		part += " "
	}
	return number + " (" + part + "nouveau)"
}

// The effects of a new wording on the amended text.
const (
	Replaces = "remplace"
	Inserts  = "insere"
)

// Replaced is, in JSON, the article that a new wording replaces, or the article that it
// inserts.
type Replaced struct {
	DocumentID *uuid.UUID `json:"document_id"`                 // nil if the catalogue lacks the text
	Article    string     `json:"article"`                     // « 36 », « 94-2, premier alinéa »
	Title      string     `json:"title"`                       // title of the amended text
	Type       string     `json:"type" enum:"remplace,insere"` // remplace, insere
}

// Replaced returns the JSON form of the amended article; nil if w is nil.
func (w *Wording) Replaced() *Replaced {
	if w == nil {
		return nil
	}
	r := &Replaced{DocumentID: w.TargetID, Article: w.Number, Title: w.TargetTitle, Type: Replaces}
	if w.Part != "" {
		r.Article += ", " + w.Part
	}
	if w.Inserted {
		r.Type = Inserts
	}
	return r
}

// By returns the French words that precede the name of the amending text: « tel que
// remplacé par » or « tel qu’inséré par ».
func (r *Replaced) By() string {
	if r.Type == Inserts {
		return "tel qu’inséré par"
	}
	return "tel que remplacé par"
}

// Clip writes a text on one line and shortens it to at most n characters, including the ellipsis.
func Clip(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// CallText makes a name, in the form of a title, for a text of which only a reference is
// known: « Loi n° 99-4 du 2 mai 1999 », « Code du travail », « Loi du 2 mai 1999 ».
func CallText(kind DocType, number, title string, day time.Time) string {
	if number == "" && title != "" {
		first, size := utf8.DecodeRuneInString(title)
		return string(unicode.ToUpper(first)) + title[size:]
	}
	name := map[DocType]string{Loi: "Loi", Decret: "Décret", Arrete: "Arrêté", Circulaire: "Circulaire", Code: "Code", Constitution: "Constitution"}[kind]
	if name == "" {
		name = "Texte"
	}
	if number != "" {
		name += " n° " + number
	}
	if !day.IsZero() {
		name += " du " + WriteDate(day)
	}
	return name
}

// articles maps the folded word for a kind of text to its French article.
var articles = func() map[string]string {
	all := map[string]string{}
	for article, words := range map[string]string{
		"la": "loi lettre note circulaire constitution convention charte directive decision deliberation resolution recommandation declaration proclamation",
		"le": "decret code dahir reglement traite protocole pacte statut communique rectificatif memorandum",
		"l’": "ordonnance arrete acte avis accord avenant instruction arrangement additif edit",
	} {
		for _, w := range strings.Fields(words) {
			all[w] = article
		}
	}
	return all
}()

// kindWord returns the first word of a title, folded, without a part after a hyphen:
// « decret » for « Décret-loi n° 5 ».
func kindWord(title string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(Fold(title)), " ")
	word, _, _ = strings.Cut(word, "-")
	return strings.TrimRight(word, ".,:;")
}

// Title writes a title on one line and removes a repeated word for its kind. If the heading
// « CODE CIVIL » was found under the kind « Code », the result is « CODE CIVIL », not
// « Code CODE CIVIL ». If it was found under the kind « Loi », that word is removed, too.
func Title(printed string) string {
	words := strings.Fields(printed)
	for len(words) > 1 {
		first, again := kindWord(words[0]), 1
		if _, kind := articles[first]; !kind {
			break
		}
		if a := Fold(words[1]); (a == "le" || a == "la") && len(words) > 2 {
			again = 2 // « LE CODE CIVIL »
		}
		if name := kindWord(words[again]); name != first && name != "code" && name != "constitution" {
			break
		}
		words = words[again:]
	}
	return strings.Join(words, " ")
}

// OfTitle writes a title with « de » for use within a sentence: « de la loi n° 2010-05 »,
// « du Code civil », « de l’acte uniforme ». ok is false if the title does not begin with a
// known word for a kind of text.
func OfTitle(title string) (owner string, ok bool) {
	article, ok := articles[kindWord(Title(title))]
	if !ok {
		return Title(title), false
	}
	return map[string]string{"la": "de la ", "le": "du ", "l’": "de l’"}[article] + Within(title), true
}

// Within writes a title for use within a sentence: « loi n° 2010-05 ». A code and a
// constitution keep their capital, because it is part of their name. A title that does not
// begin with a word for a kind of text also stays as it is.
func Within(title string) string {
	title = Title(title)
	kind := kindWord(title)
	if _, known := articles[kind]; !known || kind == "code" || kind == "constitution" {
		return title
	}
	return Small(title)
}

// Capital writes the first letter as a capital, as at the beginning of a sentence.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// Small writes the first word in small letters: only its first letter, or the whole word if
// it is in capitals. « LOI n° 5 » becomes « loi n° 5 ».
func Small(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		word, rest, more := strings.Cut(s, " ")
		if word = strings.ToLower(word); more {
			word += " "
		}
		return word + rest
	}
	return string(unicode.ToLower(first)) + s[size:]
}

// likeMark matches what looks like a citation in an answer: « [3] », « [1, 4] ».
var likeMark = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// RemoveMarks prepares words of a source for quotation. A footnote mark in them, or a mark
// that somebody inserted on purpose, would be taken for a citation. Unmarked puts no-break
// spaces around the number, « [ 3 ] », which is not a citation.
func RemoveMarks(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return likeMark.ReplaceAllString(text, "[\u00a0$1\u00a0]")
}

// Marked undoes Unmarked, so that quoted words can be found in their source. It also
// accepts plain spaces in place of the no-break spaces.
func Marked(text string) string { return unmarked.ReplaceAllString(text, "[$1]") }

var unmarked = regexp.MustCompile("\\[[ \u00a0](\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)[ \u00a0]\\]")
