package officetext

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

const (
	wordName = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	wordHead = `<?xml version="1.0"?><w:document ` + wordName + ` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>`
	wordTail = `</w:body></w:document>`
	openHead = `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>`
	openTail = `</office:text></office:body></office:document-content>`
)

// wordRun is a run of Office Open XML with properties, openStyle a style of OpenDocument.
func wordRun(properties, words string) string {
	return `<w:r><w:rPr>` + properties + `</w:rPr><w:t xml:space="preserve">` + words + `</w:t></w:r>`
}

func openStyle(family, name, base, display string) string {
	return `<s:style xmlns:s="s" s:family="` + family + `" s:name="` + name + `" s:parent-style-name="` + base + `"><s:text-properties text:display="` + display + `" xmlns:text="t"/></s:style>`
}

// archive packs parts: names and contents.
func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		data []byte
		want string
		kind errs.Kind
	}{
		"word": {data: archive(t, "word/document.xml", wordHead+`<w:p><w:pPr><w:t>style</w:t></w:pPr><w:r><w:t xml:space="preserve">L’article </w:t></w:r><w:r><w:t>5</w:t><w:tab/><w:t>dit</w:t><w:br/><w:t>ceci.</w:t></w:r><w:del><w:r><w:t>effacé</w:t><w:delText>effacé</w:delText></w:r></w:del></w:p>`+
			`<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>Une fois</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>deux fois</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`+wordTail,
			"word/footnotes.xml", wordHead+`<w:p><w:r><w:t>Une note.</w:t></w:r></w:p>`+wordTail), want: "L’article 5\tdit\nceci.\n\nUne fois\n\nUne note."},
		"open document": {data: archive(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", openHead+`<text:tracked-changes><text:p>effacé</text:p></text:tracked-changes><text:h>Titre</text:h><text:p>L’article<text:s text:c="2"/>5 <text:span>dit</text:span><text:line-break/>ceci.<office:annotation><text:p>remarque</text:p></office:annotation></text:p>`+openTail), want: "Titre\n\nL’article  5 dit\nceci."},
		"what Word hides": {data: archive(t, "word/styles.xml", `<w:styles `+wordName+`><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Loin"><w:basedOn w:val="Base"/></w:style></w:styles>`,
			"word/document.xml", wordHead+`<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>`+wordRun(``, "à la fin ")+wordRun(`<w:vanish/>`, "caché")+wordRun(`<w:rStyle w:val="Loin"/>`, "caché")+
				wordRun(`<w:rStyle w:val="Loin"/><w:vanish w:val="0"/>`, "montré ")+wordRun(`<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>`, "encore")+`</w:p>`+
				`<w:p><w:pPr><w:pStyle w:val="Loin"/></w:pPr>`+wordRun(``, "caché")+wordRun(`<w:rStyle w:val="Base"/>`, "deux fois")+`</w:p>`+wordTail), want: "à la fin montré encore\n\ndeux fois"},
		"boxes of Word": {data: archive(t, "word/document.xml", wordHead+`<w:p>`+wordRun(``, "Une phrase ")+`<w:r><w:pict><w:txbxContent><w:p>`+wordRun(``, "PROJET")+`</w:p></w:txbxContent></w:pict></w:r>`+wordRun(``, "entière.")+`</w:p><w:p>`+wordRun(``, "Suite.")+`</w:p>`+wordTail),
			want: "Une phrase entière.\n\nPROJET\n\nSuite."},
		"notes and boxes of an open document": {data: archive(t, "content.xml", openHead+`<text:p>L’article 36<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Pièce n° 4.</text:p></text:note-body></text:note> du code`+
			`<draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><svg:title xmlns:svg="s">Dessin</svg:title><draw:text-box><text:p>PROJET</text:p></draw:text-box></draw:frame> du travail.</text:p><text:p>Suite.</text:p>`+openTail),
			want: "L’article 36 du code du travail.\n\nPROJET\n\nSuite.\n\nPièce n° 4."},
		"what an open document hides": {data: archive(t, "styles.xml", `<a>`+openStyle("text", "Loin", "", "none")+`</a>`, "content.xml", strings.Replace(openHead, "<office:body>", openStyle("text", "T1", "Loin", "")+openStyle("paragraph", "T1", "", "true")+"<office:body>", 1)+
			`<text:p text:style-name="T1">Montré<text:span text:style-name="T1"> caché</text:span>.</text:p><text:section text:display="none"><text:p>caché</text:p></text:section>`+openTail), want: "Montré."},
		"no text":              {data: archive(t, "word/document.xml", wordHead+wordTail)},
		"another archive":      {data: archive(t, "xl/workbook.xml", "<a/>"), kind: errs.Unprocessable},
		"no archive":           {data: []byte("PK\x03\x04 rien"), kind: errs.Unprocessable},
		"cut off":              {data: archive(t, "word/document.xml", wordHead+wordTail)[:150], kind: errs.Unprocessable},
		"broken":               {data: archive(t, "word/document.xml", wordHead+`<w:p></w:r>`), kind: errs.Unprocessable},
		"entities":             {data: archive(t, "word/document.xml", `<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>`), kind: errs.Unprocessable},
		"bomb":                 {data: archive(t, "word/document.xml", wordHead+strings.Repeat(" ", 4<<20)+wordTail), kind: errs.TooLarge},
		"attributes":           {data: archive(t, "word/document.xml", wordHead+`<w:p `+attributes(13<<20)+`/>`+wordTail), kind: errs.TooLarge},
		"attributes that hide": {data: archive(t, "word/document.xml", wordHead+`<!-- > <b x=" --><w:p k=" > " `+attributes(1<<20)+`/>`+wordTail), kind: errs.TooLarge},
		"a long comment":       {data: archive(t, "word/document.xml", wordHead+`<!--`+long(1<<20)+`-->`+wordTail), kind: errs.TooLarge},
		"marks in text":        {data: archive(t, "word/document.xml", wordHead+`<!-- it's > "a" <b --><w:p w:a='">"' ><w:r><w:t>a > "b'<![CDATA[<c x="]]></w:t></w:r></w:p><?x '?>`+wordTail), want: `a > "b'<c x="`},
		"deep":                 {data: archive(t, "content.xml", openHead+strings.Repeat("<a>", 1000)), kind: errs.TooLarge},
		"long":                 {data: archive(t, "content.xml", openHead+"<text:p>"+long(mostText+10)+"</text:p>"+openTail), kind: errs.TooLarge},
		"many parts":           {data: archive(t, many(mostEntries+1)...), kind: errs.TooLarge},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, err := Read(t.Context(), f)
			var known *errs.Error
			switch {
			case c.kind == 0 && (err != nil || got != c.want):
				t.Errorf("%q, %v", got, err)
			case c.kind != 0 && (!errors.As(err, &known) || known.Kind != c.kind || known.Public == ""):
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// long returns text that packs badly enough to be no bomb by its ratio.
func long(n int) string {
	var b strings.Builder
	for i := uint64(1); b.Len() < n; i++ {
		fmt.Fprintf(&b, "%x ", i*0x9e3779b97f4a7c15)
	}
	return b.String()
}

// attributes are the attributes of a tag, of n bytes together.
func attributes(n int) string {
	var b strings.Builder
	for i := uint64(1); b.Len() < n; i++ {
		fmt.Fprintf(&b, `a%x="%x" `, i, i*0x9e3779b97f4a7c15)
	}
	return b.String()
}

func many(n int) (parts []string) {
	for i := range n {
		parts = append(parts, fmt.Sprint(i), "")
	}
	return parts
}

func FuzzExtract(f *testing.F) {
	f.Add(archive(f, "word/document.xml", wordHead+`<w:p><w:r><w:t>a</w:t></w:r></w:p>`+wordTail))
	f.Add(archive(f, "content.xml", openHead+`<text:p>a<text:s text:c="-4"/></text:p>`+openTail))
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := extract(data); err == nil && len(text) > mostText {
			t.Errorf("%d bytes", len(text))
		}
	})
}
