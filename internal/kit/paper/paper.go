// Package paper writes Markdown as a file for Word (.docx).
//
// It understands CommonMark. A line break within a paragraph is kept, because the lines of a law are its alinéas. HTML
// in the Markdown is written as text. The same paper gives the same bytes.
package paper

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Paper is a document to write.
type Paper struct {
	Title    string
	Foot     string // at the foot of each page, beside its number
	Made     time.Time
	Markdown []byte
}

// Foot returns the footer of the papers of a day, which is given in French.
func Foot(day string) string { return "Vigueur, le " + day + ". Seule la gazette fait foi." }

// block is a heading, a paragraph or an item of a list.
type block struct {
	level  int    // of a heading, from 1; 0: none
	quoted int    // depth of quotation
	depth  int    // depth of lists, 0 outside
	mark   string // of an item: « • » or « 3. »; "" for its further paragraphs
	runs   []run
}

// run is a piece of text of one kind.
type run struct {
	text         string // "\n" is a line break
	bold, italic bool
	link         string
}

// blocks parses Markdown.
func blocks(source []byte) []block {
	source = shallow(source)
	r := reader{source: source}
	r.children(goldmark.DefaultParser().Parse(text.NewReader(source)), block{})
	return r.out
}

type reader struct {
	source []byte
	out    []block
}

// children reads the blocks within a block. in has the depths, and the mark of the first.
func (r *reader) children(n ast.Node, in block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.block(c, in)
		in.mark = ""
	}
}

func (r *reader) block(n ast.Node, in block) {
	switch n := n.(type) {
	case *ast.Heading:
		in.level = n.Level
		r.add(in, r.inline(n, run{}))
	case *ast.Blockquote:
		in.quoted++
		r.children(n, in)
	case *ast.List:
		in.depth++
		for i, c := n.Start, n.FirstChild(); c != nil; i, c = i+1, c.NextSibling() {
			in.mark = "•"
			if n.IsOrdered() {
				in.mark = strconv.Itoa(i) + "."
			}
			r.children(c, in)
		}
	case *ast.ThematicBreak:
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		var b strings.Builder
		lines := n.Lines()
		for i := range lines.Len() {
			line := lines.At(i)
			b.Write(line.Value(r.source))
		}
		r.add(in, []run{{text: strings.TrimRight(b.String(), "\n")}})
	default:
		if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
			r.children(n, in)
			return
		}
		r.add(in, r.inline(n, run{}))
	}
}

func (r *reader) add(b block, runs []run) {
	blank := true
	for i := range runs {
		runs[i].text = printable(runs[i].text)
		blank = blank && strings.TrimSpace(runs[i].text) == ""
	}
	if blank {
		return
	}
	b.runs = runs
	r.out = append(r.out, b)
}

// inline reads the text within a node; as has the style of the surrounding text.
func (r *reader) inline(n ast.Node, as run) (runs []run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := as
		switch c := c.(type) {
		case *ast.Text:
			inner.text = string(c.Value(r.source))
			if !c.IsRaw() {
				inner.text = plain(inner.text)
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				inner.text += "\n"
			}
			runs = append(runs, inner)
			continue
		case *ast.String:
			inner.text = string(c.Value)
			runs = append(runs, inner)
			continue
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				s := c.Segments.At(i)
				inner.text += string(s.Value(r.source))
			}
			runs = append(runs, inner)
			continue
		case *ast.AutoLink:
			inner.text, inner.link = string(c.Label(r.source)), string(c.URL(r.source))
			runs = append(runs, inner)
			continue
		case *ast.Emphasis:
			inner.bold, inner.italic = as.bold || c.Level > 1, as.italic || c.Level == 1
		case *ast.Link:
			inner.link = string(c.Destination)
		}
		runs = append(runs, r.inline(c, inner)...)
	}
	return runs
}

// plain returns a text without the backslashes and character references of Markdown
// (CommonMark 0.31, 2.4 and 2.5).
func plain(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch end := strings.IndexByte(s[i:], ';'); {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case s[i] == '&' && end > 0:
			b.Write(util.ResolveEntityNames(util.ResolveNumericReferences([]byte(s[i : i+end+1]))))
			i += end
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// printable returns a text without the characters that XML 1.0 does not admit.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r >= ' ' && r < 0xd800 || r >= 0xe000 && r <= 0xfffd:
			return r
		case r > 0xffff:
			return '\ufffd'
		}
		return -1
	}, s)
}

// deepest is how deep quotations and lists may nest within a line.
const deepest = 16

// shallow returns Markdown without the marks of quotations and lists beyond the deepest of each
// line: the parser takes time by the square of their number.
func shallow(markdown []byte) []byte {
	out := make([]byte, 0, len(markdown))
	for text := range bytes.Lines(markdown) {
		pos, kept := 0, 0
		for n := 0; ; n++ {
			m := blockMark(text[pos:])
			if m == 0 {
				break
			}
			if pos += m; n < deepest {
				kept = pos
			}
		}
		out = append(append(out, text[:kept]...), text[pos:]...)
	}
	return out
}

// blockMark returns the length of the mark of a quotation or a list at the beginning of a line, with the blanks around
// it; 0 if there is none.
func blockMark(text []byte) int {
	blanks := func(pos int) int {
		for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t') {
			pos++
		}
		return pos
	}
	index := blanks(0)
	figures := index
	for figures < len(text) && text[figures] >= '0' && text[figures] <= '9' {
		figures++
	}
	switch {
	case index < len(text) && text[index] == '>':
		return blanks(index + 1)
	case figures > index && figures < len(text) && (text[figures] == '.' || text[figures] == ')'):
		index = figures + 1
	case index < len(text) && (text[index] == '-' || text[index] == '+' || text[index] == '*'):
		index++
	default:
		return 0
	}
	if end := blanks(index); end > index {
		return end
	}
	return 0
}

// The parts of the file that do not depend on the paper: Office Open XML (ECMA-376, part 1).
const (
	contentTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
	packageRels  = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`
	documentRels = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer" Target="footer1.xml"/></Relationships>`
	wordSpace    = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	styleBegin   = xml.Header + `<w:styles ` + wordSpace + `><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif" w:cs="Times New Roman"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="fr-FR"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>`
	pageSetup    = `<w:sectPr><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1247" w:right="1247" w:bottom="1247" w:left="1247" w:header="708" w:footer="567" w:gutter="0"/></w:sectPr>`
)

// headings are the sizes of headings by their level, in half points.
var headings = [...]int{34, 28, 26, 24, 22, 22}

// Docx writes a paper as a file for Word.
func Docx(w io.Writer, p Paper) error {
	z := zip.NewWriter(w)
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"[Content_Types].xml", whole(contentTypes)}, {"_rels/.rels", whole(packageRels)}, {"word/_rels/document.xml.rels", whole(documentRels)},
		{"docProps/core.xml", whole(core(p))}, {"word/styles.xml", whole(styles())}, {"word/footer1.xml", whole(footer(p))}, {"word/document.xml", document(p)},
	} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: p.Made.UTC()})
		if err != nil {
			return fmt.Errorf("paper: %w", err)
		}
		if err := part.write(f); err != nil {
			return fmt.Errorf("paper: %w", err)
		}
	}
	return z.Close()
}

func whole(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(printable(s))) // a strings.Builder does not fail
	return b.String()
}

func core(p Paper) string {
	place := p.Made.UTC().Format(time.RFC3339)
	return xml.Header + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>` +
		escape(p.Title) + `</dc:title><dc:creator>Vigueur</dc:creator><dc:language>fr-FR</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">` + place +
		`</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">` + place + `</dcterms:modified></cp:coreProperties>`
}

func styles() string {
	var b strings.Builder
	b.WriteString(styleBegin)
	for i, size := range headings {
		fmt.Fprintf(&b, `<w:style w:type="paragraph" w:styleId="Heading%d"><w:name w:val="heading %d"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="%d"/></w:pPr><w:rPr><w:b/><w:sz w:val="%d"/><w:szCs w:val="%[4]d"/></w:rPr></w:style>`,
			i+1, i+1, i, size)
	}
	b.WriteString(`</w:styles>`)
	return b.String()
}

func footer(p Paper) string {
	field := func(name string) string {
		return `<w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:instrText>` + name + `</w:instrText></w:r><w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:fldChar w:fldCharType="end"/></w:r>`
	}
	text := func(s string) string {
		return `<w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:t xml:space="preserve">` + escape(s) + `</w:t></w:r>`
	}
	return xml.Header + `<w:ftr ` + wordSpace + `><w:p><w:pPr><w:tabs><w:tab w:val="right" w:pos="9412"/></w:tabs></w:pPr>` + text(p.Foot) +
		`<w:r><w:tab/></w:r>` + field("PAGE") + text(" / ") + field("NUMPAGES") + `</w:p></w:ftr>`
}

// indent is how far one depth of a list or of a quotation is set in, in twentieths of a point.
const indent = 360

func document(p Paper) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, xml.Header+`<w:document `+wordSpace+`><w:body>`); err != nil {
			return err
		}
		for _, block := range blocks(p.Markdown) {
			if _, err := io.WriteString(w, paragraph(block)); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, pageSetup+`</w:body></w:document>`)
		return err
	}
}

func paragraph(of block) string {
	var b strings.Builder
	b.WriteString(`<w:p><w:pPr>`)
	if of.level > 0 {
		fmt.Fprintf(&b, `<w:pStyle w:val="Heading%d"/>`, min(of.level, len(headings)))
	}
	if left := indent * (of.quoted + of.depth); left > 0 {
		hanging := ""
		if of.mark != "" {
			hanging = fmt.Sprintf(` w:hanging="%d"`, indent)
		}
		fmt.Fprintf(&b, `<w:ind w:left="%d"%s/>`, left, hanging)
	}
	b.WriteString(`</w:pPr>`)
	if of.mark != "" {
		b.WriteString(`<w:r><w:t>` + escape(of.mark) + `</w:t><w:tab/></w:r>`)
	}
	for _, one := range of.runs {
		b.WriteString(one.word(of.quoted > 0))
	}
	b.WriteString(`</w:p>`)
	return b.String()
}

// word returns a run as WordprocessingML; soft sets it as a quotation is.
func (r run) word(soft bool) string {
	var b strings.Builder
	link := r.link != "" && !strings.ContainsAny(r.link, `"\`)
	if link {
		b.WriteString(`<w:fldSimple w:instr="` + escape(` HYPERLINK "`+r.link+`" `) + `">`)
	}
	b.WriteString(`<w:r><w:rPr>`)
	for _, of := range []struct {
		on  bool
		tag string
	}{{r.bold, `<w:b/>`}, {r.italic, `<w:i/>`}, {link, `<w:color w:val="1F3A5F"/>`}, {!link && soft, `<w:color w:val="404040"/>`}, {link, `<w:u w:val="single"/>`}} {
		if of.on {
			b.WriteString(of.tag)
		}
	}
	b.WriteString(`</w:rPr>`)
	for i, line := range strings.Split(r.text, "\n") {
		if i > 0 {
			b.WriteString(`<w:br/>`)
		}
		if line != "" {
			b.WriteString(`<w:t xml:space="preserve">` + escape(line) + `</w:t>`)
		}
	}
	b.WriteString(`</w:r>`)
	if link {
		b.WriteString(`</w:fldSimple>`)
	}
	return b.String()
}
