// Package paper writes Markdown as a file for Word (.docx).
//
// It understands CommonMark. A line break within a paragraph is kept, because the lines of a law are its alinéas. HTML
// in the Markdown is written as text. The same paper gives the same bytes.
package paper

import (
	"bytes"
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
