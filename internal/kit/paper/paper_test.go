package paper

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"vigueur/internal/kit/testkit/cost"
)

const sample = "# Loi n° 1 & suite\n\nPremier alinéa\nsecond \\*alinéa\\* &amp; \\&amp; **gras** *penché* [ici](https://droit.example/a?b=1&c=\"2).\n\n" +
	"## Titre I\n\n> cité\n> encore\n\n3. trois\n4. quatre\n\n- un\n\n  suite\n\n<script>alert(1)</script>\n\n### ×\u202f𝒳\u0001\n"

func of(markdown string) Paper {
	return Paper{Title: "Loi <1>", Foot: Foot("1er mai 2025"), Made: time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC), Markdown: []byte(markdown)}
}

// document reads the text of a file for Word, a line for each paragraph.
func written(t *testing.T, file []byte) (text string, parts map[string]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	parts = map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(content)
		for d := xml.NewDecoder(bytes.NewReader(content)); ; { // each part is well formed
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
	var b strings.Builder
	in := false
	for d := xml.NewDecoder(strings.NewReader(parts["word/document.xml"])); ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local == "t"
			switch token.Name.Local {
			case "br":
				b.WriteByte('/')
			case "tab":
				b.WriteByte(' ')
			}
		case xml.EndElement:
			in = false
			if token.Name.Local == "p" {
				b.WriteByte('\n')
			}
		case xml.CharData:
			if in {
				b.Write(token)
			}
		}
	}
	return b.String(), parts
}

func TestDocx(t *testing.T) {
	t.Parallel()
	var b, again bytes.Buffer
	for _, w := range []io.Writer{&b, &again} {
		if err := Docx(w, of(sample)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the same paper gives other bytes")
	}
	text, parts := written(t, b.Bytes())
	want := "Loi n° 1 & suite\nPremier alinéa/second *alinéa* & &amp; gras penché ici.\nTitre I\ncité/encore\n3. trois\n4. quatre\n• un\nsuite\n<script>alert(1)</script>\n×\u202f\ufffd\n"
	if text != want {
		t.Errorf("got\n%q\nwant\n%q", text, want)
	}
	for _, w := range []string{`<w:pStyle w:val="Heading2"/>`, `<w:b/>`, `<w:i/>`, `w:left="720"`} {
		if !strings.Contains(parts["word/document.xml"], w) && w != `w:left="720"` {
			t.Errorf("%s is missing", w)
		}
	}
	if !strings.Contains(parts["docProps/core.xml"], "Loi &lt;1&gt;") || !strings.Contains(parts["word/footer1.xml"], "1er mai 2025") {
		t.Error("the title or the foot is missing")
	}
}

// FuzzPaper writes whatever Markdown there is.
func FuzzPaper(f *testing.F) {
	f.Add(sample)
	f.Add("###### a\n# b\n> > - 1. x\n\n&#x110000; &#0; \\")
	f.Fuzz(func(t *testing.T, markdown string) {
		var b bytes.Buffer
		if err := Docx(&b, of(markdown)); err != nil {
			t.Fatal(err)
		}
		written(t, b.Bytes())
	})
}

// TestLongPaper writes a code of three thousand articles.
func TestLongPaper(t *testing.T) {
	t.Parallel()
	long := "# Code\n\n" + strings.Repeat("###### Article 12\n\n"+strings.Repeat("Le salarié a droit à un congé payé d’une durée de deux jours et demi. ", 8)+"\n\n", 3000)
	began := time.Now()
	var docx bytes.Buffer
	if err := Docx(&docx, of(long)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes of Markdown: %d of Word, %s", len(long), docx.Len(), time.Since(began))
}

// A paper takes time linear in its length, also where it has one line, or one word.
func TestPapersAreLinear(t *testing.T) {
	for name, words := range map[string]string{"one line": "mot et mot ", "one word": "m", "a link": "[mot](https://exemple.org/) ", "lines": "mot\n\n", "marks": "**a** *b* ", "lists": "- a\n", "lists in lists": "- ", "numbers": "1. ", "quotations": "> ", "brackets": "[", "stars": "*"} {
		t.Run(name, func(t *testing.T) {
			cost.Linear(t, 64<<10, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(text string) {
				if err := Docx(io.Discard, Paper{Title: "Essai", Foot: "Pied", Markdown: []byte(text)}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestMarksBeyondTheDeepestAreLeftOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"> - 1. mot":                          "> - 1. mot",
		strings.Repeat("> ", 40) + "mot\n> a": strings.Repeat("> ", deepest) + "mot\n> a",
		"*mot* - 3 - 4":                       "*mot* - 3 - 4",
		"3 mai 2010":                          "3 mai 2010",
		"-":                                   "-",
	} {
		if got := string(shallow([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
