// Command confusion measures which letters Tesseract takes for others on scans whose exact text is known.
//
// It recognizes every NAME.pdf below the folder given that has its exact text beside it (NAME.truth.txt), holds the one
// against the other, and writes lab/house/confusions.tsv: what is printed, what was read, and how often, as a share of
// the times that it is printed. Made gazettes are damaged by that table. Only letters and figures of it are kept, no text.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
)

const truthSuffix = ".truth.txt"

func main() {
	pdftext.Main()
	ocr.Main()
	out := flag.String("o", filepath.Join(stage.Root(), "lab", "house", "confusions.tsv"), "where the table is written")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, out string) error {
	if len(folders) != 1 {
		return errors.New("usage: scripts/train confusion [-o FILE] FOLDER")
	}
	truths, err := truthsIn(folders[0])
	if err != nil {
		return err
	}
	if len(truths) == 0 {
		return fmt.Errorf("no file below %s ends in %s and has its PDF beside it", folders[0], truthSuffix)
	}
	c := newCounts()
	for _, truth := range truths {
		exact, err := os.ReadFile(truth)
		if err != nil {
			return err
		}
		path := strings.TrimSuffix(truth, truthSuffix) + ".pdf"
		read, err := recognize(ctx, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, words := range read {
			held := c.compare(strings.Fields(string(exact)), words)
			fmt.Fprintf(os.Stderr, "%s: %d words read, %d of them where they are printed\n", filepath.Base(path), len(words), held)
		}
	}
	return os.WriteFile(out, c.table(), 0o644)
}

func truthsIn(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, is := strings.CutSuffix(path, truthSuffix)
		if _, err := os.Stat(name + ".pdf"); is && err == nil {
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// coarse are the resolutions at which each scan is read, as shares of its own: the
// scans that have an exact text are good ones, and most others are not.
var coarse = []float64{1, 0.6, 0.45}

// recognize reads the words of a scan, line by line as they stand, once for each
// resolution.
func recognize(ctx context.Context, path string) (readings [][]string, err error) {
	doc, err := pdftext.Reader{}.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	pages, err := doc.Read(ctx, 1, doc.Pages())
	if err != nil {
		return nil, err
	}
	for _, scale := range coarse {
		done := make([]layout.Page, len(pages))
		for i, p := range pages {
			dpi := ocr.DPI(p) * scale
			img, err := doc.Render(ctx, p.Number, dpi)
			if err != nil {
				return nil, err
			}
			if done[i], err = (ocr.Reader{}).Read(ctx, p, img, dpi); err != nil {
				return nil, err
			}
		}
		readings = append(readings, wordsOf(done))
	}
	return readings, nil
}

// wordsOf are the words of recognized pages in reading order.
func wordsOf(pages []layout.Page) (words []string) {
	layout.Arrange(pages)
	for i := range pages {
		for _, l := range append(pages[i].Lines, pages[i].Aside...) {
			for _, w := range l.Words {
				words = append(words, w.Text)
			}
		}
	}
	return words
}
