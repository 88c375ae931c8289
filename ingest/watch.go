package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/httpapi/gazettes"
)

// watch runs « watch ».
func (a *app) watch(ctx context.Context, in *input) error {
	dir, settle := in.args[0], sure(in.flags.GetDuration("settle"))
	if settle < 100*time.Millisecond || settle > time.Hour {
		return usage("--settle va de 100ms à 1h.")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("« %s » n’est pas un dossier.", terminal.Line(dir))
	}
	return a.withAdding(ctx, in, func(r *adding) error {
		return (&watching{adding: r, dir: dir, settle: settle, taken: map[string]time.Time{}}).run(ctx)
	})
}

// watching is one run of « ingest watch ».
type watching struct {
	*adding
	dir    string
	settle time.Duration
	taken  map[string]time.Time // the times of modification of files that were added or refused
	down   bool                 // whether it was reported that a store does not respond
	known  []*added             // files of this round that were added before
}

// run watches the folder and the files in progress until ctx ends.
func (w *watching) run(ctx context.Context) error {
	fmt.Fprintf(w.err, "Surveille %s. Ctrl-C pour cesser ; le traitement continue.\n", w.dir)
	every := time.NewTicker(max(w.settle/4, w.poll))
	defer every.Stop()
	progress := newWatch(w.adding, newLines(w.err))
	defer progress.close()
	for {
		if err := w.round(ctx, progress); err != nil && ctx.Err() == nil {
			if !errs.Is(err, errs.Unavailable) {
				return err
			}
			if !w.down { // continue when the store is back, because files and rows are safe
				fmt.Fprintln(w.err, errs.Public(err)+" Nouvel essai…")
			}
			w.down = true
		} else {
			w.down = false
		}
		select {
		case <-ctx.Done():
			return quiet{exitDone}
		case <-every.C:
		}
	}
}

// round adds the files that have become complete, and reports the files that have ended.
func (w *watching) round(ctx context.Context, progress *watch) error {
	err := w.scan(ctx)
	w.sayKnown()
	if err != nil {
		return err
	}
	if len(w.files) == 0 {
		return nil
	}
	if err := progress.look(ctx); err != nil {
		return err
	}
	for _, f := range w.files {
		if !f.pending() {
			w.say(f)
		}
	}
	w.files = slices.DeleteFunc(w.files, func(f *added) bool { return !f.pending() })
	return nil
}

// say reports the result of a file.
func (w *watching) say(f *added) {
	if w.json {
		_ = writeJSONLine(w.out, f) // ignore a closed pipe, because files are added in any case
		return
	}
	line := fmt.Sprintf("%s  %s : %s", moment(time.Now()), f.File, stateName(f.State))
	if f.texts > 0 {
		line += fmt.Sprintf(", %s, %s", count(f.texts, "texte"), count(f.Articles, "article"))
	}
	if f.Reason != "" {
		line += ". " + f.Reason
	}
	fmt.Fprintln(w.out, terminal.Line(line))
}

// sayKnown reports the files of a round that were added before: a single one by name, many
// of them, as after a restart, on one line.
func (w *watching) sayKnown() {
	files := w.known
	w.known = nil
	if len(files) == 1 || w.json {
		for _, f := range files {
			w.say(f)
		}
		return
	}
	if len(files) > 0 {
		fmt.Fprintf(w.out, "%s  %s déjà connus (%s) : rien n’est repris.\n", moment(time.Now()), count(len(files), "fichier"), byState(files))
	}
}

const (
	// patience is the multiple of the settle time after which a PDF without its end marker is
	// added anyway. Until then, its writer may only be slow.
	patience = 15
	// tail is the number of bytes at the end of a file in which a PDF's end marker must be.
	tail = 2048
)

// scan adds the PDF files of the folder that are complete, and reports those that are refused. It leaves out hidden files
// and those that were handled and have not changed since.
func (w *watching) scan(ctx context.Context) error {
	for _, c := range within(w.dir) {
		info, err := os.Stat(c.path)
		if err != nil || strings.HasPrefix(filepath.Base(c.path), ".") {
			continue
		}
		changed := info.ModTime()
		if last, handled := w.taken[c.path]; handled && last.Equal(changed) {
			continue
		}
		still := time.Since(changed)
		switch {
		case c.err != nil:
			w.say(&added{File: terminal.Clean(c.path), State: refused, Reason: errs.Public(c.err), Documents: []gazettes.IngestedTextBody{}})
		case still < w.settle || still < patience*w.settle && !ends(c.path):
			continue
		default:
			if err := w.take(ctx, c.path); err != nil {
				return err
			}
		}
		w.taken[c.path] = changed
	}
	return nil
}

// ends reports whether a file has a PDF's end marker.
func ends(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // the file is only read
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return false
	}
	last := make([]byte, min(size, tail))
	if _, err := f.ReadAt(last, size-int64(len(last))); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return bytes.Contains(last, []byte("%%EOF"))
}

// take adds one file. It fails only if a store is down; then the file is added later.
func (w *watching) take(ctx context.Context, path string) error {
	f := &added{File: terminal.Clean(path), State: refused, Documents: []gazettes.IngestedTextBody{}}
	err := w.admit(ctx, f, path, func(int64) {})
	if kind := errs.KindOf(err); err != nil && (ctx.Err() != nil || kind == errs.Unavailable || kind == errs.Internal) {
		return err
	}
	if err != nil {
		f.Reason = errs.Public(err)
	}
	if f.pending() {
		w.files = append(w.files, f)
		return nil
	}
	if f.Known {
		w.known = append(w.known, f)
		return nil
	}
	w.say(f)
	return nil
}
