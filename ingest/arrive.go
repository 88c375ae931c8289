package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/pdfhead"
	"vigueur/internal/postgres"
)

const (
	// patience is how many times as long a file that ends in the middle must be
	// left alone before it is taken for whole: whoever writes it may be slow.
	patience = 15
	// tail is within how many bytes of its end a whole PDF says that it ends.
	tail = 2048
)

// look is how a file was when it was last looked at.
type look struct {
	size    int64
	mode    fs.FileMode
	changed time.Time // as the file says
	since   time.Time // when it was first seen so
	taken   bool      // it was taken in, or refused, as it is
}

// scan looks at every file of the folder, takes in those that are whole and
// refuses what is no gazette.
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

// below lists what a folder holds, and the folders that could not be read.
func below(root string) (found []candidate) {
	// The function never returns an error, so WalkDir gives none.
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

// passing tells whether a name is one that programs give to what they keep for
// themselves or are still writing: it is neither taken in nor told of.
func passing(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	switch filepath.Ext(name) {
	case ".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp", ".swp":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || strings.HasSuffix(name, "~")
}

// consider looks at one file, and takes it in or refuses it where it is time to.
func (w *watching) consider(ctx context.Context, c candidate) error {
	info, err := os.Lstat(c.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if to, broken := os.Stat(c.path); broken == nil {
			info = to
		}
	}
	if err != nil || !w.left(c.path, info) {
		return nil // it has gone, or may still change, or was seen to
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

// refuse tells, once, why a file is not taken in.
func (w *watching) refuse(path string, err error) {
	w.settledAs(path)
	w.say(&added{File: clean(path), State: refused, Reason: errs.Public(err), Documents: []postgres.IngestedDocument{}})
}

// settledAs notes that nothing more is to be done about a file as it is.
func (w *watching) settledAs(path string) {
	last := w.seen[path]
	last.taken = true
	w.seen[path] = last
}

// left tells whether a file has been left alone for long enough and nothing was
// done about it as it is.
func (w *watching) left(path string, info os.FileInfo) bool {
	last, known := w.seen[path]
	now := time.Now()
	if !known || last.size != info.Size() || last.mode != info.Mode() || !last.changed.Equal(info.ModTime()) {
		w.seen[path] = look{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), since: now}
		return false
	}
	return !last.taken && now.Sub(last.since) >= w.settle
}

// whole tells whether a file that was left alone is to be taken in now: it says
// that it ends, or is none that could, or has been waited for for long enough.
func (w *watching) whole(path string, info os.FileInfo) bool {
	return time.Since(w.seen[path].since) >= patience*w.settle || ends(path) || hopeless(path, info)
}

// hopeless tells whether a file begins as no PDF does, or cannot be read: it will
// be refused, and there is no reason to wait. Should it change, it is looked at
// again.
func hopeless(path string, info os.FileInfo) bool {
	switch kind := errs.KindOf(pdfhead.Check(path)); kind {
	case errs.Invalid:
		return true
	case errs.Unsupported:
		return info.Size() > 0 && !blank(path)
	}
	return false
}

// blank tells whether a file begins with a zero, as one does whose room was taken
// before its bytes came.
func blank(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // it is only read
	first := make([]byte, 1)
	_, err = f.Read(first)
	return err == nil && first[0] == 0
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
