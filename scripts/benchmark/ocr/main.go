// Command ocr recognizes scanned pages: pages a second, as a share of what Tesseract alone does on all cores, and the
// processor time of a page.
//
// Ours is the whole way of a scanned page: painted by PDFium in its child, straightened, recognized, its words put into
// points on the page. The peer is the same tesseract program on pictures of the same pages that were painted before, one
// process a core, each with one thread. Both go through the pages in turns, so that a machine that is busy with other
// things is so for both. The files are those given as arguments; without any, the scan among the sample gazettes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/scripts/benchmark/report"
)

func main() {
	pdftext.Main()
	ocr.Main()
	rounds := flag.Int("rounds", 3, "how often each goes through the pages")
	flag.Parse()
	if err := run(context.Background(), *rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int, files []string) error {
	r := report.New("ocr", report.ThisMachine())
	if len(files) == 0 {
		files = []string{filepath.Join(stage.Root(), "scripts", "sample", "gazettes", "jo-2025-05-scan.pdf")}
	}
	dir, err := os.MkdirTemp("", "vigueur-bench-ocr-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it lies among other temporary files
	var scans []scan
	for _, path := range files {
		s, err := openScan(ctx, path, dir)
		if err != nil {
			return err
		}
		defer s.close() //nolint:gocritic // there are few, and all are needed to the end
		scans = append(scans, s)
	}
	var ours, theirs, busy time.Duration
	pages := 0
	for range max(1, rounds) {
		for _, s := range scans {
			l, err := s.race(ctx)
			if err != nil {
				return err
			}
			ours, theirs, busy, pages = ours+l.ours, theirs+l.theirs, busy+l.busy, pages+len(s.pages)
		}
	}
	own, alone := float64(pages)/ours.Seconds(), float64(pages)/theirs.Seconds()
	r.Figure("pages", float64(pages), "")
	r.Figure("pages_per_s", own, "pages/s")
	r.Figure("page_processor_ms", float64(busy.Milliseconds())/float64(pages), "ms of a core for a page: painted, straightened and recognized")
	r.Peer("Tesseract alone", "pages_per_s", alone)
	r.Figure("share_of_tesseract", own/alone, "")
	r.Goal("share_of_tesseract", report.AtLeast, 0.9)
	return r.Print(os.Stdout)
}

// scan is a file with the pages of it that are to be recognized, and pictures of
// these.
type scan struct {
	path     string
	doc      *pdftext.Document
	pages    []layout.Page
	pictures []picture
}

type picture struct {
	path string
	dpi  int
}

func (s scan) close() { _ = s.doc.Close() } // nothing was written

// openScan paints the pages that need recognition into dir.
func openScan(ctx context.Context, path, dir string) (s scan, err error) {
	s.path = path
	if s.doc, err = (pdftext.Reader{}).Open(ctx, path); err != nil {
		return s, err
	}
	all, err := s.doc.Read(ctx, 1, s.doc.Pages())
	if err != nil {
		return s, err
	}
	for _, p := range all {
		if p.Layer() == layout.Good {
			continue
		}
		dpi := ocr.DPI(p)
		img, err := s.doc.Render(ctx, p.Number, dpi)
		if err != nil {
			return s, err
		}
		shot := picture{filepath.Join(dir, fmt.Sprintf("%s-%d.pgm", filepath.Base(path), p.Number)), int(dpi + 0.5)}
		if err := write(shot.path, img); err != nil {
			return s, err
		}
		s.pages, s.pictures = append(s.pages, p), append(s.pictures, shot)
	}
	if len(s.pages) == 0 {
		return s, errors.New(path + " has no page to recognize")
	}
	// Twice, so that the last page of an odd number leaves no core idle for long.
	s.pages, s.pictures = append(s.pages, s.pages...), append(s.pictures, s.pictures...)
	return s, nil
}

func write(path string, img *image.Gray) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "P5\n%d %d\n255\n", img.Rect.Dx(), img.Rect.Dy())
	if err == nil {
		_, err = f.Write(img.Pix)
	}
	return errors.Join(err, f.Close())
}

// lap is how long both took for the pages, and the processor time of ours.
type lap struct{ ours, theirs, busy time.Duration }

// race lets ours and the peer go through the pages, one after the other.
func (s scan) race(ctx context.Context) (l lap, err error) {
	cores := runtime.GOMAXPROCS(0)
	before, err := spent()
	if err != nil {
		return l, err
	}
	began := time.Now()
	words := 0
	err = ocr.Reader{}.Pages(ctx, s.doc, s.pages, cores, func(p layout.Page) error {
		words += len(p.Words)
		return nil
	})
	if err != nil || words == 0 {
		return l, fmt.Errorf("%s: %d words: %w", s.path, words, err)
	}
	l.ours = time.Since(began)
	after, err := spent()
	if err != nil {
		return l, err
	}
	l.busy = after - before
	began = time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cores)
	for _, shot := range s.pictures {
		group.Go(func() error {
			cmd := exec.CommandContext(ctx, "tesseract", shot.path, "stdout", "--dpi", fmt.Sprint(shot.dpi), "-l", "fra", "--psm", "3", "tsv")
			cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
			return cmd.Run()
		})
	}
	err = group.Wait()
	l.theirs = time.Since(began)
	return l, err
}
