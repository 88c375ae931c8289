package blobs

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
	"syscall"
	"time"

	"vigueur/internal/kit/errs"
)

// Folder is a Store in a folder: root/ab/cd/abcd…, readable only by its owner.
type Folder struct {
	root string
}

// incoming is the folder of temporary files; it is inside the root so that renames stay
// within one file system.
const incoming = "incoming"

// abandonedAge is the age from which a temporary file is considered to belong to a crashed
// process.
const abandonedAge = 24 * time.Hour

// NewFolder opens the folder at root, creates it if necessary, and removes the temporary
// files of crashed processes.
func NewFolder(root string) (*Folder, error) {
	f := &Folder{root: root}
	if err := os.MkdirAll(filepath.Join(root, incoming), 0o700); err != nil {
		return nil, f.classify("open", err)
	}
	entries, err := os.ReadDir(filepath.Join(root, incoming))
	if err != nil {
		return nil, f.classify("open", err)
	}
	for _, e := range entries {
		// Ignore errors: another process may be removing the file, too.
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandonedAge {
			_ = os.Remove(filepath.Join(root, incoming, e.Name()))
		}
	}
	return f, nil
}

// Path returns the path for a hash, whether or not the file exists.
func (f *Folder) Path(sha string) string {
	return filepath.Join(f.root, sha[:2], sha[2:4], sha)
}

// Put implements Store.
func (f *Folder) Put(ctx context.Context, sha string, r io.Reader) error {
	if err := checkName(sha); err != nil {
		return err
	}
	aside, err := os.CreateTemp(filepath.Join(f.root, incoming), sha[:16]+"-*")
	if err != nil {
		return f.classify("put "+sha, err)
	}
	defer os.Remove(aside.Name()) // fails after the rename
	if err := fill(ctx, aside, sha, r); err != nil {
		return f.classify("put "+sha, err)
	}
	return f.classify("put "+sha, f.rename(aside.Name(), sha))
}

// fill writes the content of r to file, verifies its hash, and syncs and closes the file.
func fill(ctx context.Context, file *os.File, sha string, r io.Reader) error {
	sum := sha256.New()
	_, err := io.Copy(io.MultiWriter(file, sum), &reader{ctx: ctx, r: r})
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != sha {
		return errs.Wrap(errs.Conflict, "Le fichier a changé pendant sa lecture.", fmt.Errorf("content has hash %s", got))
	}
	return nil
}

// rename moves a complete file to its final name. It syncs the folders afterwards, because
// otherwise a power failure could undo the rename.
func (f *Folder) rename(aside, sha string) error {
	path := f.Path(sha)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.Rename(aside, path); err != nil {
		return err
	}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path)), f.root} {
		if err := syncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open implements Store.
func (f *Folder) Open(ctx context.Context, sha string) (File, error) {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return nil, err
	}
	file, err := os.Open(f.Path(sha))
	if err != nil {
		return nil, f.classify("open "+sha, err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, f.classify("open "+sha, errors.Join(err, file.Close()))
	}
	return &folderFile{File: file, size: info.Size()}, nil
}

// folderFile is an open file that knows its size.
type folderFile struct {
	*os.File
	size int64
}

// Size implements File.
func (f *folderFile) Size() int64 { return f.size }

// Local implements Store. It returns the path of the file itself.
func (f *Folder) Local(ctx context.Context, sha string) (path string, release func(), err error) {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return "", nil, err
	}
	if _, err := os.Stat(f.Path(sha)); err != nil {
		return "", nil, f.classify("local "+sha, err)
	}
	return f.Path(sha), func() {}, nil
}

// Delete implements Store.
func (f *Folder) Delete(ctx context.Context, sha string) error {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return err
	}
	if err := os.Remove(f.Path(sha)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.classify("delete "+sha, err)
	}
	return nil
}

// classify wraps err in the matching kind of package errs, unless it has a kind.
func (f *Folder) classify(what string, err error) error {
	if err == nil {
		return nil
	}
	wrapped := fmt.Errorf("blobs: %s: %w", what, err)
	var known *errs.Error
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return wrapped
	case errors.Is(err, fs.ErrNotExist):
		return errs.Wrap(errs.NotFound, "Le fichier PDF n’est plus dans le dossier des fichiers.", wrapped)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return errs.Wrap(errs.Unavailable, "Il ne reste plus de place dans le dossier des fichiers.", wrapped)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return errs.Wrap(errs.Unavailable, "Le dossier des fichiers n’est pas accessible : vérifiez ses droits.", wrapped)
	}
	return errs.Wrap(errs.Unavailable, "Le dossier des fichiers ne répond pas.", wrapped)
}

// reader returns the context's error once the context has ended.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// List implements Lister. It skips files that are deleted meanwhile.
func (f *Folder) List(ctx context.Context, yield func(sha string, written time.Time) error) error {
	return filepath.WalkDir(f.root, func(_ string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return f.classify("list", err)
		case e.IsDir() && e.Name() == incoming:
			return fs.SkipDir
		case e.IsDir() || checkName(e.Name()) != nil:
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil //nolint:nilerr // the file was deleted
		}
		return yield(e.Name(), info.ModTime())
	})
}
