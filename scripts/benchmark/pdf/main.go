// Command pdf takes digital gazettes in: pages a second from the file to an answer that cites it, and the memory that takes.
//
// It sets up a whole system of its own (database, Redis, an API, a worker), adds the files by the operator's command and
// measures from the command's start until every file has ended and a question about the last one is answered from it.
// The memory is what the worker and its children hold together at most while they read the longest file. The files are
// those given as arguments (files or folders); without any, the sample gazettes and five codes of 60 pages made for it,
// and for the memory a code of 300 pages.
// The goals are of processor time, which a busy machine does not change. Of the mean of short files, seven tenths are spent on
// recognizing 64 lines of each file's text layer, to see whether its words are those of the pages: that is some three seconds for
// a file, however long it is. Before that was done, 150 pages a second were the goal, and 400 MB before workers held two models
// that read sentences and pages were drawn at 300 dpi beside their words.
// Its peers, in the same run and on the same files, are pdftotext alone and PDFium alone (in its child process, as the
// worker uses it, but with nothing made of the words).
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/pdftext"
	"vigueur/scripts/benchmark/report"
)

func main() {
	pdftext.Main()
	flag.Parse()
	if err := run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	r := report.New("pdf", report.ThisMachine())
	files, err := given(args)
	if err != nil {
		return err
	}
	longest := ""
	if len(files) == 0 {
		dir, err := os.MkdirTemp("", "vigueur-bench-pdf-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // it lies among other temporary files
		if files, longest, err = made(dir); err != nil {
			return err
		}
	}
	pdfium, pages, err := alone(ctx, files)
	if err != nil {
		return err
	}
	total := 0
	for _, n := range pages {
		total += n
	}
	whole, err := ingested(ctx, files)
	if err != nil {
		return err
	}
	longestPages := madePages
	if longest == "" {
		longestPages = slices.Max(pages)
		longest = files[slices.Index(pages, longestPages)]
	}
	peak, lone, err := long(ctx, longest)
	if err != nil {
		return err
	}
	r.Figure("files", float64(len(files)), "")
	r.Figure("pages", float64(total), "")
	r.Figure("pages_per_s", whole.rate(total), "pages/s")
	r.Peer("PDFium alone", "pages_per_s", pdfium.rate(total))
	if text, err := pdftotext(ctx, files); err == nil {
		r.Peer("pdftotext alone", "pages_per_s", float64(total)/text.Seconds())
	} else {
		fmt.Fprintln(os.Stderr, "pdftotext:", err)
	}
	r.Figure("cpu_ms_per_page", whole.each(total), "ms of a core, worker and child")
	r.Goal("cpu_ms_per_page", report.AtMost, 130)
	r.Peer("PDFium alone", "cpu_ms_per_page", pdfium.each(total))
	r.Figure("long_cpu_ms_per_page", lone.each(longestPages), "ms, of the longest file")
	r.Goal("long_cpu_ms_per_page", report.AtMost, 60)
	r.Figure("peak_mb", peak, "MB")
	r.Goal("peak_mb", report.AtMost, 550)
	return r.Print(os.Stdout)
}

// given are the PDFs among files and in folders.
func given(args []string) (files []string, err error) {
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.EqualFold(filepath.Ext(path), ".pdf") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// madePages are the pages of the longest file that is made.
const madePages = 300

// made makes the files that are measured where none are given.
func made(dir string) (files []string, longest string, err error) {
	files = stage.Sample()
	for i := range 5 {
		path := filepath.Join(dir, fmt.Sprintf("code-%d.pdf", i))
		if err := makeCode(path, uint64(i), 60); err != nil {
			return nil, "", err
		}
		files = append(files, path)
	}
	longest = filepath.Join(dir, "code.pdf")
	return files, longest, makeCode(longest, 99, madePages)
}

// alone reads all files by PDFium, one after the other, and gives the pages of
// each. Its engine is warm, and its child reads one after the other, as a worker's.
func alone(ctx context.Context, files []string) (taken cost, pages []int, err error) {
	reader := pdftext.Reader{Spares: &pdftext.Spares{}}
	defer reader.Spares.Close()
	if err := reader.Warm(ctx); err != nil {
		return cost{}, nil, err
	}
	taken, err = spent(os.Getpid(), func() error {
		for _, path := range files {
			n, err := readAlone(ctx, reader, path)
			if err != nil {
				return err
			}
			pages = append(pages, n)
		}
		return nil
	})
	return taken, pages, err
}

func readAlone(ctx context.Context, reader pdftext.Reader, path string) (int, error) {
	doc, err := reader.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	_, err = doc.Read(ctx, 1, doc.Pages())
	if closed := doc.Close(); err == nil {
		err = closed
	}
	return doc.Pages(), err
}

// pdftotext reads all files by Poppler's program, one after the other.
func pdftotext(ctx context.Context, files []string) (time.Duration, error) {
	began := time.Now()
	for _, path := range files {
		if err := exec.CommandContext(ctx, "pdftotext", path, "-").Run(); err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	return time.Since(began), nil
}

// ingested takes all files in and measures until the last is searchable.
func ingested(ctx context.Context, files []string) (taken cost, err error) {
	s, worker, err := system(ctx)
	if err != nil {
		return cost{}, err
	}
	defer func() { _ = s.Close() }() // a stage that is left behind changes no figure
	defer worker.Stop()
	api, err := s.API(ctx)
	if err != nil {
		return cost{}, err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return cost{}, err
	}
	return spent(worker.PID(), func() error {
		added, err := add(ctx, s, files...)
		if err != nil {
			return err
		}
		return await(ctx, client, added)
	})
}

// system is a stage with a worker that has read one gazette, so that its engine
// is compiled.
func system(ctx context.Context) (*stage.Stage, *stage.Process, error) {
	s, err := stage.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	worker, err := s.Worker(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	_, err = add(ctx, s, stage.Sample()[0])
	return s, worker, err
}

// file is what the command says of one file.
type file struct {
	File      string
	State     string
	Reason    string
	Documents []struct {
		ID       string
		Articles int  `json:"articles_count"`
		InReview bool `json:"in_review"`
	}
}

// add runs the operator's command to its end. Texts in review are part of the
// work as others are; files that fail are no measure.
func add(ctx context.Context, s *stage.Stage, files ...string) ([]file, error) {
	out, err := s.Command(ctx, append([]string{"add", "--json"}, files...)...).Output()
	var added struct{ Items []file }
	if json.Unmarshal(out, &added) != nil {
		return nil, fmt.Errorf("ingest add: %w: %.300s", err, out)
	}
	for _, f := range added.Items {
		if f.State != "done" && f.State != "review" {
			return nil, fmt.Errorf("%s: %s: %s", f.File, f.State, f.Reason)
		}
	}
	return added.Items, nil
}

// await asks about the last text that went into the catalogue until an answer
// cites it.
func await(ctx context.Context, client *stage.Client, added []file) error {
	for _, f := range slices.Backward(added) {
		for _, d := range slices.Backward(f.Documents) {
			if d.InReview || d.Articles == 0 {
				continue
			}
			return cited(ctx, client, d.ID)
		}
	}
	return fmt.Errorf("none of %d files gave a text that can be searched", len(added))
}

func cited(ctx context.Context, client *stage.Client, document string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		a, err := client.Ask(ctx, "Que prévoit l’article 2 ?", map[string]any{"filters": map[string]string{"document_id": document}})
		if err != nil {
			return err
		}
		for _, c := range a.Citations {
			if c.DocumentID.String() == document {
				return nil
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("document %s is not found a minute after its file was done", document)
		}
	}
}
