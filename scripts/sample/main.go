package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed texts
var sources embed.FS

func main() {
	check := flag.Bool("check", false, "write nothing; exit 1 naming each committed file that differs")
	dir := flag.String("dir", filepath.FromSlash("scripts/sample"), "folder to write to, or to check")
	flag.Parse()
	if err := run(context.Background(), *dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, check bool) (err error) {
	texts, err := fs.Sub(sources, "texts")
	if err != nil {
		return err
	}
	e, err := newEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	files, err := e.generate(texts)
	if err != nil {
		return err
	}
	if check {
		return compare(dir, files)
	}
	return write(dir, files)
}

// output is one file to be written, its path below the sample's folder.
type output struct {
	Path string
	Data []byte
}

func gazetteName(is *issue) string { return is.ID + ".pdf" }
func scanName(is *issue) string    { return is.ID + "-scan.pdf" }

// generate makes every file from the source texts, in a fixed order.
func (e *engine) generate(texts fs.FS) ([]output, error) {
	issues, err := loadIssues(texts)
	if err != nil {
		return nil, err
	}
	var (
		files  []output
		truths []*issueTruth
		m      = loadMetrics()
	)
	for _, is := range issues {
		made, truth, err := e.issueFiles(m, is)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", is.ID, err)
		}
		files, truths = append(files, made...), append(truths, truth)
	}
	data, err := encodeTruth(truths)
	return append(files, output{"truth.json", data}), err
}

// issueFiles makes the PDF of one issue and, where it has one, its scan.
func (e *engine) issueFiles(m metrics, is *issue) ([]output, *issueTruth, error) {
	pages, truth, err := m.typeset(is)
	if err != nil {
		return nil, nil, err
	}
	pdf, err := drawPDF(is, m, pages)
	if err != nil {
		return nil, nil, err
	}
	files := []output{{"gazettes/" + gazetteName(is), pdf}}
	if is.Scan {
		scan, err := e.scanPDF(is, pdf)
		if err != nil {
			return nil, nil, fmt.Errorf("scan: %w", err)
		}
		files = append(files, output{"gazettes/" + scanName(is), scan})
	}
	return files, truth, nil
}

func write(dir string, files []output) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compare reports each file that is missing, differs, or is not made any more.
func compare(dir string, files []output) error {
	var faults []error
	made := map[string]bool{}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		made[name] = true
		got, err := os.ReadFile(name)
		switch {
		case err != nil:
			faults = append(faults, err)
		case !bytes.Equal(got, f.Data):
			faults = append(faults, fmt.Errorf("%s differs from what go run ./scripts/sample makes", name))
		}
	}
	committed, err := filepath.Glob(filepath.Join(dir, "gazettes", "*"))
	if err != nil {
		return err
	}
	for _, name := range committed {
		if !made[name] {
			faults = append(faults, fmt.Errorf("%s is not made by go run ./scripts/sample", name))
		}
	}
	return errors.Join(faults...)
}
