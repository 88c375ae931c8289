package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/layout"
	"vigueur/internal/pdftext"
	"vigueur/internal/segment"
)

// drawnDPI makes print of eight points legible on a screen.
const drawnDPI = 110

func (a *app) evalPagesCommand() *cobra.Command {
	s := sight{app: a}
	var dir string
	var from, to int
	c := &cobra.Command{
		Use: "pages FICHIER.pdf", Short: "Dessine ce qui a été reconnu sur les pages d’un fichier",
		Args: takes(1, 1, "un fichier"),
		Long: "Écrit une image PNG par page, où chaque ligne porte son rang de lecture. Le cadre dit la colonne : bleu,\n" +
			"vert, brun, violet de gauche à droite, orange en travers. Le fond dit ce que c’est : jaune et cyan en\n" +
			"alternance pour les articles, rouge pour le titre d’un texte, violet pour les divisions, gris pour ce qui\n" +
			"est mis de côté (titres courants, numéros de page).",
		Example: "  ingest eval pages --draw /tmp/pages --from 1 --to 3 jo-2025-26.pdf",
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return usage("Il manque le dossier où dessiner. Usage : %s --draw DOSSIER", c.UseLine())
			}
			return a.evalPages(c.Context(), &s, args[0], dir, from, to)
		},
	}
	s.flags(c)
	c.Flags().StringVar(&dir, "draw", "", "`DOSSIER` où écrire les images")
	c.Flags().IntVar(&from, "from", 0, "première `PAGE` (0 : celle du début)")
	c.Flags().IntVar(&to, "to", 0, "dernière `PAGE` (0 : celle de la fin)")
	return c
}

// evalPages reads the whole file, since a page alone shows no running heads, and
// draws the pages from to to.
func (a *app) evalPages(ctx context.Context, s *sight, path, dir string, from, to int) (err error) {
	issue, pages, err := s.issue(ctx, path)
	if err != nil {
		return err
	}
	from = max(from, 1)
	if to == 0 {
		to = len(pages)
	}
	if to < from || to > len(pages) {
		return usage("Les pages %d à %d n’existent pas : le fichier en a %d.", from, to, len(pages))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return errs.Wrap(errs.Invalid, "Le dossier « "+dir+" » ne peut pas être créé.", err)
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
		file := filepath.Join(dir, fmt.Sprintf("%s-%03d.png", name, pages[i].Number))
		if err := writePNG(file, drawn(gray, &pages[i], known)); err != nil {
			return errs.Wrap(errs.Invalid, "L’image « "+file+" » ne peut pas être écrite.", err)
		}
		if _, err := fmt.Fprintln(a.out, file); err != nil {
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

func marksOf(issue segment.Issue) marks {
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
