// Command pages draws what was recognized on the pages of a file, one PNG image a page.
//
// Each line has its place in the reading order. Its frame is the column: blue, green, brown, violet from left to right,
// orange across. What is behind it says what it is: yellow and cyan in turn for articles, red for the title of a text,
// violet for divisions, gray for what is set aside (running heads, page numbers).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/lab/readpages"
)

// drawnDPI makes print of eight points legible on a screen.
const drawnDPI = 110

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.dir, "draw", "", "folder to draw into")
	flag.IntVar(&o.from, "from", 0, "first page; 0: that of the beginning")
	flag.IntVar(&o.to, "to", 0, "last page; 0: that of the end")
	flag.StringVar(&o.cache, "pages", "", "folder where words once read are kept")
	flag.Parse()
	if flag.NArg() != 1 || o.dir == "" {
		log.Fatal("usage: scripts/eval pages -draw FOLDER [-from N] [-to N] [-pages FOLDER] FILE.pdf")
	}
	if err := o.draw(context.Background(), os.Stdout, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	dir, cache string
	from, to   int
}

// draw reads the whole file, since a page alone shows no running heads, and draws the
// pages from from to to. It prints the name of each image.
func (o options) draw(ctx context.Context, out io.Writer, path string) (err error) {
	r := &readpages.Reader{Cache: o.cache, Reading: readpages.Tell}
	defer r.Close()
	issue, pages, err := r.Issue(ctx, path)
	if err != nil {
		return err
	}
	from, to := max(o.from, 1), o.to
	if to == 0 {
		to = len(pages)
	}
	if to < from || to > len(pages) {
		return fmt.Errorf("there are no pages %d to %d: the file has %d", from, to, len(pages))
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return fmt.Errorf("the folder to draw into: %w", err)
	}
	doc, err := pdftext.Reader{}.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	known := marksOf(issue)
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i := from - 1; i < to; i++ {
		gray, err := doc.Render(ctx, pages[i].Number, drawnDPI)
		if err != nil {
			return err
		}
		file := filepath.Join(o.dir, fmt.Sprintf("%s-%03d.png", name, pages[i].Number))
		if err := writePNG(file, drawn(gray, &pages[i], known)); err != nil {
			return fmt.Errorf("an image: %w", err)
		}
		if _, err := fmt.Fprintln(out, file); err != nil {
			return err
		}
	}
	return nil
}

func writePNG(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

// placed is where a line stands, as a key.
type placed struct {
	page int
	rect [4]float64
}

// marks are what is known of lines from the cutting of their file.
type marks struct {
	titles   map[placed]bool
	articles map[placed]int // which article, from 0, counted through all texts
	headings []string       // all divisions, each between blanks
}

func marksOf(issue gazette.Issue) marks {
	m := marks{titles: map[placed]bool{}, articles: map[placed]int{}}
	seen := map[string]bool{}
	n := 0
	for _, t := range issue.Texts {
		for _, l := range t.Head {
			m.titles[placed{l.Page, l.Rect}] = true
		}
		for _, article := range t.Articles {
			for _, s := range article.Spans {
				m.articles[placed{s.Page, s.Rect}] = n
			}
			n++
			for _, h := range article.Path {
				if !seen[h] {
					seen[h] = true
					m.headings = append(m.headings, " "+strings.ToLower(h)+" ")
				}
			}
		}
	}
	return m
}

// fill is the color behind a line, white for none.
func (m marks) fill(l layout.Line) tint {
	at := placed{l.Page, l.Rect}
	if m.titles[at] {
		return titleTint
	}
	if n, ok := m.articles[at]; ok {
		return articleTints[n%2]
	}
	text := " " + strings.ToLower(l.Text()) + " "
	for _, h := range m.headings {
		if strings.Contains(h, text) {
			return headingTint
		}
	}
	return tint{}
}

// drawn paints a page's lines over its picture.
func drawn(gray *image.Gray, p *layout.Page, known marks) image.Image {
	c := newCanvas(gray, float64(gray.Rect.Dx())/max(p.Width, 1))
	for _, l := range p.Aside {
		c.line(l.Rect, asideTint, asideTint)
	}
	for i, l := range p.Lines {
		edge := acrossTint
		if l.Column >= 0 {
			edge = columnTints[l.Column%len(columnTints)]
		}
		c.line(l.Rect, known.fill(l), edge)
		c.number(l.Rect, i+1, edge)
	}
	return c.img
}
