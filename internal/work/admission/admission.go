// Package admission accepts gazette files, from the operator's command and over HTTP.
//
// A file is first read completely (Read, Look): empty files, files over MaxSize and files
// that do not begin like a PDF are refused, and the others are hashed. Admission.Admit then
// stores the bytes, inserts the row and enqueues a hint for the workers. The order matters:
// a row without its file could only fail, and a hint without a row is useless. Uploading
// the same bytes again, even concurrently, creates no second row. Admit may be interrupted
// at any point: « ingest reconcile » removes bytes without a row after an hour, and the
// sweep finds a row without a hint.
//
// Errors are those that the client sees: Unsupported (not a PDF), TooLarge, NotFound and
// Invalid (unreadable path), Unavailable (a store is down).
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
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/gazette/pdfhead"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// MaxSize is the size of the largest accepted file, in bytes.
const MaxSize = 256 << 20

// File is a file that passed Read and may be admitted.
type File struct {
	Name   string // as the function Name returns it
	SHA256 string
	Size   int64
	// Open returns a new reader of all bytes.
	Open func() (io.ReadCloser, error)
}

// Read copies a file from r to w and returns its SHA-256 in hexadecimal and its size in
// bytes. It returns Unsupported after the first bytes if they are not those of a PDF,
// TooLarge beyond MaxSize, and errors of r and w unchanged.
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

// TooLarge returns the error for a file over MaxSize.
func TooLarge() error { return errs.Newf(errs.TooLarge, "Le fichier dépasse %d Mio.", MaxSize>>20) }

// Look reads and hashes the file at path. Look stops when ctx ends.
func Look(ctx context.Context, path string) (File, error) {
	f := File{Name: Name(path), Open: func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		return file, unreadable(err)
	}}
	if err := pdfhead.Check(path); err != nil { // opening a pipe or a device could block
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

// interruptible is a reader that fails once its context has ended.
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

// Admission admits files. Its fields are set once, before the first call.
type Admission struct {
	DB    *postgres.DB
	Blobs blobs.Store
	// Hint enqueues a hint for the row; Admit returns its error. Without a hint the sweep
	// finds the row some seconds later.
	Hint func(ctx context.Context, id uuid.UUID) error
}

// Known returns the row of the file with this hash; known reports whether the file exists.
func (d Admission) Known(ctx context.Context, sha string) (row postgres.Ingestion, known bool, err error) {
	row, err = d.DB.IngestionBySHA(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return row, false, nil
	}
	return row, err == nil, err
}

// Admit admits a file with the metadata given for it (nil: none). If a file with the same
// bytes exists, known is true, row is that file's, and nothing was changed.
func (d Admission) Admit(ctx context.Context, f File, metadata json.RawMessage) (row postgres.Ingestion, known bool, err error) {
	if row, known, err = d.Known(ctx, f.SHA256); err != nil || known {
		return row, known, err
	}
	row = postgres.Ingestion{ID: postgres.NewID(), SHA256: f.SHA256, Filename: f.Name, Size: f.Size, State: "queued",
		Stage: "queued", Metadata: metadata}
	err = d.storeAndAdd(ctx, f, row)
	if errs.Is(err, errs.NotFound) { // the same bytes were deleted concurrently
		err = d.storeAndAdd(ctx, f, row)
	}
	if done := (*postgres.AlreadyDone)(nil); errors.As(err, &done) { // under postgres.DoOnce, an earlier request had the result
		return row, false, err
	}
	if errs.Is(err, errs.Conflict) { // the same bytes were admitted concurrently
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

// storeAndAdd stores the bytes, then inserts the row: a row without its file could only
// fail.
func (d Admission) storeAndAdd(ctx context.Context, f File, row postgres.Ingestion) error {
	if err := d.put(ctx, f); err != nil {
		return err
	}
	return d.DB.AddFile(ctx, row, func(ctx context.Context) error { return blobs.There(ctx, d.Blobs, row.SHA256) })
}

// Restore stores the bytes of a known file again if they are missing. It is called before
// the file is retried.
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

// The limits of a file's metadata.
const (
	MaxName   = 255  // length of the file's name in bytes, the usual limit of file systems
	MaxTitle  = 2000 // length of a text's title in code points
	MaxNumber = 100  // length of its official number in code points
)

// unnamed replaces an empty file name.
const unnamed = "document.pdf"

// Name returns the file name of a path of any operating system, without unprintable
// characters and cut to MaxName bytes.
func Name(given string) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(given, "_"), `\`, "/"))
	name = strings.TrimSpace(strings.Map(printing, name))
	for len(name) > MaxName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return unnamed
	}
	return name
}

// printing maps every kind of space to a plain one and drops unprintable characters.
func printing(r rune) rune {
	switch {
	case unicode.IsPrint(r):
		return r
	case unicode.IsSpace(r) && !unicode.IsControl(r):
		return ' '
	}
	return -1
}

// Metadata is what an operator states about a file, with the field names of the catalogue;
// zero values state nothing. The row stores the result of Spell.
type Metadata struct {
	Title          string      `json:"title,omitempty"`
	Type           law.DocType `json:"doc_type,omitempty"`
	Nature         string      `json:"nature,omitempty"`
	OfficialNumber string      `json:"numero_officiel,omitempty"`
	Domain         string      `json:"domaine,omitempty"`
	Promulgated    string      `json:"date_promulgation,omitempty"`   // YYYY-MM-DD
	EntersInForce  string      `json:"date_entree_vigueur,omitempty"` // YYYY-MM-DD
	Published      string      `json:"date_publication,omitempty"`    // of the gazette, YYYY-MM-DD
	Sample         bool        `json:"exemple,omitempty"`             // its texts leave the catalogue when it has others (postgres.DB.DropSample)
}

// Spell returns m as JSON, as the row stores it, or nil if m states nothing.
func (m Metadata) Spell() (json.RawMessage, error) {
	if m == (Metadata{}) {
		return nil, nil
	}
	return json.Marshal(m)
}
