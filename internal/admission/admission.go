// Package admission is the one door by which gazette files come in, from the
// operator's command and over HTTP alike.
//
// A file is read through first (Read, Look): what is empty, over MaxSize or begins
// as no PDF does is refused, and its hash is taken. Then Door.Admit stores the
// bytes, makes the row and tells the workers, in this order: a row without its
// file could only fail, and a hint without a row means nothing. Bytes that are
// there already make no second row, however many come at the same moment. It may
// be interrupted anywhere: bytes without a row are nobody's, and are taken away an
// hour later by « ingest reconcile »; a row without a hint is found by the sweep.
//
// Errors are those that the sender is told: Unsupported for what is no PDF,
// TooLarge, NotFound and Invalid for a path that cannot be read; Unavailable when
// a store is down.
package admission

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"

	"vigueur/internal/blobs"
	"vigueur/internal/errs"
	"vigueur/internal/pdfhead"
	"vigueur/internal/postgres"
)

// MaxSize is the greatest file taken in, in bytes.
const MaxSize = 256 << 20

// File is a file that was read through and may be taken in.
type File struct {
	Name   string // as Name gives it
	SHA256 string
	Size   int64
	// Open gives the bytes again, from the first.
	Open func() (io.ReadCloser, error)
}

// Read reads a file through, writes it to another place and gives its hash and
// size. What is no PDF is refused at its first bytes. Errors of r and w come back
// as they are.
func Read(r io.Reader, w io.Writer) (sha string, size int64, err error) {
	head := make([]byte, pdfhead.HeadBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", 0, err
	}
	if err := pdfhead.CheckHead(head[:n]); err != nil {
		return "", 0, err
	}
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(w, sum), io.LimitReader(io.MultiReader(bytes.NewReader(head[:n]), r), MaxSize+1))
	switch {
	case err != nil:
		return "", 0, err
	case size > MaxSize:
		return "", 0, TooLarge()
	}
	return hex.EncodeToString(sum.Sum(nil)), size, nil
}

// TooLarge is why a file over MaxSize is refused.
func TooLarge() error { return errs.Newf(errs.TooLarge, "Le fichier dépasse %d Mio.", MaxSize>>20) }

// Look reads the file at path through, until ctx ends.
func Look(ctx context.Context, path string) (File, error) {
	f := File{Name: Name(path), Open: func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		return file, unreadable(err)
	}}
	if err := pdfhead.Check(path); err != nil { // what is no file at all could not be opened
		return f, err
	}
	file, err := f.Open()
	if err != nil {
		return f, err
	}
	defer file.Close() // it is only read
	f.SHA256, f.Size, err = Read(&interruptible{ctx, file}, io.Discard)
	var known *errs.Error
	if err != nil && ctx.Err() == nil && !errors.As(err, &known) {
		err = unreadable(err)
	}
	return f, err
}

func unreadable(err error) error {
	return errs.Wrap(errs.Invalid, "Le fichier ne peut pas être lu : vérifiez les droits d’accès.", err)
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

// Admission takes files in. Its fields are set once, before the first.
type Admission struct {
	DB    *postgres.DB
	Blobs blobs.Store
	// Hint tells the workers of a row; what it returns is returned. The row is
	// found without it, some seconds later.
	Hint func(ctx context.Context, id uuid.UUID) error
}

// Known gives the row of bytes that are there already.
func (d Admission) Known(ctx context.Context, sha string) (row postgres.Ingestion, known bool, err error) {
	row, err = d.DB.IngestionBySHA(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return row, false, nil
	}
	return row, err == nil, err
}

// Admit takes a file in, with what is said of it (nil: nothing). known tells that
// its bytes were there before, in the row that is given; then nothing was changed.
func (d Admission) Admit(ctx context.Context, f File, metadata json.RawMessage) (row postgres.Ingestion, known bool, err error) {
	if row, known, err = d.Known(ctx, f.SHA256); err != nil || known {
		return row, known, err
	}
	row = postgres.Ingestion{ID: postgres.NewID(), SHA256: f.SHA256, Filename: f.Name, Size: f.Size, State: "queued",
		Stage: "queued", Metadata: metadata}
	err = d.storeAndAdd(ctx, f, row)
	if errs.Is(err, errs.NotFound) { // somebody dropped the same bytes in between
		err = d.storeAndAdd(ctx, f, row)
	}
	if done := (*postgres.AlreadyDone)(nil); errors.As(err, &done) { // under postgres.DoOnce
		return row, false, err
	}
	if errs.Is(err, errs.Conflict) { // the same bytes came at the same moment
		if row, known, err = d.Known(ctx, f.SHA256); err == nil && !known {
			err = fmt.Errorf("admission: the row of %s was deleted in the same moment", f.SHA256)
		}
		return row, known, err
	}
	if err != nil {
		return row, false, err
	}
	return row, false, d.Hint(ctx, row.ID)
}

// storeAndAdd stores the bytes, then makes the row: a row without its file could
// only fail.
func (d Admission) storeAndAdd(ctx context.Context, f File, row postgres.Ingestion) error {
	if err := d.put(ctx, f); err != nil {
		return err
	}
	return d.DB.AddFile(ctx, row, func(ctx context.Context) error { return blobs.There(ctx, d.Blobs, row.SHA256) })
}

// Restore stores the bytes of a known file again where they are lost. It comes
// before the row is taken up once more.
func (d Admission) Restore(ctx context.Context, f File) error {
	if blobs.There(ctx, d.Blobs, f.SHA256) != nil {
		return d.put(ctx, f)
	}
	return nil
}

func (d Admission) put(ctx context.Context, f File) error {
	file, err := f.Open()
	if err != nil {
		return err
	}
	return errors.Join(d.Blobs.Put(ctx, f.SHA256, file), file.Close())
}
