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
	drawSpace = ":opendocument:xmlns:drawing:"
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
	w := writer{out: new(strings.Builder), styles: map[string]style{}}
	names, element := []string{"word/styles.xml", "word/document.xml", "word/footnotes.xml", "word/endnotes.xml"}, w.word
	if parts["word/document.xml"] == nil {
		if names, element = []string{"styles.xml", "content.xml"}, w.open; parts["content.xml"] == nil {
			return "", errs.New(errs.Unprocessable, "Cette archive n’est pas un document : seuls .docx et .odt en sont.")
		}
	}
	for _, name := range names {
		if f := parts[name]; f != nil && err == nil {
			err = read(f, &w, element)
		}
	}
	return strings.TrimSpace(w.out.String() + w.boxes.String() + w.notes.String()), err
}

// read reads a part, element by element.
func read(f *zip.File, w *writer, element func(e xml.StartElement) stand) error {
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
			if skipped != 0 {
				break
			}
			switch where := element(t); where {
			case within:
			case nowhere:
				skipped = len(names)
			default:
				w.asides = append(w.asides, aside{len(names), where, w.out, w.text, w.look})
				w.out, w.text, w.look = new(strings.Builder), 0, look{}
			}
		case xml.EndElement:
			if skipped == 0 {
				w.end(t.Name, len(names))
			} else if skipped == len(names) {
				skipped = 0
			}
			names = names[:len(names)-1]
		case xml.CharData:
			if skipped == 0 {
				w.words(string(t))
			}
		}
		if w.size > mostText {
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

// stand is where the words of an element stand.
type stand int

const (
	within  stand = iota // the words around it
	nowhere              // nobody sees them
	box                  // beside: they follow the paragraph
	note                 // they follow the text
)

// writer collects paragraphs.
type writer struct {
	out          *strings.Builder
	size         int // bytes of all that is written
	text         int // open elements whose words count
	look         look
	styles       map[string]style
	name         string // of the style that is read
	asides       []aside
	boxes, notes strings.Builder
}

// aside is what an element interrupts that stands beside the words or follows them.
type aside struct {
	depth int
	where stand
	out   *strings.Builder
	text  int
	look  look
}

// look is what hides a run of Office Open XML: its own property, which wins, or one of its two styles.
type look struct {
	properties           bool // those of the paragraph are open
	paragraph, character bool
	own                  *bool
}

func (l look) hides() bool {
	if l.own != nil {
		return *l.own
	}
	return l.paragraph != l.character
}

// style is what a style says of hiding words.
type style struct {
	base  string
	hides *bool // nil: what base says
}

// hides reports whether a style hides the words that have it.
func (w *writer) hides(name string) bool {
	for range mostDepth {
		s, known := w.styles[name]
		if !known {
			break
		}
		if s.hides != nil {
			return *s.hides
		}
		name = s.base
	}
	return false
}

// attribute returns the value of an attribute, "" for none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// words writes words that stand within an element that counts.
func (w *writer) words(s string) {
	if w.text > 0 {
		w.write(s)
	}
}

func (w *writer) write(s string) {
	if !w.look.hides() {
		w.out.WriteString(s)
		w.size += len(s)
	}
}

// word begins an element of Office Open XML.
func (w *writer) word(e xml.StartElement) stand {
	value := attribute(e, "val")
	switch name := e.Name.Local; {
	case name == "Fallback": // of another application, beside the same in this one's form
		return nowhere
	case !strings.Contains(e.Name.Space, wordSpace):
	case name == "del" || name == "moveFrom" || name == "pPrChange" || name == "rPrChange" || name == "tblStylePr":
		return nowhere
	case name == "style":
		w.name = attribute(e, "styleId")
		w.styles[w.name] = style{}
	case name == "basedOn":
		w.styles[w.name] = style{value, w.styles[w.name].hides}
	case name == "p":
		w.look = look{}
	case name == "pPr":
		w.look.properties = true
	case name == "pStyle":
		w.look.paragraph = w.hides(value)
	case w.look.properties: // of the paragraph's mark, or no words
	case name == "r":
		w.look.own, w.look.character = nil, false
	case name == "rStyle":
		w.look.character = w.hides(value)
	case name == "vanish":
		hides := value != "0" && value != "false" && value != "off"
		if w.look.own = &hides; w.name != "" {
			w.styles[w.name] = style{w.styles[w.name].base, &hides}
		}
	case name == "txbxContent":
		return box
	case name == "t":
		w.text++
	case name == "tab":
		w.write("\t")
	case name == "br" || name == "cr":
		w.write("\n")
	case name == "noBreakHyphen":
		w.write("‑")
	}
	return within
}

// open begins an element of OpenDocument.
func (w *writer) open(e xml.StartElement) stand {
	name, family := e.Name.Local, "text/"
	if name == "p" || name == "h" {
		family = "paragraph/"
	}
	switch {
	case name == "annotation" || name == "tracked-changes" || name == "covered-table-cell":
		return nowhere
	case name == "style":
		family = attribute(e, "family") + "/"
		w.name = family + attribute(e, "name")
		w.styles[w.name] = style{base: family + attribute(e, "parent-style-name")}
	case name == "text-properties":
		if display := attribute(e, "display"); display != "" {
			hides := display == "none"
			w.styles[w.name] = style{w.styles[w.name].base, &hides}
		}
	case strings.Contains(e.Name.Space, drawSpace):
		return box
	case !strings.Contains(e.Name.Space, textSpace):
	case attribute(e, "display") == "none" || attribute(e, "is-hidden") == "true" || w.hides(family+attribute(e, "style-name")):
		return nowhere
	case name == "note":
		return note
	case name == "p" || name == "h":
		w.text++
	case name == "s":
		n := 1
		if count := attribute(e, "c"); count != "" {
			n, _ = strconv.Atoi(count) // 0 for what is no number
		}
		w.write(strings.Repeat(" ", max(0, min(n, mostSpaces))))
	case name == "tab":
		w.write("\t")
	case name == "line-break":
		w.write("\n")
	}
	return within
}

// end ends an element, the innermost of depth ones.
func (w *writer) end(name xml.Name, depth int) {
	word, open := strings.Contains(name.Space, wordSpace), strings.Contains(name.Space, textSpace)
	switch {
	case word && name.Local == "t" && !w.look.properties:
		w.text--
	case word && name.Local == "pPr":
		w.look.properties = false
	case word && name.Local == "style":
		w.name = ""
	case word && name.Local == "r":
		w.look.own, w.look.character = nil, false
	case open && (name.Local == "p" || name.Local == "h"):
		w.text--
	}
	if (word || open) && (name.Local == "p" || open && name.Local == "h") {
		w.out.WriteString("\n\n" + w.boxes.String())
		w.size += len("\n\n")
		w.boxes.Reset()
	}
	if last := len(w.asides) - 1; last >= 0 && w.asides[last].depth == depth {
		a, words := w.asides[last], w.out.String()
		w.asides, w.out, w.text, w.look = w.asides[:last], a.out, a.text, a.look
		if a.where == note {
			w.notes.WriteString(words)
		} else {
			w.boxes.WriteString(words)
		}
	}
}
