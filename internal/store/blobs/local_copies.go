package blobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"vigueur/internal/kit/errs"
)

// copiesLimit is the maximum total size, in bytes, of copies that are not in use. They are
// cached because the pages of a gazette are requested one after another.
const copiesLimit = 2 << 30

const (
	// copiesName is the prefix of the names of all processes' folders of copies.
	copiesName = "vigueur-files-"
	// lockName is the name of the file in each folder that its process keeps locked.
	lockName = "lock"
)

// copies caches files of a bucket in a folder below TMPDIR that only this process uses. The
// first copy creates the folder, and then also removes the folders of processes that have
// ended.
type copies struct {
	limit int64

	mu   sync.Mutex
	dir  string
	lock *flock.Flock
	held map[string]*localCopy
}

// localCopy is one cached file. ready is closed when the file is complete, or when fetching
// it failed with err.
type localCopy struct {
	path    string
	ready   chan struct{}
	err     error
	size    int64
	readers int
	used    time.Time // time at which the last reader released it
	stale   bool      // whether the last reader must remove it
}

func newCopies(limit int64) *copies { return &copies{limit: limit, held: map[string]*localCopy{}} }

// open creates the folder unless it exists. The caller must hold the mutex of c.
func (c *copies) open() error {
	if c.dir != "" {
		return nil
	}
	parent := os.TempDir()
	sweepCopies(parent)
	dir, err := os.MkdirTemp(parent, copiesName+"*")
	if err != nil {
		return copiesFault(err)
	}
	lock := flock.New(filepath.Join(dir, lockName))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return copiesFault(errors.Join(err, lock.Close(), errors.New("the lock of a new folder is taken")))
	}
	c.dir, c.lock = dir, lock
	return nil
}

// sweepCopies removes the folders of processes that have ended. It ignores errors, because
// the folders of other accounts cannot be opened.
func sweepCopies(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, copiesName+"*"))
	for _, dir := range dirs {
		lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDWR)) // which creates none
		locked, err := lock.TryLock()
		if err != nil {
			// A folder that another process is creating has no lock file yet.
			if info, statErr := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && statErr == nil && time.Since(info.ModTime()) > abandonedAge {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		if locked {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}

// take returns the path of the copy of a file. If there is no copy, fetch writes it, once
// for all concurrent callers.
func (c *copies) take(ctx context.Context, sha string, fetch func(context.Context, io.Writer) error) (string, func(), error) {
	for {
		c.mu.Lock()
		known := c.held[sha]
		if known == nil {
			if err := c.open(); err != nil {
				c.mu.Unlock()
				return "", nil, err
			}
			known = &localCopy{path: filepath.Join(c.dir, sha), ready: make(chan struct{}), readers: 1}
			c.held[sha] = known
			c.mu.Unlock()
			return c.fill(ctx, sha, known, fetch)
		}
		known.readers++
		c.mu.Unlock()
		select {
		case <-known.ready:
		case <-ctx.Done():
			c.leave(sha, known)
			return "", nil, context.Cause(ctx)
		}
		if known.err == nil {
			return known.path, sync.OnceFunc(func() { c.leave(sha, known) }), nil
		}
		// The caller that fetched the copy may have been canceled, so try again.
		c.leave(sha, known)
	}
}

// fill fetches a copy and wakes the callers that wait for it.
func (c *copies) fill(ctx context.Context, sha string, copied *localCopy, fetch func(context.Context, io.Writer) error) (string, func(), error) {
	size, err := writeCopy(ctx, copied.path, fetch)
	c.mu.Lock()
	copied.size, copied.err = size, err
	if err != nil && c.held[sha] == copied {
		delete(c.held, sha)
	}
	c.mu.Unlock()
	close(copied.ready)
	if err != nil {
		return "", nil, err
	}
	return copied.path, sync.OnceFunc(func() { c.leave(sha, copied) }), nil
}

// writeCopy writes to a temporary file and renames it when it is complete.
func writeCopy(ctx context.Context, path string, fetch func(context.Context, io.Writer) error) (size int64, err error) {
	aside, err := os.CreateTemp(filepath.Dir(path), "half-*")
	if err != nil {
		return 0, copiesFault(err)
	}
	defer os.Remove(aside.Name()) // fails after the rename
	counted := &countingWriter{w: aside}
	err = fetch(ctx, counted)
	if closeErr := aside.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		return 0, copiesFault(err)
	}
	return counted.n, nil
}

// countingWriter counts the bytes written to it.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err //nolint:wrapcheck // a writer in between
}

// leave records that a reader no longer needs a copy, and removes unused copies beyond the
// limit.
func (c *copies) leave(sha string, copied *localCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	copied.readers--
	copied.used = time.Now()
	if copied.readers == 0 && copied.stale {
		_ = os.Remove(copied.path)
	}
	if c.held[sha] == copied {
		c.shrink()
	}
}

// forget makes the next caller fetch the file again. Current readers keep their copy.
func (c *copies) forget(sha string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := c.held[sha]
	if copied == nil {
		return
	}
	delete(c.held, sha)
	if copied.stale = true; copied.readers == 0 {
		_ = os.Remove(copied.path)
	}
}

// shrink removes unused copies, the least recently used first, until their size is within
// the limit. The caller must hold the mutex.
func (c *copies) shrink() {
	var idle []string
	var total int64
	for sha, copied := range c.held {
		if copied.readers == 0 {
			idle = append(idle, sha)
			total += copied.size
		}
	}
	slices.SortFunc(idle, func(a, b string) int {
		return cmp.Or(c.held[a].used.Compare(c.held[b].used), cmp.Compare(a, b))
	})
	for _, sha := range idle {
		if total <= c.limit {
			return
		}
		total -= c.held[sha].size
		_ = os.Remove(c.held[sha].path)
		delete(c.held, sha)
	}
}

// copiesFault gives an error of this machine's disk a kind, unless it has one.
func copiesFault(err error) error {
	var known *errs.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	wrapped := fmt.Errorf("blobs: local copy: %w", err)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errs.Wrap(errs.Unavailable, "Il ne reste plus de place pour la copie d’un fichier PDF (TMPDIR).", wrapped)
	}
	return errs.Wrap(errs.Unavailable, "La copie d’un fichier PDF n’a pas pu être écrite (TMPDIR).", wrapped)
}
