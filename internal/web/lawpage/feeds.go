package lawpage

import (
	"bytes"
	"encoding/xml"
	"time"

	"github.com/google/uuid"
)

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

func document(of any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	err := e.Encode(of)
	b.WriteByte('\n')
	return b.Bytes(), err
}
