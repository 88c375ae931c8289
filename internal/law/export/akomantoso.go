package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

const namespace = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"

// node is an XML element, or a piece of text if it has no name.
type node struct {
	name     string
	attrs    []xml.Attr
	children []*node
	text     string
}

func el(name string, children ...*node) *node { return &node{name: name, children: children} }

// words returns a node with text.
func words(s string) *node { return &node{text: s} }

// with sets attributes, given as pairs of name and value.
func (n *node) with(pairs ...string) *node {
	for i := 0; i+1 < len(pairs); i += 2 {
		n.attrs = append(n.attrs, xml.Attr{Name: xml.Name{Local: pairs[i]}, Value: pairs[i+1]})
	}
	return n
}

func (n *node) add(children ...*node) { n.children = append(n.children, children...) }

// write encodes the element. Characters that XML does not allow become U+FFFD.
func (n *node) write(e *xml.Encoder) error {
	if n.name == "" {
		return e.EncodeToken(xml.CharData(n.text))
	}
	start := xml.StartElement{Name: xml.Name{Local: n.name}, Attr: n.attrs}
	if err := e.EncodeToken(start); err != nil {
		return err
	}
	for _, c := range n.children {
		if err := c.write(e); err != nil {
			return err
		}
	}
	return e.EncodeToken(start.End())
}

// AkomaNtoso writes a text as an act of Akoma Ntoso 3.0. The act is named as the text names
// itself. Its URI is its public address (package address).
func AkomaNtoso(w io.Writer, t LegalText) error {
	d := t.Document
	contains := "originalVersion"
	if t.On != nil {
		contains = "singleVersion"
	}
	act := el("act").with("name", address.Slug(law.Kind(d.Type, d.Nature)), "contains", contains)
	history := newHistory(t)
	b := body{notes: t.notes, ids: map[string]int{}, named: map[uuid.UUID]string{}, periods: history.periods}
	preamble, conclusions := el("preamble"), el("conclusions")
	for _, a := range t.own() {
		switch {
		case a.Number == "" && a.Heading == "Préambule":
			preamble.add(paragraphs(a.Text)...)
		case a.Number == "" && a.Heading == "Signatures":
			conclusions.add(paragraphs(a.Text)...)
		default:
			b.article(a)
		}
	}
	if len(b.root.children) == 0 { // the schema does not allow an empty body
		b.root.add(el("hcontainer", el("content", el("p"))).with("name", "vide", "eId", "hcontainer_1"))
	}
	act.add(meta(t, history, b.named), el("preface", el("longTitle", el("p", words(OneLine(d.Title))))))
	if len(preamble.children) > 0 {
		act.add(preamble)
	}
	b.root.name = "body"
	act.add(&b.root)
	if len(conclusions.children) > 0 {
		act.add(conclusions)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	if err := el("akomaNtoso", act).with("xmlns", namespace).write(e); err != nil {
		return fmt.Errorf("export %s: %w", d.ID, err)
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// OneLine returns a text with one blank for all white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// paragraphs returns a p element for each paragraph.
func paragraphs(text string) (list []*node) {
	for _, alinea := range Alineas(text) {
		list = append(list, el("p", words(alinea)))
	}
	return list
}

// meta returns the identification of the text by the naming convention: as a work, as its
// French expression and as this file, and what is known of its changes. ids maps the ids of articles to their eIds.
func meta(t LegalText, past *history, ids map[uuid.UUID]string) *node {
	d := t.Document
	named := address.Of(d, t.Countries)
	work := named.Short()
	start, what := d.EntersInForce, "entreeVigueur"
	if t.On != nil {
		start, what = *t.On, "redaction"
	}
	expression := address.Expression(work, &start)
	core := func(name, uri, moment, what string, more ...*node) *node {
		n := el(name, el("FRBRthis").with("value", uri+"/!main"), el("FRBRuri").with("value", uri),
			el("FRBRdate").with("date", moment, "name", what), el("FRBRauthor").with("href", "#emetteur"))
		n.add(more...)
		return n
	}
	country := []*node{el("FRBRcountry").with("value", named.Country), el("FRBRsubtype").with("value", string(d.Type))}
	if d.OfficialNumber != "" {
		country = append(country, el("FRBRnumber").with("value", d.OfficialNumber))
	}
	country = append(country, el("FRBRname").with("value", OneLine(d.Title)))
	identification := el("identification",
		core("FRBRWork", work, day(d.Promulgated), "promulgation", country...),
		core("FRBRExpression", expression, day(start), what, el("FRBRlanguage").with("language", "fra")),
		core("FRBRManifestation", expression+".xml", day(start), what, el("FRBRformat").with("value", "application/akn+xml")),
	).with("source", "#vigueur")
	m := el("meta", identification)
	if g := d.Gazette; g != nil && g.Day != "" { // the schema asks for the day
		n := el("publication").with("date", g.Day, "name", g.Name, "showAs", publication(d))
		if g.Number != "" {
			n = n.with("number", g.Number)
		}
		m.add(n)
	}
	passive := past.passive(ids) // first, since it counts the intervals
	analysis := el("analysis").with("source", "#vigueur")
	for _, n := range []*node{modifications(t, ids), passive} {
		if n != nil {
			analysis.add(n)
		}
	}
	if n := past.lifecycle(); n != nil {
		m.add(n)
	}
	if len(analysis.children) > 0 {
		m.add(analysis)
	}
	if n := past.temporalData(); n != nil {
		m.add(n)
	}
	references := el("references", past.references()...).with("source", "#vigueur")
	references.add(el("TLCOrganization").with("eId", "vigueur", "href", "/akn/ontology/organization/"+named.Country+"/vigueur", "showAs", "Vigueur"),
		el("TLCOrganization").with("eId", "emetteur", "href", "/akn/ontology/organization/"+named.Country+"/emetteur", "showAs", "Autorité émettrice"))
	references.add(past.concepts()...)
	m.add(references)
	return m
}

// modifications returns the list of changes that the text makes to other texts.
func modifications(t LegalText, named map[uuid.UUID]string) *node {
	if len(t.Relations) == 0 {
		return nil
	}
	active := el("activeModifications")
	for i, r := range t.Relations {
		kind := "substitution"
		if r.Kind == law.Repeals {
			kind = "repeal"
		}
		mod := el("textualMod", el("source").with("eId", fmt.Sprintf("pmod_%d__source", i+1), "href", "#"+named[r.SourceArticle])).with("type", kind, "eId", fmt.Sprintf("pmod_%d", i+1))
		for k, place := range targets(r, address.Of(t.Document, t.Countries).Country) {
			mod.add(el("destination").with("eId", fmt.Sprintf("pmod_%d__dest_%d", i+1, k+1), "href", place))
		}
		active.add(mod)
	}
	return active
}

// targets returns the URIs of what a relation changes, which is law of the same country. They
// are the public addresses, if the text says the day and number of what it changes.
func targets(r law.Relation, country string) (list []string) {
	kind, number := address.Slug(string(r.TargetType)), address.Slug(r.TargetNumber)
	if kind == "" {
		kind = "act"
	}
	if number == "" {
		number = address.Slug(r.TargetTitle)
	}
	base := fmt.Sprintf("/akn/%s/act/%s/%s", country, kind, number)
	if r.TargetDate != nil {
		base = address.Work{Country: country, Type: r.TargetType, Date: *r.TargetDate, Name: number}.Full()
	}
	for _, a := range r.TargetArticles {
		list = append(list, base+"/~art_"+address.Slug(a))
	}
	if len(list) == 0 {
		list = append(list, base)
	}
	return list
}
