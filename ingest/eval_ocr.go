package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/layout"
	"vigueur/internal/likeness"
)

// truthSuffix ends the name of the file that holds a scan's exact text.
const truthSuffix = ".truth.txt"

func (a *app) evalOCRCommand() *cobra.Command {
	s := sight{app: a}
	c := &cobra.Command{
		Use: "ocr DOSSIER", Short: "Compare les mots lus à ceux qui sont imprimés, et le choix de les reconnaître",
		Args: takes(1, 1, "le dossier des fichiers"),
		Long: "Compare la lecture des fichiers de DOSSIER, sous-dossiers compris, à ce que l’on en sait :\n" +
			"  NOM" + truthSuffix + "  le texte exact de NOM.pdf : part de ses mots qui ont été lus, et part de ceux-ci\n" +
			"                 qui se suivent dans son ordre ;\n" +
			"  manifest.csv   ce que vaut la couche de texte de chaque fichier (colonnes « file », « pages »,\n" +
			"                 « text_pages » et « has_text_layer » : yes ou ocr, à garder ; none, garbage, bad_ocr ou\n" +
			"                 ocr_no_accents, à reconnaître ; partial, là où elle manque) : pages bien jugées.",
		RunE: func(c *cobra.Command, args []string) error { return a.evalOCR(c.Context(), &s, args[0]) },
	}
	s.flags(c)
	return c
}

// textScore is how well the text of one file was read.
type textScore struct {
	File string `json:"file"`
	likeness.Likeness
	Share float64 `json:"share"`
	Order float64 `json:"order"`
}

// layerScore is how well the text layers of one file were judged.
type layerScore struct {
	File       string `json:"file"`
	Layer      string `json:"layer"` // what it is worth, in the words of the manifest
	Pages      int    `json:"pages"`
	Recognized int    `json:"recognized"`
	Right      int    `json:"right"`
}

// ocrScores is all that « eval ocr » finds.
type ocrScores struct {
	Texts  []textScore  `json:"texts"`
	Text   textScore    `json:"text"` // in all
	Layers []layerScore `json:"layers"`
	Layer  layerScore   `json:"layer"` // in all
}

func (a *app) evalOCR(ctx context.Context, s *sight, dir string) error {
	truths, err := truthsIn(dir)
	if err != nil {
		return err
	}
	layers, err := layerTruths(dir)
	if err != nil {
		return err
	}
	if len(truths)+len(layers) == 0 {
		return usage("Il n’y a ni « *%s » ni « manifest.csv » dans « %s ».", truthSuffix, dir)
	}
	scores := ocrScores{Texts: []textScore{}, Layers: []layerScore{}}
	for _, truth := range truths {
		score, err := s.text(ctx, dir, truth)
		if err != nil {
			return err
		}
		scores.Texts = append(scores.Texts, score)
	}
	for _, m := range layers {
		pages, err := s.Words(ctx, filepath.Join(dir, m.file))
		if err != nil {
			return err
		}
		scores.Layers = append(scores.Layers, m.score(pages))
	}
	scores.sum()
	if a.json {
		return writeJSON(a.out, scores)
	}
	return a.tellOCR(scores)
}

// truthsIn finds the exact texts under a folder that have their PDF beside them.
func truthsIn(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		pdf, is := strings.CutSuffix(path, truthSuffix)
		if _, err := os.Stat(pdf + ".pdf"); is && err == nil {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "Le dossier « "+dir+" » ne peut pas être lu.", err)
	}
	return paths, nil
}

// text holds a file against its exact text.
func (s *sight) text(ctx context.Context, dir, truth string) (score textScore, err error) {
	exact, err := os.ReadFile(truth)
	if err != nil {
		return score, errs.Wrap(errs.Invalid, "Le fichier « "+truth+" » ne peut pas être lu.", err)
	}
	path := strings.TrimSuffix(truth, truthSuffix) + ".pdf"
	pages, err := s.Words(ctx, path)
	if err != nil {
		return score, err
	}
	layout.Arrange(pages)
	if score.File, err = filepath.Rel(dir, path); err != nil {
		return score, err
	}
	score.take(likeness.Compare(likeness.Words(string(exact)), likeness.Words(asPrinted(pages))))
	return score, nil
}

func (t *textScore) take(l likeness.Likeness) {
	t.Likeness, t.Share, t.Order = l, l.Share(), l.Order()
}

// asPrinted is all text of arranged pages in reading order, running heads before
// and feet after the text of their page.
func asPrinted(pages []layout.Page) string {
	var b strings.Builder
	for i := range pages {
		p := &pages[i]
		for _, head := range p.Aside {
			if p.Above(head) {
				fmt.Fprintln(&b, head.Text())
			}
		}
		text, _ := layout.Join(p.Lines)
		fmt.Fprintln(&b, text)
		for _, foot := range p.Aside {
			if !p.Above(foot) {
				fmt.Fprintln(&b, foot.Text())
			}
		}
	}
	return b.String()
}

// layerTruth is what is known of one file's text layer.
type layerTruth struct {
	file, layer      string
	pages, textPages int
}

// layerTruths reads the manifest of a folder; nil when there is none.
func layerTruths(dir string) ([]layerTruth, error) {
	path := filepath.Join(dir, "manifest.csv")
	rows, err := manifest(path, "file", "pages", "text_pages", "has_text_layer")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, files := make([]layerTruth, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		m := layerTruth{file: r[0], layer: r[3]}
		var errPages, errText error
		m.pages, errPages = strconv.Atoi(r[1])
		m.textPages, errText = strconv.Atoi(r[2])
		if errPages != nil || errText != nil || !slices.Contains(layersKnown, m.layer) {
			return nil, usage("La ligne %d de « %s » ne se comprend pas : %q pages, %q avec texte, couche %q.", i+2, path, r[1], r[2], m.layer)
		}
		list[i], files[i] = m, m.file
	}
	return list, there(dir, files)
}

// layersKnown are the worths of a layer; those from none on are to be recognized.
var layersKnown = []string{"yes", "ocr", "partial", "none", "garbage", "bad_ocr", "ocr_no_accents"}

// score judges the choices made for the pages of one file. A page on which
// nothing is printed is right without words.
func (m layerTruth) score(pages []layout.Page) layerScore {
	s := layerScore{File: m.file, Layer: m.layer, Pages: len(pages)}
	blank := 0
	for i := range pages {
		switch {
		case pages[i].Source == layout.OCR:
			s.Recognized++
		case len(pages[i].Words) == 0 && !pages[i].Drawn:
			blank++
		}
	}
	switch m.layer {
	case "yes", "ocr":
		s.Right = s.Pages - s.Recognized
	case "partial": // where there is a layer, either may be better
		s.Right = s.Pages - max(0, m.pages-m.textPages-s.Recognized-blank)
	default:
		s.Right = s.Recognized + blank
	}
	s.Pages = max(s.Pages, m.pages) // one that was not given at all is not well judged
	return s
}

// sum adds up all files.
func (s *ocrScores) sum() {
	var all likeness.Likeness
	for _, t := range s.Texts {
		all = all.Plus(t.Likeness)
	}
	s.Text.take(all)
	for _, l := range s.Layers {
		s.Layer.Pages += l.Pages
		s.Layer.Recognized += l.Recognized
		s.Layer.Right += l.Right
	}
}

// tellOCR prints the tables.
func (a *app) tellOCR(s ocrScores) error {
	texts := table{head: []string{"TEXTE", "MOTS", "LUS", "PART", "ORDRE", "EN TROP"}}
	row := func(name string, t textScore) {
		texts.add(name, t.True, t.Found, ratio(t.Share), ratio(t.Order), t.Extra)
	}
	for _, t := range s.Texts {
		row(t.File, t)
	}
	row("ENSEMBLE", s.Text)
	layers := table{head: []string{"COUCHE DE TEXTE", "VALEUR", "PAGES", "RECONNUES", "BIEN JUGÉES"}}
	for _, l := range s.Layers {
		layers.add(l.File, l.Layer, l.Pages, l.Recognized, l.Right)
	}
	layers.add("ENSEMBLE", "", s.Layer.Pages, s.Layer.Recognized, s.Layer.Right)
	for _, t := range []*table{&texts, &layers} {
		if len(t.rows) == 1 {
			continue // nothing but the sum
		}
		if err := t.write(a.out, ""); err != nil {
			return err
		}
	}
	return nil
}

// ratio is a share with a French comma.
func ratio(x float64) string { return strings.Replace(strconv.FormatFloat(x, 'f', 3, 64), ".", ",", 1) }
