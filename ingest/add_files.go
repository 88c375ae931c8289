package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/admission"
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
		f := &added{File: clean(c.path), State: refused, Documents: []gazettes.IngestedBody{}}
		m.admit(n, len(found), f.File)
		err := c.err
		if err == nil {
			err = r.admit(ctx, f, c.path)
		}
		switch kind := errs.KindOf(err); {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, new(wrongMetadata)):
			return err
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

// admit adds one file, or reports what is known about it. The server is asked first whether it has these bytes, so
// that they are not sent twice.
func (r *adding) admit(ctx context.Context, f *added, path string) error {
	file, err := admission.Look(ctx, path)
	if err != nil {
		return err
	}
	f.SHA256 = file.SHA256
	row, err := r.server.fileOf(ctx, file.SHA256)
	switch {
	case err != nil:
		return err
	case row != nil:
		return r.admitKnown(ctx, f, *row, file)
	case r.dryRun:
		f.State = wanted
		return nil
	}
	made, err := r.server.upload(ctx, file, r.metadata)
	switch {
	case errs.Is(err, errs.Conflict): // the same bytes were added concurrently
		if row, err = r.server.fileOf(ctx, file.SHA256); err != nil || row == nil {
			return err
		}
		return r.admitKnown(ctx, f, *row, file)
	case errs.Is(err, errs.Invalid):
		return wrongMetadata{err}
	case err == nil:
		r.take(f, made)
	}
	return err
}

// wrongMetadata is the error of what was said of all files.
type wrongMetadata struct{ error }

// Unwrap returns the error that has the kind.
func (w wrongMetadata) Unwrap() error { return w.error }

// admitKnown reports that the bytes were added before. If requested, it retries a file that
// did not end successfully.
func (r *adding) admitKnown(ctx context.Context, f *added, row gazettes.IngestionBody, file admission.File) error {
	f.Known = true
	f.Reason = fmt.Sprintf(known+" : mêmes octets que %s, ajouté le %s.", cleanLine(row.Filename), momentOf(row.CreatedAt))
	ended := row.State == "failed" || row.State == "cancelled" || r.retry && endedState(row.State) && row.Unread > 0
	switch {
	case ended && !r.retry:
		r.take(f, row)
		f.Reason = strings.TrimSpace(value(row.Error) + " (Déjà connu ; « ingest add --retry » le reprend.)")
	case ended && r.dryRun:
		r.take(f, row)
		f.State = wanted
	case !ended:
		r.take(f, row)
	default:
		// The file is sent once more, because its bytes may be what is missing.
		if _, err := r.server.upload(ctx, file, nil); err != nil && !errs.Is(err, errs.Conflict) {
			return err
		}
		return r.again(ctx, f, row.ID)
	}
	return nil
}

// again queues a failed or cancelled file, with the operator's new metadata.
func (r *adding) again(ctx context.Context, f *added, id uuid.UUID) error {
	var said any
	if len(r.metadata) > 0 {
		said = r.metadata
	}
	var row gazettes.IngestionBody
	if err := r.server.call(ctx, http.MethodPost, "/admin/ingestions/"+id.String()+"/retry", nil, said, &row); err != nil {
		return err
	}
	r.take(f, row)
	return nil
}

// endedState reports whether no worker will touch a file in this state.
func endedState(state string) bool { return state != "queued" && state != "running" }
