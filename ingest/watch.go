package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/pdfhead"
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
	return a.withAdding(ctx, in, func(r *adding) error { return newWatching(r, dir, settle).run(ctx) })
}

// watching is one run of « ingest watch ».
type watching struct {
	*adding
	dir    string
	settle time.Duration
	seen   map[string]look
	down   bool     // whether it was reported that a store does not respond
	known  []*added // files of this round that were added before
}

func newWatching(r *adding, dir string, settle time.Duration) *watching {
	return &watching{adding: r, dir: dir, settle: settle, seen: map[string]look{}}
}

// run watches the folder and the files in progress until ctx ends.
func (w *watching) run(ctx context.Context) error {
	fmt.Fprintf(w.err, "Surveille %s. Ctrl-C pour cesser ; le traitement continue.\n", terminal.Clean(w.dir))
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
				fmt.Fprintln(w.err, terminal.Clean(errs.Public(err))+" Nouvel essai…")
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

// look is the last observed state of a file.
type look struct {
	size    int64
	mode    fs.FileMode
	changed time.Time // time of modification
	since   time.Time // time at which this state was first observed
	taken   bool      // whether the file was added or rejected in this state
}

// scan examines every file in the folder, adds the complete ones and rejects those that are
// not gazettes.
func (w *watching) scan(ctx context.Context) error {
	there := map[string]bool{}
	for _, c := range below(w.dir) {
		if passing(c.path) {
			continue
		}
		there[c.path] = true
		if err := w.consider(ctx, c); err != nil {
			return err
		}
	}
	for path := range w.seen {
		if !there[path] {
			delete(w.seen, path)
		}
	}
	return nil
}

// below lists the files of a folder, and the folders that could not be read.
func below(root string) (found []candidate) {
	// The callback never returns an error, so WalkDir returns none.
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = append(found, candidate{path, lockedFolder(err)})
		case !e.IsDir():
			found = append(found, candidate{path: path})
		}
		return nil
	})
	return found
}

// passing reports whether a name is typical of temporary or hidden files, which are ignored
// silently.
func passing(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	switch filepath.Ext(name) {
	case ".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp", ".swp":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || strings.HasSuffix(name, "~")
}

// consider examines one file, and adds or rejects it if it has settled.
func (w *watching) consider(ctx context.Context, c candidate) error {
	info, err := os.Lstat(c.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if fileInfo, broken := os.Stat(c.path); broken == nil {
			info = fileInfo
		}
	}
	if err != nil || !w.left(c.path, info) {
		return nil // the file was deleted, may still change, or was handled
	}
	switch {
	case c.err != nil:
		w.refuse(c.path, c.err)
	case info.Mode()&fs.ModeSymlink != 0:
		w.refuse(c.path, errs.New(errs.NotFound, "Le lien mène à un fichier qui n’existe pas."))
	case !info.Mode().IsRegular():
		w.refuse(c.path, errs.New(errs.Invalid, "Ce n’est pas un fichier."))
	case !strings.EqualFold(filepath.Ext(c.path), ".pdf"):
		w.refuse(c.path, errs.New(errs.Unsupported, "Le nom ne finit pas par .pdf : seuls les PDF sont ajoutés."))
	case w.whole(c.path, info):
		return w.take(ctx, c.path)
	}
	return nil
}

// refuse reports, once, why a file is not added.
func (w *watching) refuse(path string, err error) {
	w.settledAs(path)
	w.say(&added{File: terminal.Clean(path), State: refused, Reason: errs.Public(err), Documents: []gazettes.IngestedTextBody{}})
}

// settledAs records that a file was handled in its current state.
func (w *watching) settledAs(path string) {
	last := w.seen[path]
	last.taken = true
	w.seen[path] = last
}

// left reports whether a file has not changed for the settle time and was not handled in
// its current state.
func (w *watching) left(path string, info os.FileInfo) bool {
	last, known := w.seen[path]
	now := time.Now()
	if !known || last.size != info.Size() || last.mode != info.Mode() || !last.changed.Equal(info.ModTime()) {
		w.seen[path] = look{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), since: now}
		return false
	}
	return !last.taken && now.Sub(last.since) >= w.settle
}

// whole reports whether an unchanged file can be handled now: it has a PDF's end marker, it
// cannot become a PDF, or it has not changed for patience times the settle time.
func (w *watching) whole(path string, info os.FileInfo) bool {
	return time.Since(w.seen[path].since) >= patience*w.settle || ends(path) || hopeless(path, info)
}

// hopeless reports whether a file does not begin like a PDF or cannot be read. Such a file
// is rejected without waiting. If it changes, it is examined again.
func hopeless(path string, info os.FileInfo) bool {
	switch kind := errs.KindOf(pdfhead.Check(path)); kind {
	case errs.Invalid:
		return true
	case errs.Unsupported:
		return info.Size() > 0 && !blank(path)
	}
	return false
}

// blank reports whether a file begins with a zero byte, as a preallocated file does.
func blank(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // the file is only read
	first := make([]byte, 1)
	_, err = f.Read(first)
	return err == nil && first[0] == 0
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
	w.settledAs(path)
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
