package blobs

import (
	"context"
	"time"

	"vigueur/internal/kit/errs"
)

// migrating is a Store during the migration from an older store: files that it does not
// have yet are read from the older one. New files are written only to the new store.
type migrating struct {
	Store
	older Store
}

// Open implements Store.
func (m migrating) Open(ctx context.Context, sha string) (File, error) {
	file, err := m.Store.Open(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return m.older.Open(ctx, sha)
	}
	return file, err
}

// Local implements Store.
func (m migrating) Local(ctx context.Context, sha string) (path string, release func(), err error) {
	path, release, err = m.Store.Local(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return m.older.Local(ctx, sha)
	}
	return path, release, err
}

// Delete implements Store. It deletes from the older store first: in the other order, a
// concurrent reader could find the file in the older store.
func (m migrating) Delete(ctx context.Context, sha string) error {
	if err := m.older.Delete(ctx, sha); err != nil {
		return err
	}
	return m.Store.Delete(ctx, sha)
}

// List lists the files of the new store only.
func (m migrating) List(ctx context.Context, yield func(sha string, written time.Time) error) error {
	if l, ok := m.Store.(Lister); ok {
		return l.List(ctx, yield)
	}
	return nil
}

// Abandoned implements Tidier for the new store.
func (m migrating) Abandoned(ctx context.Context, remove bool) (int, error) {
	if t, ok := m.Store.(Tidier); ok {
		return t.Abandoned(ctx, remove)
	}
	return 0, nil
}
