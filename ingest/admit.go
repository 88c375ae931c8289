package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"vigueur/internal/blobs"
	"vigueur/internal/errs"
	"vigueur/internal/pdftext"
	"vigueur/internal/postgres"
)

// maxSize is the greatest file taken in, the same as over HTTP.
const maxSize = 256 << 20

// maxFilename is the longest name kept of a file, in bytes, as file systems have it.
const maxFilename = 255

// candidate is a path that was found, or why it could not be.
type candidate struct {
	path string
	err  error
}

// collect lists the files that the arguments name: files as they are, folders
// by the PDF files in them, in the order of their names.
func collect(args []string) (found []candidate) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			found = append(found, candidate{path: arg}) // what is wrong with it is said when it is looked at
			continue
		}
		inside := within(arg)
		if len(inside) == 0 {
			inside = []candidate{{arg, errs.New(errs.NotFound, "Aucun fichier PDF dans ce dossier.")}}
		}
		found = append(found, inside...)
	}
	return found
}

// within lists the PDF files below a folder, and the folders that could not be read.
func within(root string) (found []candidate) {
	// The function never returns an error, so WalkDir gives none.
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = append(found, candidate{path, errs.Wrap(errs.Forbidden, "Ce dossier ne peut pas être lu : vérifiez les droits d’accès.", err)})
		case !e.IsDir() && strings.EqualFold(filepath.Ext(path), ".pdf"):
			found = append(found, candidate{path: path})
		}
		return nil
	})
	return found
}

// admitAll takes in every file; only a store that is down, or Ctrl-C, ends it early.
func (r *adding) admitAll(ctx context.Context, args []string) error {
	found := collect(args)
	m := r.meter()
	defer m.end()
	for n, c := range found {
		f := &added{File: clean(c.path), State: refused, Documents: []postgres.IngestedDocument{}}
		m.admit(n, len(found), f.File)
		err := c.err
		if err == nil {
			err = r.admit(ctx, f, c.path)
		}
		switch kind := errs.KindOf(err); {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case kind == errs.Unavailable || kind == errs.Internal:
			return fmt.Errorf("%s: %w", f.File, err)
		default:
			f.Reason = errs.Public(err)
		}
		f.base = f.PagesDone
		r.files = append(r.files, f)
	}
	return nil
}

// admit checks one file, stores its bytes, makes its row and tells the workers.
func (r *adding) admit(ctx context.Context, f *added, path string) error {
	if err := pdftext.Check(path); err != nil {
		return err
	}
	size, err := f.hash(ctx, path)
	if err != nil {
		return err
	}
	row, err := r.db.IngestionBySHA(ctx, f.SHA256)
	if err == nil {
		return r.admitKnown(ctx, f, row, path)
	}
	if !errs.Is(err, errs.NotFound) {
		return err
	}
	if r.dryRun {
		f.State = wanted
		return nil
	}
	row = postgres.Ingestion{ID: postgres.NewID(), SHA256: f.SHA256, Filename: filename(path), Size: size, State: "queued",
		Stage: "queued", Metadata: r.metadata}
	err = r.storeAndAdd(ctx, row, path)
	if errs.Is(err, errs.NotFound) { // somebody dropped the same bytes in between
		err = r.storeAndAdd(ctx, row, path)
	}
	if errs.Is(err, errs.Conflict) { // another add was quicker
		if row, err = r.db.IngestionBySHA(ctx, f.SHA256); err != nil {
			return err
		}
		return r.admitKnown(ctx, f, row, path)
	}
	if err != nil {
		return err
	}
	r.take(f, row)
	return r.queue.EnqueueIngestion(ctx, row.ID)
}

// storeAndAdd stores the bytes, then makes the row: a row without its file could
// only fail.
func (r *adding) storeAndAdd(ctx context.Context, row postgres.Ingestion, path string) error {
	if err := r.put(ctx, row.SHA256, path); err != nil {
		return err
	}
	return r.db.AddFile(ctx, row, func(ctx context.Context) error { return blobs.There(ctx, r.store, row.SHA256) })
}

// admitKnown says that the bytes are there already; it takes up again what is
// not done, when that is asked for.
func (r *adding) admitKnown(ctx context.Context, f *added, row postgres.Ingestion, path string) error {
	f.Known = true
	f.Reason = fmt.Sprintf(known+" : mêmes octets que %s, ajouté le %s.", cleanLine(row.Filename), moment(row.CreatedAt))
	ended := row.State == "failed" || row.State == "cancelled" || r.retry && row.Ended() && row.Unread > 0
	if ended && !r.retry {
		r.take(f, row)
		f.Reason = strings.TrimSpace(row.Error + " (Déjà connu ; « ingest add --retry » le reprend.)")
		return nil
	}
	if !ended && row.Ended() || r.dryRun {
		if r.take(f, row); ended {
			f.State = wanted
		}
		return nil
	}
	if _, release, err := r.store.Local(ctx, f.SHA256); err == nil {
		release()
	} else if err := r.put(ctx, f.SHA256, path); err != nil {
		return err
	}
	if ended {
		if err := r.again(ctx, &row); err != nil {
			return err
		}
	}
	r.take(f, row)
	return r.queue.EnqueueIngestion(ctx, row.ID)
}

// again queues a file that failed or was cancelled, with what the operator says
// of it now.
func (r *adding) again(ctx context.Context, row *postgres.Ingestion) error {
	if err := r.db.RetryIngestion(ctx, row.ID, r.metadata); err != nil {
		return err
	}
	row.State, row.Error = "queued", ""
	return nil
}

// hash reads the file through and notes its hash; it gives its size.
func (f *added) hash(ctx context.Context, path string) (size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, unreadable(err)
	}
	defer file.Close() // it is only read
	sum := sha256.New()
	size, err = io.Copy(sum, &interruptible{ctx, io.LimitReader(file, maxSize+1)})
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, unreadable(err)
	case size > maxSize:
		return 0, errs.Newf(errs.TooLarge, "Le fichier dépasse %s.", bytesOf(maxSize))
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return size, nil
}

func (r *adding) put(ctx context.Context, sha, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return unreadable(err)
	}
	return errors.Join(r.store.Put(ctx, sha, file), file.Close())
}

func unreadable(err error) error {
	return errs.Wrap(errs.Forbidden, "Le fichier ne peut pas être lu : vérifiez les droits d’accès.", err)
}

// filename is the name that is kept of a path.
func filename(path string) string {
	name := cleanLine(filepath.Base(path))
	for len(name) > maxFilename {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name
}

// interruptible is a reader that ends with its context.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
