// Package lawpage writes the public pages of the catalogue: texts and articles that anybody can
// read, without an account and without JavaScript, and print. It also writes what tells other
// programs of them: JSON-LD (schema.org Legislation) within the pages, a sitemap (sitemaps.org)
// and an Atom feed (RFC 4287).
//
// It depends only on its arguments. Whatever a gazette prints is escaped.
package lawpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the template and the style
	"encoding/base64"
	"encoding/xml"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
)

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
)

// Policy is the Content-Security-Policy of the pages: no script, no other host, and only the
// style that stands in the page.
var Policy = "default-src 'none'; style-src 'sha256-" + digest(style) + "'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

var pages = template.Must(template.New("page").Funcs(template.FuncMap{
	"day": law.WriteDate, "iso": func(t time.Time) string { return t.Format(time.DateOnly) }, "country": CountryName,
	"count": func(n int) string { return plural(n, "texte") },
	"style": func() template.CSS { return template.CSS(style) }, //nolint:gosec // page.css is embedded
}).Parse(layout))

// Link is an address with the words that lead there.
type Link struct{ Address, Words string }

// Frame is what every page has.
type Frame struct {
	Title     string
	Canonical string // absolute address of the page
	Icon      string // address of the icon; "": none
	NoIndex   bool   // search engines are asked not to list it
	Day       time.Time
	Path      []Link // from the beginning of the catalogue down to the page
	Feeds     []Link
	Data      any // JSON-LD; nil: none
}

// TextPage is the page of a text, on a day.
type TextPage struct {
	Frame
	Document  law.Document
	Kind      string // what it calls itself
	Countries []string
	Repealed  *time.Time
	RepealBy  *Link
	Amends    []Link
	Amended   []Link
	Days      []DayLink // on which its wording changed
	On        time.Time // day of the wording
	Today     bool      // whether On is today
	Assembled bool      // whether any of Sections is assembled
	Sections  []Section
	Forms     []Link // other formats
	File      string // address of the gazette
	App       string // address where questions are asked about the text
}

// DayLink is a day of a text.
type DayLink struct {
	Day     time.Time
	Address string
	Here    bool
}

// Section is a group of articles under the same headings.
type Section struct {
	Headings []Heading // those that were not open already
	Articles []Article
}

// Heading is a heading of a text at its depth, from 2.
type Heading struct {
	Depth int
	Words string
}

// Article is an article with its words on a day.
type Article struct {
	ID      string // within the page
	Name    string // « Article 66 »; "" for an unnumbered part without a heading
	Heading string
	Address string
	Page    int
	File    string // address of the page in the gazette
	Words   string
	Links   []Reference // of Words, in order
	By      *Link       // act that made the wording
	Changes []Change    // of its alineas, in order
	From    *time.Time
	To      *time.Time
}

// Reference is a reference to another article or text, as it is written in an article.
type Reference struct {
	Name    string
	Address string
	Told    string // title and state of where it leads
}

// Change is what an act did to alineas that follow each other.
type Change struct {
	Alinea int // the last of them, from 1
	Act    Link
	Pages  []int  // of the act
	Before int    // page that prints the article as it was; 0 if none does
	File   string // address of that page in the gazette
}

// Paragraph is an alinea, cut at its references.
type Paragraph struct {
	Pieces []Reference
	Change *Change // of it and the ones before; nil: as printed, or told behind a later one
}

// Paragraphs returns the words of an article by paragraphs.
func (a Article) Paragraphs() (list []Paragraph) {
	links, changes := a.Links, a.Changes
	for n, words := range export.Alineas(a.Words) {
		var pieces []Reference
		for i := 0; i < len(links); i++ {
			if left, right, has := strings.Cut(words, links[i].Name); has {
				pieces, words = append(pieces, Reference{Name: left}, links[i]), right
				links, i = links[i+1:], -1
			}
		}
		one := Paragraph{Pieces: append(pieces, Reference{Name: words})}
		if len(changes) > 0 && changes[0].Alinea == n+1 {
			one.Change, changes = &changes[0], changes[1:]
		}
		list = append(list, one)
	}
	return list
}

// ArticlePage is the page of one article, on a day.
type ArticlePage struct {
	Frame
	Article
	Document law.Document
	Text     Link
	Within   []string // headings
	Before   *Link
	After    *Link
	On       time.Time
	Today    bool
	Versions []Version
}

// Version is a wording of an article.
type Version struct {
	From, To *time.Time
	Gone     bool
	By       *Link
	Address  string
	Here     bool
}

// Listing is a page that lists texts, or leads to such pages.
type Listing struct {
	Frame
	Lead    string
	Search  bool   // whether it has the form that looks for titles
	Query   string // that was looked for
	Country string // code of the country whose texts come first
	Groups  []Group
	Items   []Item
	Before  *Link
	After   *Link
}

// Group is a country with its years.
type Group struct {
	Name  string
	Texts int
	Years []Year
}

// Year is a year of a country.
type Year struct {
	Year    int
	Texts   int
	Address string
}

// Item is a text in a list.
type Item struct {
	Link
	Kind   string
	Day    time.Time
	Status law.Status
}

// Message is a page that says why there is nothing to read.
type Message struct {
	Frame
	Words   string
	Choices []Item
}

// WriteText returns the page of a text.
func WriteText(t TextPage) ([]byte, error) { return write("text", t) }

// WriteArticle returns the page of an article.
func WriteArticle(a ArticlePage) ([]byte, error) { return write("article-page", a) }

// WriteListing returns a page that lists texts.
func WriteListing(l Listing) ([]byte, error) { return write("listing", l) }

// WriteMessage returns a page that says why there is nothing to read.
func WriteMessage(m Message) ([]byte, error) { return write("message", m) }

func write(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := pages.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// CountryName returns the name of a country or union by its code: « Bénin », or « Sans pays »
// for none.
func CountryName(code string) string {
	if code == "" {
		return "Sans pays"
	}
	if name := country.Name(country.Code(code)); name != "" {
		return name
	}
	return code
}

// Name returns the heading of an article by its number: « Article 66 », « Annexe I »; "" for a
// part without a number.
func Name(number string) string {
	if number == "" || strings.HasPrefix(number, "Annexe") {
		return number
	}
	return "Article " + number
}

// Sections groups articles, given with the headings above each, as they follow each other.
func Sections(articles []Article, paths [][]string) (list []Section) {
	var open []string
	for i, a := range articles {
		shared := 0
		for shared < len(open) && shared < len(paths[i]) && open[shared] == paths[i][shared] {
			shared++
		}
		if len(list) == 0 || shared < len(open) || shared < len(paths[i]) {
			var s Section
			for depth := shared; depth < len(paths[i]); depth++ {
				s.Headings = append(s.Headings, Heading{min(depth+2, 6), paths[i][depth]})
			}
			list, open = append(list, s), paths[i]
		}
		last := &list[len(list)-1]
		last.Articles = append(last.Articles, a)
	}
	return list
}

// plural writes a number of things: « 1 texte », « 1 204 textes ».
func plural(n int, word string) string {
	digits := strconv.Itoa(n)
	for pos := len(digits) - 3; pos > 0; pos -= 3 {
		digits = digits[:pos] + "\u202f" + digits[pos:]
	}
	if n > 1 {
		word += "s"
	}
	return digits + "\u00a0" + word
}

// Legislation is a text or an article as schema.org has it (https://schema.org/Legislation).
// Empty fields are left out.
type Legislation struct {
	Context      string        `json:"@context,omitempty"`
	Type         string        `json:"@type"`
	ID           string        `json:"@id"`
	URL          string        `json:"url,omitempty"`
	Name         string        `json:"name"`
	Identifier   string        `json:"legislationIdentifier,omitempty"`
	Kind         string        `json:"legislationType,omitempty"`
	Date         string        `json:"legislationDate,omitempty"`
	InForceSince string        `json:"temporalCoverage,omitempty"`
	Version      string        `json:"legislationDateVersion,omitempty"`
	Force        string        `json:"legislationLegalForce,omitempty"`
	Jurisdiction *Area         `json:"legislationJurisdiction,omitempty"`
	Language     string        `json:"inLanguage,omitempty"`
	Encodings    []Encoding    `json:"encoding,omitempty"`
	PartOf       *Legislation  `json:"isPartOf,omitempty"`
	Changes      []Legislation `json:"legislationChanges,omitempty"`
	Repeals      []Legislation `json:"legislationRepeals,omitempty"`
}

// Area is a place.
type Area struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

// Encoding is a format of a text.
type Encoding struct {
	Type   string `json:"@type"`
	Format string `json:"encodingFormat"`
	URL    string `json:"contentUrl"`
	Value  string `json:"legislationLegalValue"` // only objects have it, not the legislation
}

// FormatOf returns a format of a text at an address. None is the official print.
func FormatOf(kind, url string) Encoding {
	return Encoding{Type: "LegislationObject", Format: kind, URL: url, Value: "https://schema.org/UnofficialLegalValue"}
}

// Describe returns a text as schema.org has it. base is the address of the service, and path
// that of the text.
func Describe(d law.Document, countries []string, repealed *time.Time, base, path string) Legislation {
	l := Legislation{Context: "https://schema.org", Type: "Legislation", ID: base + path, URL: base + path, Name: export.OneLine(d.Title),
		Identifier: d.OfficialNumber, Kind: law.Kind(d.Type, d.Nature), Date: d.Promulgated.Format(time.DateOnly), Language: "fr",
		Force: "https://schema.org/InForce", InForceSince: d.EntersInForce.Format(time.DateOnly) + "/.."}
	if d.Status == law.Repealed {
		l.Force = "https://schema.org/NotInForce"
	}
	if repealed != nil {
		l.InForceSince = d.EntersInForce.Format(time.DateOnly) + "/" + repealed.Format(time.DateOnly)
	}
	if len(countries) > 0 {
		l.Jurisdiction = &Area{"AdministrativeArea", CountryName(countries[0])}
	}
	return l
}

// ArticleID returns the @id of an article from that of its text.
func ArticleID(text, id string) string { return text + "/!main~" + id }

// urn returns an id for an entry of a feed that never changes (RFC 4287, 4.2.6).
func urn(id uuid.UUID) string { return "urn:uuid:" + id.String() }

// Entry is an entry of a feed.
type Entry struct {
	ID      uuid.UUID
	Title   string
	Address string // absolute
	Updated time.Time
	Summary string
}

// WriteFeed returns an Atom feed (RFC 4287). address is its own absolute address, and site that
// of the pages that it tells of. A feed without entries was updated at the given time.
func WriteFeed(title, address, site string, empty time.Time, entries []Entry) ([]byte, error) {
	type link struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	type entry struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Link    link   `xml:"link"`
		Summary string `xml:"summary,omitempty"`
	}
	type author struct {
		Name string `xml:"name"`
	}
	feed := struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Lang    string   `xml:"xml:lang,attr"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  author   `xml:"author"`
		Links   []link   `xml:"link"`
		Entries []entry  `xml:"entry"`
	}{Lang: "fr", ID: address, Title: title, Updated: empty.UTC().Format(time.RFC3339), Author: author{"Vigueur"},
		Links: []link{{"self", "application/atom+xml", address}, {"alternate", "text/html", site}}}
	var last time.Time
	for _, e := range entries {
		if e.Updated.After(last) {
			last = e.Updated
		}
		feed.Entries = append(feed.Entries, entry{urn(e.ID), e.Title, e.Updated.UTC().Format(time.RFC3339), link{"alternate", "text/html", e.Address}, e.Summary})
	}
	if !last.IsZero() {
		feed.Updated = last.UTC().Format(time.RFC3339)
	}
	return document(feed)
}

// Place is an address in a sitemap.
type Place struct {
	Address string // absolute
	Changed time.Time
}

// SitemapMost is the maximum number of addresses in one sitemap (https://www.sitemaps.org).
const SitemapMost = 50_000

// WriteSitemap returns a sitemap of at most SitemapMost addresses.
func WriteSitemap(list []Place) ([]byte, error) {
	type place struct {
		Loc     string `xml:"loc"`
		Changed string `xml:"lastmod"`
	}
	sitemap := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []place  `xml:"url"`
	}{}
	for _, p := range list {
		sitemap.URLs = append(sitemap.URLs, place{p.Address, p.Changed.UTC().Format(time.RFC3339)})
	}
	return document(sitemap)
}

func document(value any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	err := e.Encode(value)
	b.WriteByte('\n')
	return b.Bytes(), err
}
