package officetext

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"vigueur/internal/kit/errs"
)

// Bounds on what a file may hold.
const (
	mostEntries = 5000     // parts of the archive: text, pictures, fonts
	mostPart    = 64 << 20 // bytes of a part that is read, unpacked
	mostDepth   = 256      // nested elements
	mostRatio   = 200      // unpacked to packed bytes of a part; the XML of word processors reaches some 30
	ratioFrom   = 1 << 20  // bytes below which a part's ratio does not matter
	mostMarkup  = 64 << 10 // bytes of a tag with its attributes, and of each other piece of markup; the decoder takes many times as many for one
	mostSpaces  = 1000     // spaces that one element stands for
)

// Namespaces, of which other editions of the formats have others that end the same way.
const (
	wordSpace = "/wordprocessingml/"
	textSpace = ":opendocument:xmlns:text:"
)

var errBomb = errs.New(errs.TooLarge, "Le document, une fois décompressé, est trop grand pour être lu.")

// extract returns the text of a file.
func extract(data []byte) (string, error) {
	if len(data) > mostFile {
		return "", errs.New(errs.TooLarge, "Le document est trop grand pour être lu.")
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	if len(archive.File) > mostEntries {
		return "", errBomb
	}
	parts := map[string]*zip.File{}
	for _, f := range archive.File {
		if parts[f.Name] == nil {
			parts[f.Name] = f
		}
	}
	var w writer
	switch {
	case parts["word/document.xml"] != nil:
		for _, name := range []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"} {
			if f := parts[name]; f != nil && err == nil {
				err = read(f, &w, w.word)
			}
		}
	case parts["content.xml"] != nil:
		err = read(parts["content.xml"], &w, w.open)
	default:
		return "", errs.New(errs.Unprocessable, "Cette archive n’est pas un document : seuls .docx et .odt en sont.")
	}
	return strings.TrimSpace(w.out.String()), err
}

// read reads a part, element by element.
func read(f *zip.File, w *writer, element func(e xml.StartElement) (skip bool)) error {
	if f.UncompressedSize64 > mostPart || f.UncompressedSize64 > ratioFrom && f.UncompressedSize64/max(1, f.CompressedSize64) > mostRatio {
		return errBomb
	}
	part, err := f.Open()
	if err != nil {
		return err
	}
	defer part.Close()                                                   // nothing was written
	var names []xml.Name                                                 // of open elements
	skipped := 0                                                         // depth of the element that is left out, 0 for none
	d := xml.NewDecoder(&tags{from: &ended{from: part, left: mostPart}}) // sizes that an archive tells may be wrong
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if names = append(names, t.Name); len(names) > mostDepth {
				return errBomb
			}
			if skipped == 0 && element(t) {
				skipped = len(names)
			}
		case xml.EndElement:
			if skipped == 0 {
				w.end(t.Name)
			} else if skipped == len(names) {
				skipped = 0
			}
			names = names[:len(names)-1]
		case xml.CharData:
			if skipped == 0 {
				w.words(string(t))
			}
		}
		if w.out.Len() > mostText {
			return errs.New(errs.TooLarge, "Le texte du document est trop long.")
		}
	}
}

// ended reads up to left bytes, then fails.
type ended struct {
	from io.Reader
	left int
}

func (e *ended) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, errBomb
	}
	n, err := e.from.Read(p[:min(len(p), e.left)])
	e.left -= n
	return n, err
}

// tags reads XML, and fails where a piece of markup is longer than mostMarkup.
type tags struct {
	from io.Reader
	in   string // by what the piece ends that has begun: ">", "?>", "-->" or "]]>"; "": none has
	quot byte   // the mark that ends the attribute's value, 0 outside of values
	n    int    // bytes of the piece so far
	last [9]byte
}

func (t *tags) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	for _, c := range p[:n] {
		if err := t.next(c); err != nil {
			return 0, err
		}
	}
	return n, err
}

var errNested = errors.New("a tag in a declaration, which no document has")

// next looks at a byte.
func (t *tags) next(c byte) error {
	copy(t.last[:], t.last[1:])
	t.last[len(t.last)-1] = c
	following := func(s string) bool { return string(t.last[len(t.last)-len(s):]) == s }
	if t.in == "" {
		if c == '<' {
			t.in, t.n, t.quot = ">", 1, 0
		}
		return nil
	}
	if t.n++; t.n > mostMarkup && t.in != "]]>" { // the words of a CDATA section are bounded as others
		return errBomb
	}
	switch {
	case t.n == 2 && c == '?':
		t.in = "?>"
	case t.n == 4 && following("<!--"):
		t.in = "-->"
	case t.n == 9 && following("<![CDATA["):
		t.in = "]]>"
	case t.in == ">" && t.quot != 0:
		if c == t.quot {
			t.quot = 0
		}
	case t.in == ">" && (c == '"' || c == '\''):
		t.quot = c
	case t.in == ">" && c == '<':
		return errNested
	case following(t.in) && (t.in != "-->" || t.n >= len("<!---->")):
		t.in = ""
	}
	return nil
}

// writer collects paragraphs.
type writer struct {
	out  strings.Builder
	text int // open elements whose words count
}

// words writes words that stand within an element that counts.
func (w *writer) words(s string) {
	if w.text > 0 {
		w.out.WriteString(s)
	}
}

// word begins an element of Office Open XML.
func (w *writer) word(e xml.StartElement) (skip bool) {
	switch name := e.Name.Local; {
	case name == "Fallback": // of another application, beside the same in this one's form
		return true
	case !strings.Contains(e.Name.Space, wordSpace):
	case name == "t":
		w.text++
	case name == "tab":
		w.out.WriteByte('\t')
	case name == "br" || name == "cr":
		w.out.WriteByte('\n')
	case name == "noBreakHyphen":
		w.out.WriteString("‑")
	case name == "del" || name == "moveFrom" || name == "pPr" || name == "rPr":
		return true
	}
	return false
}

// open begins an element of OpenDocument.
func (w *writer) open(e xml.StartElement) (skip bool) {
	switch name := e.Name.Local; {
	case name == "annotation" || name == "tracked-changes":
		return true
	case !strings.Contains(e.Name.Space, textSpace):
	case name == "p" || name == "h":
		w.text++
	case name == "s":
		n := 1
		for _, a := range e.Attr {
			if a.Name.Local == "c" {
				n, _ = strconv.Atoi(a.Value) // 0 for what is no number
			}
		}
		w.out.WriteString(strings.Repeat(" ", max(0, min(n, mostSpaces))))
	case name == "tab":
		w.out.WriteByte('\t')
	case name == "line-break":
		w.out.WriteByte('\n')
	}
	return false
}

// end ends an element.
func (w *writer) end(name xml.Name) {
	word, open := strings.Contains(name.Space, wordSpace), strings.Contains(name.Space, textSpace)
	if word && name.Local == "t" || open && (name.Local == "p" || name.Local == "h") {
		w.text--
	}
	if (word || open) && (name.Local == "p" || open && name.Local == "h") {
		w.out.WriteString("\n\n")
	}
}
