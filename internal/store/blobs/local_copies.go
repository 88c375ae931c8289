package blobs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

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
// ended. Each reader has a hard link of its own, so that the copy itself can go at any time.
type copies struct {
	limit     int64
	fetching  singleflight.Group
	forgotten atomic.Int64 // counts the calls of forget

	mu   sync.Mutex
	dir  string
	lock *flock.Flock
}

func newCopies(limit int64) *copies { return &copies{limit: limit} }

// open creates the folder unless it exists.
func (c *copies) open() error {
	c.mu.Lock()
	defer c.mu.Unlock()
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

// take returns a path of the copy of a file, which is valid until release is called. If there is no copy, fetch writes
// it, once for all concurrent callers.
func (c *copies) take(ctx context.Context, sha string, fetch func(context.Context, io.Writer) error) (path string, release func(), err error) {
	if err := c.open(); err != nil {
		return "", nil, err
	}
	copied, own := filepath.Join(c.dir, sha), filepath.Join(c.dir, "read-"+uuid.NewString())
	for {
		err := os.Link(copied, own)
		if err == nil {
			_ = os.Chtimes(copied, time.Time{}, time.Now()) // it may be gone already
			return own, func() { _ = os.Remove(own) }, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, copiesFault(err)
		}
		var mine atomic.Bool // this call fetches, and not another that began earlier
		fetched := c.fetching.DoChan(sha, func() (any, error) {
			mine.Store(true)
			previous := c.forgotten.Load()
			err := writeCopy(ctx, copied, fetch)
			if c.forgotten.Load() != previous { // the file may have been deleted meanwhile
				_ = os.Remove(copied)
			}
			c.shrink()
			return nil, err
		})
		select {
		case <-ctx.Done():
			if mine.Load() {
				<-fetched // it ends now, too, and leaves nothing behind
			}
			return "", nil, context.Cause(ctx)
		case r := <-fetched:
			// The time of another call may be over, not this one's, so try again.
			if r.Err != nil && (mine.Load() || !errors.Is(r.Err, context.Canceled) && !errors.Is(r.Err, context.DeadlineExceeded)) {
				return "", nil, r.Err
			}
		}
	}
}

// writeCopy writes to a temporary file and renames it when it is complete.
func writeCopy(ctx context.Context, path string, fetch func(context.Context, io.Writer) error) error {
	aside, err := os.CreateTemp(filepath.Dir(path), "half-*")
	if err != nil {
		return copiesFault(err)
	}
	defer os.Remove(aside.Name()) // fails after the rename
	err = fetch(ctx, aside)
	if closeErr := aside.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		return copiesFault(err)
	}
	return nil
}

// forget makes the next caller fetch the file again. Current readers keep theirs.
func (c *copies) forget(sha string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forgotten.Add(1)
	if c.dir != "" { // else nothing was copied yet
		_ = os.Remove(filepath.Join(c.dir, sha)) // there may be none
	}
}

// shrink removes copies, the least recently used first, until their size is within the limit. It ignores errors,
// because another call may have removed a copy.
func (c *copies) shrink() {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, _ := os.ReadDir(c.dir)
	var held []fs.FileInfo
	total := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && len(info.Name()) == 2*sha256.Size {
			held = append(held, info)
			total += info.Size()
		}
	}
	slices.SortFunc(held, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range held {
		if total > c.limit {
			total -= info.Size()
			_ = os.Remove(filepath.Join(c.dir, info.Name()))
		}
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
