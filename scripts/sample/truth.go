package main

import (
	"bytes"
	"encoding/json"
	"time"
)

// truth is what truth.json holds. Pages are PDF pages, counted from 1. The JSON
// uses the catalogue's own words for the fields that the catalogue has.
type truth struct {
	Country string        `json:"country"`
	Issues  []*issueTruth `json:"issues"`
	Texts   []*textTruth  `json:"texts"`
}

// issueTruth is one number of the gazette.
type issueTruth struct {
	ID               string   `json:"id"`
	File             string   `json:"file"`
	Scan             string   `json:"scan,omitempty"`
	Number           string   `json:"number"`
	Date             string   `json:"date"`
	Pages            int      `json:"pages"`
	FirstPrintedPage int      `json:"first_printed_page"`
	Texts            []string `json:"texts"`

	texts []*textTruth
}

// textTruth is one legal text. Preamble is what stands between the title and
// the first article, or the whole of an abridged act or of a circular.
type textTruth struct {
	Issue       string           `json:"issue"`
	DocType     string           `json:"doc_type"`
	Nature      string           `json:"nature"`
	Number      string           `json:"numero_officiel"`
	Title       string           `json:"title"`
	Domain      string           `json:"domaine"`
	Signed      string           `json:"date_promulgation"`
	InForce     string           `json:"date_entree_vigueur"`
	Abridged    bool             `json:"abridged,omitempty"`
	FirstPage   int              `json:"first_page"`
	LastPage    int              `json:"last_page"`
	Signatories []string         `json:"signatories"`
	Preamble    string           `json:"preamble"`
	Articles    []*articleTruth  `json:"articles"`
	Annexes     []*annexTruth    `json:"annexes"`
	Relations   []*relationTruth `json:"relations"`

	pages extent
}

// articleTruth is one article as printed: Text is without the article's own
// head, alineas parted by line feeds, the rows of a table too.
type articleTruth struct {
	Number   string   `json:"number"`
	Path     []string `json:"path"`
	Page     int      `json:"page"`
	LastPage int      `json:"last_page"`
	Text     string   `json:"text"`

	pages extent
}

// annexTruth is an annex; a table is a line a row, cells parted by « | ».
type annexTruth struct {
	Title    string `json:"title"`
	Page     int    `json:"page"`
	LastPage int    `json:"last_page"`
	Text     string `json:"text"`

	pages extent
}

// relationTruth is what a text does to an earlier one. NewTexts is the wording
// that the replaced or inserted articles have from the effective date on.
type relationTruth struct {
	Kind      string        `json:"kind"`
	Target    string        `json:"target"`
	Articles  []string      `json:"target_articles"`
	Effective string        `json:"effective_date"`
	By        string        `json:"by_article"`
	NewTexts  []quotedTruth `json:"new_texts,omitempty"`
}

type quotedTruth struct {
	Number string `json:"number"`
	Text   string `json:"text"`
}

// newIssueTruth fills in all that does not depend on the layout.
func newIssueTruth(is *issue) *issueTruth {
	it := &issueTruth{
		ID: is.ID, File: gazetteName(is), Number: is.Number, Date: isoDate(is.Date), FirstPrintedPage: is.FirstPage,
	}
	if is.Scan {
		it.Scan = scanName(is)
	}
	for _, t := range is.Texts {
		it.Texts = append(it.Texts, t.Number)
		it.texts = append(it.texts, newTextTruth(is, t))
	}
	return it
}

func newTextTruth(is *issue, t *legalText) *textTruth {
	tt := &textTruth{
		Issue: is.ID, DocType: t.Type, Nature: t.Nature, Number: t.Number, Title: t.title(), Domain: t.Domain,
		Signed: isoDate(t.Signed), InForce: isoDate(t.InForce), Abridged: t.Abridged, Signatories: []string{},
		Articles: []*articleTruth{}, Annexes: []*annexTruth{}, Relations: []*relationTruth{},
	}
	for _, s := range t.Signatories {
		tt.Signatories = append(tt.Signatories, s.Office+" : "+s.Name)
	}
	for _, r := range t.Relations {
		rt := &relationTruth{Kind: r.Kind, Target: r.Target, Articles: []string{}, Effective: isoDate(r.Effective), By: r.By}
		rt.Articles = append(rt.Articles, r.Articles...)
		for _, number := range r.Articles {
			if text := t.quotedText(r.By, number); text != "" {
				rt.NewTexts = append(rt.NewTexts, quotedTruth{number, text})
			}
		}
		tt.Relations = append(tt.Relations, rt)
	}
	return tt
}

// copyPages copies the pages that the layout found into the exported fields.
func (t *textTruth) copyPages() {
	t.FirstPage, t.LastPage = t.pages.First, t.pages.Last
	for _, a := range t.Articles {
		a.Page, a.LastPage = a.pages.First, a.pages.Last
	}
	for _, a := range t.Annexes {
		a.Page, a.LastPage = a.pages.First, a.pages.Last
	}
}

// encodeTruth writes truth.json; the fields' order is the structs'.
func encodeTruth(issues []*issueTruth) ([]byte, error) {
	all := truth{Country: country, Issues: issues}
	for _, is := range issues {
		for _, t := range is.texts {
			t.copyPages()
			all.Texts = append(all.Texts, t)
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(all)
	return out.Bytes(), err
}

func isoDate(d time.Time) string { return d.Format(time.DateOnly) }
