// Command ocr holds the words that are read of files against those that are printed, and whether they had to be recognized.
//
// NAME.truth.txt is the exact text of NAME.pdf: the share of its words that were read, and of these the share that stand
// in its order. manifest.csv says what the text layer of each file is worth (columns file, pages, text_pages and
// has_text_layer: yes or ocr, to be kept; none, garbage, bad_ocr or ocr_no_accents, to be recognized; partial, where it is
// missing): pages judged rightly. Subfolders are looked into.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/lab/evaluation/output"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

// truthSuffix ends the name of the file that holds a scan's exact text.
const truthSuffix = ".truth.txt"

func main() {
	readpages.Main("ocr", func(ctx context.Context, r *readpages.Reader, dir string, asJSON bool) error {
		scores, err := evaluate(ctx, r, dir)
		if err != nil {
			return err
		}
		return tell(os.Stdout, scores, asJSON)
	})
}

// textScore is how well the text of one file was read.
type textScore struct {
	File string `json:"file"`
	likeness
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

// ocrScores is all that was found.
type ocrScores struct {
	Texts  []textScore  `json:"texts"`
	Text   textScore    `json:"text"` // in all
	Layers []layerScore `json:"layers"`
	Layer  layerScore   `json:"layer"` // in all
}

// evaluate reads the files of a folder and holds them against what is known of them.
func evaluate(ctx context.Context, r *readpages.Reader, dir string) (scores ocrScores, err error) {
	scores = ocrScores{Texts: []textScore{}, Layers: []layerScore{}}
	truths, err := truthsIn(dir)
	if err != nil {
		return scores, err
	}
	layers, err := layerTruths(dir)
	if err != nil {
		return scores, err
	}
	if len(truths)+len(layers) == 0 {
		return scores, fmt.Errorf("there is neither a *%s nor a manifest.csv in %s", truthSuffix, dir)
	}
	for _, truth := range truths {
		score, err := textOf(ctx, r, dir, truth)
		if err != nil {
			return scores, err
		}
		scores.Texts = append(scores.Texts, score)
	}
	for _, m := range layers {
		pages, err := r.Words(ctx, filepath.Join(dir, m.file))
		if err != nil {
			return scores, err
		}
		scores.Layers = append(scores.Layers, m.score(pages))
	}
	scores.sum()
	return scores, nil
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
		return nil, fmt.Errorf("the folder: %w", err)
	}
	return paths, nil
}

// textOf holds a file against its exact text.
func textOf(ctx context.Context, r *readpages.Reader, dir, truth string) (score textScore, err error) {
	exact, err := os.ReadFile(truth)
	if err != nil {
		return score, fmt.Errorf("a truth: %w", err)
	}
	path := strings.TrimSuffix(truth, truthSuffix) + ".pdf"
	pages, err := r.Words(ctx, path)
	if err != nil {
		return score, err
	}
	layout.Arrange(pages)
	if score.File, err = filepath.Rel(dir, path); err != nil {
		return score, err
	}
	score.take(compare(words(string(exact)), words(asPrinted(pages))))
	return score, nil
}

func (t *textScore) take(l likeness) {
	t.likeness, t.Share, t.Order = l, l.Share(), l.Order()
}

// asPrinted is all text of arranged pages in reading order, running heads before
// and feet after the text of their page.
func asPrinted(pages []layout.Page) string {
	var b strings.Builder
	for i := range pages {
		p := &pages[i]
		for _, head := range p.Aside {
			if above(p, head) {
				fmt.Fprintln(&b, head.Text())
			}
		}
		text, _ := layout.Join(p.Lines)
		fmt.Fprintln(&b, text)
		for _, foot := range p.Aside {
			if !above(p, foot) {
				fmt.Fprintln(&b, foot.Text())
			}
		}
	}
	return b.String()
}

// above reports whether a line is in the upper half of the page as it is read. On a page that is printed
// upside down, this is the lower half of the page as displayed.
func above(p *layout.Page, l layout.Line) bool {
	turn := layout.Upright
	if len(l.Words) > 0 && l.Words[0].Turn < layout.Askew {
		turn = l.Words[0].Turn
	}
	height := p.Height
	if turn == layout.Down || turn == layout.Up {
		height = p.Width
	}
	r := layout.Unturn(l.Rect, turn, p.Width, p.Height)
	return r[1]+r[3] < height
}

// layerTruth is what is known of one file's text layer.
type layerTruth struct {
	file, layer      string
	pages, textPages int
}

// layerTruths reads the manifest of a folder; nil when there is none.
func layerTruths(dir string) ([]layerTruth, error) {
	path := filepath.Join(dir, "manifest.csv")
	rows, err := gazettes.Columns(path, "file", "pages", "text_pages", "has_text_layer")
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
			return nil, fmt.Errorf("line %d of %s cannot be understood: %q pages, %q of them with text, layer %q", i+2, path, r[1], r[2], m.layer)
		}
		list[i], files[i] = m, m.file
	}
	return list, gazettes.There(dir, files)
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
	var all likeness
	for _, t := range s.Texts {
		all = all.Plus(t.likeness)
	}
	s.Text.take(all)
	for _, l := range s.Layers {
		s.Layer.Pages += l.Pages
		s.Layer.Recognized += l.Recognized
		s.Layer.Right += l.Right
	}
}

// tell prints the scores.
func tell(out io.Writer, s ocrScores, asJSON bool) error {
	if asJSON {
		return output.JSON(out, s)
	}
	texts := output.NewTable("TEXT", "WORDS", "READ", "SHARE", "ORDER", "EXTRA")
	row := func(name string, t textScore) {
		texts.Add(name, t.True, t.Found, fmt.Sprintf("%.3f", t.Share), fmt.Sprintf("%.3f", t.Order), t.Extra)
	}
	for _, t := range s.Texts {
		row(t.File, t)
	}
	layers := output.NewTable("TEXT LAYER", "WORTH", "PAGES", "RECOGNIZED", "RIGHTLY JUDGED")
	for _, l := range s.Layers {
		layers.Add(l.File, l.Layer, l.Pages, l.Recognized, l.Right)
	}
	var errs []error
	if len(s.Texts) > 0 {
		row("ALL", s.Text)
		errs = append(errs, texts.Write(out))
	}
	if len(s.Layers) > 0 {
		layers.Add("ALL", "", s.Layer.Pages, s.Layer.Recognized, s.Layer.Right)
		errs = append(errs, layers.Write(out))
	}
	return errors.Join(errs...)
}
