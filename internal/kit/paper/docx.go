package paper

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

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
