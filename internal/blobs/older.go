package blobs

import (
	"context"
	"time"

	"vigueur/internal/errs"
)

// moving is a Store whose files are on their way from an older one: what it does
// not have yet is read from there. New files go to the newer one only.
type moving struct {
	Store
	older Store
}

// Open implements Store.
func (m moving) Open(ctx context.Context, sha string) (File, error) {
	file, err := m.Store.Open(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return m.older.Open(ctx, sha)
	}
	return file, err
}

// Local implements Store.
func (m moving) Local(ctx context.Context, sha string) (path string, release func(), err error) {
	path, release, err = m.Store.Local(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return m.older.Local(ctx, sha)
	}
	return path, release, err
}

// Delete implements Store: in both, the older first, or a reader in between would
// find there what was deleted.
func (m moving) Delete(ctx context.Context, sha string) error {
	if err := m.older.Delete(ctx, sha); err != nil {
		return err
	}
	return m.Store.Delete(ctx, sha)
}

// List lists the files of the newer one: those of the older one are not its to judge.
func (m moving) List(ctx context.Context, yield func(sha string, written time.Time) error) error {
	if l, ok := m.Store.(Lister); ok {
		return l.List(ctx, yield)
	}
	return nil
}

// Abandoned implements Tidier for the newer one.
func (m moving) Abandoned(ctx context.Context, remove bool) (int, error) {
	if t, ok := m.Store.(Tidier); ok {
		return t.Abandoned(ctx, remove)
	}
	return 0, nil
}
