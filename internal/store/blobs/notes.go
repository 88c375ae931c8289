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
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"vigueur/internal/kit/errs"
)

// Shelf is a store that also holds notes: small named texts, such as the manifest of a
// backup. Writing a note is atomic and may overwrite it. Notes and Note immediately show
// what any process has written or deleted.
type Shelf interface {
	Store
	Lister
	// PutNote writes a note. Its name consists of letters, digits, « - », « _ » and « . ».
	PutNote(ctx context.Context, name string, text []byte) error
	// Note returns the text of a note. NotFound if there is no such note.
	Note(ctx context.Context, name string) ([]byte, error)
	// Notes lists all notes in the order of their names.
	Notes(ctx context.Context) ([]NoteEntry, error)
	// DeleteNote removes a note permanently before it returns. It is not an error if the note
	// does not exist.
	DeleteNote(ctx context.Context, name string) error
}

// NoteEntry is an entry in the list of notes.
type NoteEntry struct {
	Name string
	// Written is the time of the last write, by the clock of the server or file system that
	// holds the note. So the times of two notes are comparable, even if the clocks of their
	// writers differ.
	Written time.Time
}

const (
	notesName = "notes"
	// noteLimit is the maximum size of a note in bytes, enough for the manifest of a million
	// files.
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
		defer os.Remove(aside.Name()) // fails after the rename
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
func (f *Folder) Notes(ctx context.Context) (notes []NoteEntry, err error) {
	entries, err := os.ReadDir(filepath.Join(f.root, notesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ctx.Err()
	}
	for _, e := range entries {
		if e.IsDir() || checkNote(e.Name()) != nil {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // the note was deleted meanwhile
			continue
		}
		if err != nil {
			return nil, f.classify("notes", err)
		}
		notes = append(notes, NoteEntry{e.Name(), info.ModTime()})
	}
	return notes, f.classify("notes", errors.Join(ctx.Err(), err))
}

// DeleteNote implements Shelf. It syncs the folder, because otherwise a power failure could
// bring the note back.
func (f *Folder) DeleteNote(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(f.root, notesName, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = syncFolder(filepath.Join(f.root, notesName))
	}
	return f.classify("note "+name, err)
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
func (b *Bucket) Notes(ctx context.Context) (notes []NoteEntry, err error) {
	for object := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.noteKey("") + "/", Recursive: true}) {
		if object.Err != nil {
			return nil, b.classify("notes", object.Err)
		}
		if name := path.Base(object.Key); object.Key == b.noteKey(name) && checkNote(name) == nil {
			notes = append(notes, NoteEntry{name, object.LastModified})
		}
	}
	slices.SortFunc(notes, func(x, y NoteEntry) int { return strings.Compare(x.Name, y.Name) })
	return notes, b.classify("notes", ctx.Err())
}

// DeleteNote implements Shelf.
func (b *Bucket) DeleteNote(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), checkNote(name)); err != nil {
		return err
	}
	err := b.classify("note "+name, b.client.RemoveObject(ctx, b.bucket, b.noteKey(name), minio.RemoveObjectOptions{}))
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// OpenShelf opens the store at an address as a Shelf.
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
