package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
	"vigueur/internal/work/queue"
)

// candidate is a path that was found, or the error that occurred instead.
type candidate struct {
	path string
	err  error
}

// collect lists the files that the arguments name: the given files, and the PDF files in
// the given folders, sorted by name.
func collect(args []string) (found []candidate) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			found = append(found, candidate{path: arg}) // an error is reported when the file is opened
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
	// The callback never returns an error, so WalkDir returns none.
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = append(found, candidate{path, lockedFolder(err)})
		case !e.IsDir() && strings.EqualFold(filepath.Ext(path), ".pdf"):
			found = append(found, candidate{path: path})
		}
		return nil
	})
	return found
}

func lockedFolder(err error) error {
	return errs.Wrap(errs.Forbidden, "Ce dossier ne peut pas être lu : vérifiez les droits d’accès.", err)
}

// admitAll adds every file. It ends early only if a store is down, or on Ctrl-C.
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

// admit adds one file, or reports what is known about it.
func (r *adding) admit(ctx context.Context, f *added, path string) error {
	file, err := admission.Look(ctx, path)
	if err != nil {
		return err
	}
	f.SHA256 = file.SHA256
	look := r.door.Admit
	if r.dryRun {
		look = func(ctx context.Context, file admission.File, _ json.RawMessage) (postgres.Ingestion, bool, error) {
			return r.door.Known(ctx, file.SHA256)
		}
	}
	row, known, err := look(ctx, file, r.metadata)
	switch {
	case known && err == nil:
		return r.admitKnown(ctx, f, row, file)
	case err == nil && r.dryRun:
		f.State = wanted
	case row.State != "": // the row was added, even if its hint was not enqueued
		r.take(f, row)
	}
	return err
}

// admitKnown reports that the bytes were added before. If requested, it retries a file that
// did not end successfully.
func (r *adding) admitKnown(ctx context.Context, f *added, row postgres.Ingestion, file admission.File) error {
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
	if err := r.door.Restore(ctx, file); err != nil {
		return err
	}
	if ended {
		if err := r.again(ctx, &row); err != nil {
			return err
		}
	}
	r.take(f, row)
	return r.queue.Enqueue(ctx, queue.Ingestions, row.ID)
}

// again queues a failed or cancelled file, with the operator's new metadata.
func (r *adding) again(ctx context.Context, row *postgres.Ingestion) error {
	if err := r.db.RetryIngestion(ctx, row.ID, r.metadata); err != nil {
		return err
	}
	row.State, row.Error = "queued", ""
	return nil
}
