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

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

const (
	// patience is how many times as long a file that ends in the middle must be
	// left alone before it is taken for whole: whoever writes it may be slow.
	patience = 15
	// tail is within how many bytes of its end a whole PDF says that it ends.
	tail = 2048
)

func (a *app) watchCommand() *cobra.Command {
	var o addOptions
	var settle time.Duration
	c := &cobra.Command{
		Use: "watch DOSSIER", Short: "Ajoute les gazettes qui arrivent dans un dossier",
		Long: "Ajoute chaque fichier *.pdf d’un dossier et de ses sous-dossiers, puis ceux qui y arrivent, jusqu’à Ctrl-C.\n" +
			"Un fichier est pris quand il n’a plus changé depuis --settle ; s’il lui manque sa fin, on attend bien plus\n" +
			"longtemps. Un fichier qui change est repris. Relancée, la commande ne reprend rien de ce qui est connu.",
		Args: takes(1, 1, "un dossier"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if settle < 100*time.Millisecond || settle > time.Hour {
				return usage("--settle va de 100ms à 1h.")
			}
			if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
				return usage("« %s » n’est pas un dossier.", cleanLine(args[0]))
			}
			return a.withAdding(c.Context(), o, func(r *adding) error { return newWatching(r, args[0], settle).run(c.Context()) })
		},
	}
	c.Flags().DurationVar(&settle, "settle", 2*time.Second, "`DURÉE` sans changement au bout de laquelle un fichier est entier (2s par défaut)")
	c.Flags().Lookup("settle").DefValue = "0s" // or pflag would tell it in English
	o.said = metadataFlags(c)
	return c
}

// watching is one run of « ingest watch ».
type watching struct {
	*adding
	dir    string
	settle time.Duration
	seen   map[string]look
	down   bool     // it was said that a store is silent
	known  []*added // found in this round, and nothing is to be done about them
}

// look is how a file was when it was last looked at.
type look struct {
	size    int64
	changed time.Time // as the file says
	since   time.Time // when it was first seen so
	taken   bool
}

func newWatching(r *adding, dir string, settle time.Duration) *watching {
	return &watching{adding: r, dir: dir, settle: settle, seen: map[string]look{}}
}

// run looks at the folder and at the files under way until ctx ends.
func (w *watching) run(ctx context.Context) error {
	fmt.Fprintf(w.err, "Surveille %s. Ctrl-C pour cesser ; le traitement continue.\n", clean(w.dir))
	every := time.NewTicker(max(w.settle/4, w.poll))
	defer every.Stop()
	progress := &watch{adding: w.adding, meter: newLines(w.err), moved: time.Now(), heard: time.Now()}
	for {
		if err := w.round(ctx, progress); err != nil && ctx.Err() == nil {
			if !errs.Is(err, errs.Unavailable) {
				return err
			}
			if !w.down { // files and rows are safe: it goes on when the store is back
				fmt.Fprintln(w.err, clean(errs.Public(err))+" Nouvel essai…")
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

// round takes in what has become whole, and tells what has ended.
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
	progress.next = 0
	return nil
}

// say tells what became of a file.
func (w *watching) say(f *added) {
	if w.json {
		_ = writeJSONLine(w.out, f) // the reader may have gone; the files go in all the same
		return
	}
	line := fmt.Sprintf("%s  %s : %s", moment(time.Now()), f.File, stateName(f.State))
	if f.texts > 0 {
		line += fmt.Sprintf(", %s, %s", count(f.texts, "texte"), count(f.Articles, "article"))
	}
	if f.Reason != "" {
		line += ". " + f.Reason
	}
	fmt.Fprintln(w.out, cleanLine(line))
}

// sayKnown tells of the files of a round that were there before: of one by
// itself, of a folder full, as at a restart, in one line.
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

// scan looks at every file of the folder, and takes in those that are whole.
func (w *watching) scan(ctx context.Context) error {
	there := map[string]bool{}
	for _, c := range within(w.dir) {
		if c.err != nil || strings.HasPrefix(filepath.Base(c.path), ".") {
			continue
		}
		there[c.path] = true
		info, err := os.Stat(c.path)
		if err != nil || !info.Mode().IsRegular() || !w.whole(c.path, info) {
			continue
		}
		if err := w.take(ctx, c.path); err != nil {
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

// whole tells whether a file is to be taken in now: it has been left alone for
// long enough and was not taken in as it is.
func (w *watching) whole(path string, info os.FileInfo) bool {
	last, known := w.seen[path]
	now := time.Now()
	if !known || last.size != info.Size() || !last.changed.Equal(info.ModTime()) {
		w.seen[path] = look{size: info.Size(), changed: info.ModTime(), since: now}
		return false
	}
	still := now.Sub(last.since)
	return !last.taken && still >= w.settle && (still >= patience*w.settle || ends(path))
}

// ends tells whether a PDF says that it ends.
func ends(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // it is only read
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

// take takes one file in; only a store that is down is an error, and then the
// file is taken in later.
func (w *watching) take(ctx context.Context, path string) error {
	f := &added{File: clean(path), State: refused, Documents: []postgres.IngestedDocument{}}
	err := w.admit(ctx, f, path)
	if kind := errs.KindOf(err); err != nil && (ctx.Err() != nil || kind == errs.Unavailable || kind == errs.Internal) {
		return err
	}
	if err != nil {
		f.Reason = errs.Public(err)
	}
	last := w.seen[path]
	last.taken = true
	w.seen[path] = last
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
