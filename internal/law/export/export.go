// Package export writes one text of law for other programs and for people: as Markdown,
// JSON, Akoma Ntoso 3.0, the XML format of legislation (OASIS LegalDocML), Word or PDF.
//
// It is deterministic: the same text gives the same bytes. No word of an article is lost in
// any format, and nothing in a text can become markup: it is escaped.
package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/markdown"
	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

// LegalText is a legal text with its segmented parts.
type LegalText struct {
	Document  law.Document
	Countries []string      // codes of the countries whose law it is
	Articles  []law.Article // in order, with their text
	Relations []law.Relation
	Evidence  []law.Evidence // sources of the metadata; only the JSON format has them
	// Ended maps the id of an article to the change that ended the article.
	Ended map[uuid.UUID]law.RelationRef
	// On is the day whose wording the articles have; nil: they are as printed.
	On *time.Time
	// Changes are what acts have changed in the text up to that day, in the order of the articles.
	Changes []Change
	// Day is the day of the export, which files for reading say.
	Day time.Time
}

// Format is an export format.
type Format struct {
	Name      string // md, json, akn, docx
	Extension string // file extension with its dot
	Binary    bool   // whether it is no text
	Write     func(w io.Writer, t LegalText) error
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{{"md", ".md", false, Markdown}, {"json", ".json", false, JSON}, {"akn", ".xml", false, AkomaNtoso}, {"docx", ".docx", true, Docx}}
}

// ByName returns the format with a name; ok is false if there is none.
func ByName(name string) (f Format, ok bool) {
	all := Formats()
	pos := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if pos < 0 {
		return f, false
	}
	return all[pos], true
}

// Markdown writes a text as Markdown. Each heading of the law becomes a heading.
func Markdown(w io.Writer, t LegalText) error {
	d := t.Document
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", inline(d.Title))
	for _, line := range [][2]string{{"Nature", law.Kind(d.Type, d.Nature)}, {"Numéro", d.OfficialNumber}, {"Domaine", d.Domain},
		{"Promulgation", day(d.Promulgated)}, {"Entrée en vigueur", day(d.EntersInForce)}, {"Publication", publication(d)}, {"Version consolidée au", dayIfAny(d.AsOf)}, {"Statut", states[d.Status]}} {
		if line[1] != "" {
			fmt.Fprintf(&b, "- %s : %s\n", line[0], inline(line[1]))
		}
	}
	if t.On != nil {
		fmt.Fprintf(&b, "- Rédaction du : %s\n", law.WriteDate(*t.On))
	}
	for _, notice := range t.notices() {
		fmt.Fprintf(&b, "- Avertissement : %s\n", notice)
	}
	var path []string
	for _, a := range t.own() {
		for depth := countShared(path, a.Path); depth < len(a.Path); depth++ {
			fmt.Fprintf(&b, "\n%s %s\n", strings.Repeat("#", min(depth+2, 5)), inline(a.Path[depth]))
		}
		path = a.Path
		if name := label(a); name != "" {
			fmt.Fprintf(&b, "\n###### %s\n", inline(name))
		}
		b.WriteByte('\n')
		for _, note := range t.notes(a) {
			fmt.Fprintf(&b, "> %s\n\n", inline(note))
		}
		for _, alinea := range Alineas(a.Text) {
			fmt.Fprintf(&b, "%s\n\n", block(alinea))
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// notices are what a reader is warned of.
func (t LegalText) notices() (list []string) {
	if t.On != nil {
		if later := t.Document.LaterNotice(*t.On); later != "" {
			list = append(list, later)
		}
	}
	if t.assembled() {
		list = append(list, law.AssembledNotice)
	}
	return list
}

// states maps a status to its French name.
var states = map[law.Status]string{law.InForce: "en vigueur", law.Repealed: "abrogé", law.Amended: "modifié"}

// countShared returns the length of the common prefix of two paths.
func countShared(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// label returns the heading of an article, such as « Article 12 – Du préavis », or of an
// unnumbered part.
func label(a law.Article) string {
	number := a.Number
	if number != "" && !strings.HasPrefix(number, "Annexe") {
		number = "Article " + number
	}
	switch {
	case number == "":
		return a.Heading
	case a.Heading == "":
		return number
	}
	return number + " – " + a.Heading
}

// Alineas returns the nonblank lines of a text, without the blanks around them.
func Alineas(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// inline writes a text on one line and escapes it for Markdown.
func inline(s string) string { return markdown.Escape(strings.Join(strings.Fields(s), " ")) }

// block escapes the beginning of a paragraph, where « 1. », « - », « + » and « # » would
// begin a list or a heading.
func block(s string) string {
	s = markdown.Escape(s)
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') {
		return s[:digits] + "\\" + s[digits:]
	}
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") || strings.HasPrefix(s, "=") {
		return "\\" + s
	}
	return s
}

func dayIfAny(t *time.Time) string {
	if t == nil {
		return ""
	}
	return day(*t)
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// The objects of the JSON format. The names are those of the public API.
type (
	jsonText struct {
		ID             uuid.UUID      `json:"id"`
		Title          string         `json:"title"`
		Type           law.DocType    `json:"doc_type"`
		Nature         string         `json:"nature"`
		Domain         string         `json:"domaine"`
		OfficialNumber string         `json:"numero_officiel"`
		Promulgated    string         `json:"date_promulgation"`
		EntersInForce  string         `json:"date_entree_vigueur"`
		Status         law.Status     `json:"statut"`
		RepealedBy     *uuid.UUID     `json:"abroge_par"`
		FirstPage      int            `json:"first_page"`
		LastPage       int            `json:"last_page"`
		Articles       []jsonArticle  `json:"articles"`
		Relations      []jsonRelation `json:"relations"`
		Evidence       []law.Evidence `json:"evidence"`
		On             string         `json:"date,omitempty"` // day whose wording the articles have
		Gazette        *law.Gazette   `json:"gazette,omitempty"`
	}
	jsonArticle struct {
		ID        uuid.UUID        `json:"id"`
		Number    string           `json:"number"`
		Heading   string           `json:"heading"`
		Path      []string         `json:"path"`
		Page      int              `json:"page"`
		Position  int              `json:"position"`
		ValidFrom *string          `json:"valid_from"`
		ValidTo   *string          `json:"valid_to"`
		EndedBy   *law.RelationRef `json:"ended_by"`
		Replaces  *law.Replaced    `json:"replaces"` // for a new wording: the article of another text that it replaces
		Text      string           `json:"text"`
		By        *jsonChange      `json:"assembled_by,omitempty"` // act that made the wording of the day
	}
	jsonChange struct {
		Document     uuid.UUID     `json:"document_id"`
		Title        string        `json:"title"`
		Instructions []Instruction `json:"instructions"`
		Notice       string        `json:"notice"`
	}
	jsonRelation struct {
		Type     law.RelationKind `json:"type"`
		Article  uuid.UUID        `json:"article_id"` // article that makes the change
		DocType  law.DocType      `json:"target_doc_type"`
		Number   string           `json:"target_numero_officiel"`
		Title    string           `json:"target_title"`
		Articles []string         `json:"target_articles"`
		Document *uuid.UUID       `json:"target_document_id"`
		Date     string           `json:"date"`
	}
)

// JSON writes a text as one JSON object.
func JSON(w io.Writer, t LegalText) error {
	d := t.Document
	out := jsonText{ID: d.ID, Title: d.Title, Type: d.Type, Nature: d.Nature, Domain: d.Domain, OfficialNumber: d.OfficialNumber, Promulgated: day(d.Promulgated),
		EntersInForce: day(d.EntersInForce), Status: d.Status, Gazette: d.Gazette, RepealedBy: d.RepealedBy, FirstPage: d.FirstPage, LastPage: d.LastPage,
		Articles: []jsonArticle{}, Relations: []jsonRelation{}, Evidence: append([]law.Evidence{}, t.Evidence...)}
	if t.On != nil {
		out.On = day(*t.On)
	}
	for _, a := range t.Articles {
		shown := jsonArticle{a.ID, a.Number, a.Heading, append([]string{}, a.Path...), a.Page, a.Position,
			maybe(a.ValidFrom), maybe(a.ValidTo), nil, a.Wording.Replaced(), a.Text, nil}
		if c, ok := t.wordingOf(a.ID); ok {
			shown.By = &jsonChange{c.Act, c.Title, append([]Instruction{}, c.Instructions...), law.AssembledNotice}
		}
		if relationRef, ended := t.Ended[a.ID]; ended {
			shown.EndedBy = &relationRef
		}
		out.Articles = append(out.Articles, shown)
	}
	for _, r := range t.Relations {
		out.Relations = append(out.Relations, jsonRelation{r.Kind, r.SourceArticle, r.TargetType, r.TargetNumber, r.TargetTitle,
			append([]string{}, r.TargetArticles...), r.TargetID, day(r.Effective)})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func maybe(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(day(*t))
}

// publication writes the issue that prints a text, and the page in its file; "" if it is not known.
func publication(d law.Document) string {
	if d.Gazette == nil {
		return ""
	}
	return fmt.Sprintf("%s, p. %d", d.Gazette.Cite(), d.FirstPage)
}

// body groups articles under their headings.
type body struct {
	root node
	open []*node  // open divisions, outermost first
	path []string // headings of the open divisions

	notes func(law.Article) []string
	ids   map[string]int
	named map[uuid.UUID]string // eIds of the articles
	// periods are the temporal groups of articles that acts have changed, by article.
	periods map[uuid.UUID]string
}

// parts lists the first words of headings with Akoma Ntoso's element for the division. A
// word comes before shorter words that are its prefixes.
var parts = [][2]string{{"sous-section", "subsection"}, {"sous section", "subsection"}, {"sous-chapitre", "subchapter"}, {"sous-titre", "subtitle"},
	{"partie", "part"}, {"livre", "book"}, {"titre", "title"}, {"chapitre", "chapter"}, {"section", "section"}, {"paragraphe", "hcontainer"}}

// id returns an eId that is unique in the text.
func (b *body) id(base string) string { return address.Unique(b.ids, base) }

// article adds an article to the division of its headings, and opens and closes divisions
// as needed.
func (b *body) article(a law.Article) {
	keep := countShared(b.path, a.Path)
	b.open = b.open[:keep]
	for _, heading := range a.Path[keep:] {
		n := b.division(heading)
		b.holder().add(n)
		b.open = append(b.open, n)
	}
	b.path = a.Path
	b.holder().add(b.leaf(a))
}

func (b *body) holder() *node {
	if len(b.open) == 0 {
		return &b.root
	}
	return b.open[len(b.open)-1]
}

// division returns the element for a heading. « CHAPITRE II – Du préavis » has a number and
// a heading; text without a known first word is only a heading.
func (b *body) division(heading string) *node {
	heading = OneLine(heading)
	folded := law.Fold(heading)
	for _, p := range parts {
		if folded != p[0] && !strings.HasPrefix(folded, p[0]+" ") {
			continue
		}
		number, title := cutHeading(heading)
		n := el(p[1], el("num", words(number))).with("eId", b.id(p[1]+"_"+address.Slug(number)))
		if p[1] == "hcontainer" {
			n.with("name", "paragraphe")
		}
		if title != "" {
			n.add(el("heading", words(title)))
		}
		return n
	}
	return el("hcontainer", el("heading", words(heading))).with("name", "division", "eId", b.id("division_"+address.Slug(heading)))
}

// cutHeading splits « TITRE II : DES CONTRATS » into the number and the title.
func cutHeading(heading string) (number, title string) {
	for i, r := range heading {
		if strings.ContainsRune(":–—", r) || r == '-' && i > 0 && heading[i-1] == ' ' {
			return strings.TrimSpace(heading[:i]), strings.TrimSpace(strings.TrimLeft(heading[i:], ":–—- "))
		}
	}
	return heading, ""
}

// leaf returns the element for an article, or for an unnumbered part between articles.
func (b *body) leaf(a law.Article) *node {
	name, kind, base := "article", "", "art_"+address.Slug(a.Number)
	switch {
	case strings.HasPrefix(a.Number, "Annexe"):
		name, kind, base = "hcontainer", "annexe", address.Slug(a.Number)
	case a.Number == "":
		name, kind, base = "hcontainer", "texte", "texte_"+address.Slug(a.Heading)
	}
	b.named[a.ID] = b.id(base)
	n := el(name).with("eId", b.named[a.ID])
	if kind != "" {
		n.with("name", kind)
	}
	if period := b.periods[a.ID]; period != "" {
		n.with("period", "#"+period)
	}
	if a.Number != "" {
		num := el("num", words(number(a)))
		for i, note := range b.notes(a) { // not part of the article's text, so it becomes a note at the number
			num.add(el("authorialNote", el("p", words(note))).with("marker", strings.Repeat("*", i+1), "placement", "bottom",
				"eId", b.id(b.named[a.ID]+"__authorialnote")))
		}
		n.add(num)
	}
	if a.Heading != "" {
		n.add(el("heading", words(OneLine(a.Heading))))
	}
	content := el("content", paragraphs(a.Text)...)
	if len(content.children) == 0 {
		content.add(el("p"))
	}
	n.add(content)
	return n
}

func number(a law.Article) string {
	if strings.HasPrefix(a.Number, "Annexe") {
		return OneLine(a.Number)
	}
	return "Article " + OneLine(a.Number)
}

// own returns the text's own articles, without the new wordings that it gives to other
// texts: these are printed as part of the articles that quote them.
func (t LegalText) own() (list []law.Article) {
	for _, a := range t.Articles {
		if a.Wording == nil {
			list = append(list, a)
		}
	}
	return list
}

// notes returns what a reader must know about an article: the act that made its wording, the day from which it is no
// longer in force, and the days from which its new wordings apply to other articles.
func (t LegalText) notes(a law.Article) (list []string) {
	if c, ok := t.wordingOf(a.ID); ok {
		list = append(list, c.said())
	}
	if a.ValidTo != nil {
		list = append(list, "Article "+t.end(a, ""))
	}
	for _, n := range t.Articles {
		if n.Wording == nil || n.Wording.Within != a.ID {
			continue
		}
		r := n.Wording.Replaced()
		note := fmt.Sprintf("Article %s : nouvelle rédaction de l’article %s de « %s »", n.Number, r.Article, OneLine(r.Title))
		if r.Type == law.Inserts {
			note = fmt.Sprintf("Article %s : article inséré dans « %s »", n.Number, OneLine(r.Title))
		}
		if n.ValidFrom != nil {
			note += ", en vigueur à compter du " + law.WriteDate(*n.ValidFrom)
		}
		if n.ValidTo != nil {
			note += ", " + t.end(n, "e")
		}
		list = append(list, note)
	}
	return list
}

// end describes the end of an article: « remplacé à compter du 1er juillet 2025 par : Loi
// n° … ». gender is the ending of the participle: "", or « e » for the feminine.
func (t LegalText) end(a law.Article, gender string) string {
	day := law.WriteDate(*a.ValidTo)
	relationRef, known := t.Ended[a.ID]
	switch {
	case !known:
		return "qui n’est plus en vigueur à compter du " + day
	case relationRef.Type == law.RepealedBy:
		return "abrogé" + gender + " à compter du " + day + " par : " + OneLine(relationRef.Title)
	}
	return "remplacé" + gender + " à compter du " + day + " par : " + OneLine(relationRef.Title)
}

// Docx writes a text as a file for Word.
func Docx(w io.Writer, t LegalText) error {
	var b bytes.Buffer
	if err := Markdown(&b, t); err != nil {
		return err
	}
	return paper.Docx(w, paper.Paper{Title: OneLine(t.Document.Title), Foot: paper.Foot(law.WriteDate(t.Day)), Made: t.Day, Markdown: b.Bytes()})
}
