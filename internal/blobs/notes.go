package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/minio/minio-go/v7"

	"vigueur/internal/errs"
)

// Shelf is a store that also holds notes: small texts with names, such as the manifest of a
// backup. A note is written atomically, and may be overwritten.
type Shelf interface {
	Store
	// PutNote writes a note; its name has letters, digits, « - », « _ » and « . ».
	PutNote(ctx context.Context, name string, text []byte) error
	// Note reads a note; NotFound if there is none.
	Note(ctx context.Context, name string) ([]byte, error)
	// Notes lists the names of all notes in order.
	Notes(ctx context.Context) ([]string, error)
}

const (
	notesName = "notes"
	// noteLimit is the largest note in bytes: the list of a million files.
	noteLimit = 256 << 20
)

var noteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func checkNote(name string) error {
	if !noteName.MatchString(name) {
		return errs.Newf(errs.Invalid, "« %.80s » ne peut pas nommer une note", name)
	}
	return nil
}

// PutNote implements Shelf.
func (f *Folder) PutNote(ctx context.Context, name string, text []byte) error {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return err
	}
	err := func() error {
		if err := os.MkdirAll(filepath.Join(f.root, notesName), 0o700); err != nil {
			return err
		}
		aside, err := os.CreateTemp(filepath.Join(f.root, incoming), "note-*")
		if err != nil {
			return err
		}
		defer os.Remove(aside.Name()) // no longer there after the rename
		_, err = aside.Write(text)
		if err == nil {
			err = aside.Sync()
		}
		if err := errors.Join(err, aside.Close()); err != nil {
			return err
		}
		if err := os.Rename(aside.Name(), filepath.Join(f.root, notesName, name)); err != nil {
			return err
		}
		return errors.Join(syncFolder(filepath.Join(f.root, notesName)), syncFolder(f.root))
	}()
	return f.classify("note "+name, err)
}

// Note implements Shelf.
func (f *Folder) Note(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(f.root, notesName, name))
	return text, f.classify("note "+name, err)
}

// Notes implements Shelf.
func (f *Folder) Notes(ctx context.Context) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(f.root, notesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ctx.Err()
	}
	for _, e := range entries {
		if !e.IsDir() && checkNote(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, f.classify("notes", errors.Join(ctx.Err(), err))
}

func (b *Bucket) noteKey(name string) string { return path.Join(b.prefix, notesName, name) }

// PutNote implements Shelf.
func (b *Bucket) PutNote(ctx context.Context, name string, text []byte) error {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return err
	}
	_, err := b.client.PutObject(ctx, b.bucket, b.noteKey(name), bytes.NewReader(text), int64(len(text)),
		minio.PutObjectOptions{ContentType: "application/json", SendContentMd5: true})
	return b.classify("note "+name, err)
}

// Note implements Shelf.
func (b *Bucket) Note(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return nil, err
	}
	object, err := b.client.GetObject(ctx, b.bucket, b.noteKey(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.classify("note "+name, err)
	}
	defer object.Close()
	text, err := io.ReadAll(io.LimitReader(object, noteLimit+1))
	if err == nil && len(text) > noteLimit {
		err = errs.Newf(errs.Unprocessable, "La note « %s » est trop longue.", name)
	}
	return text, b.classify("note "+name, err)
}

// Notes implements Shelf.
func (b *Bucket) Notes(ctx context.Context) (names []string, err error) {
	for object := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.noteKey("") + "/", Recursive: true}) {
		if object.Err != nil {
			return nil, b.classify("notes", object.Err)
		}
		if name := path.Base(object.Key); object.Key == b.noteKey(name) && checkNote(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, b.classify("notes", ctx.Err())
}

// OpenShelf opens the store at an address, with its notes.
func OpenShelf(address, key string) (Shelf, error) {
	store, err := open(address, key)
	if err != nil {
		return nil, err
	}
	shelf, ok := store.(Shelf)
	if !ok {
		return nil, fmt.Errorf("blobs: %T keeps no notes", store)
	}
	return shelf, nil
}
