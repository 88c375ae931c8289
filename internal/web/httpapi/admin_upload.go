package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
)

// The limits of an upload.
const (
	uploadLimit = admission.MaxSize // bytes of the file
	formLimit   = 1 << 20           // bytes of everything else in the form
	fieldLimit  = 64 << 10          // bytes of one metadata field
	partsLimit  = 64                // parts of the form; the metadata has seven fields
	uploadIdle  = 30 * time.Second  // between two reads, and besides the time that the bytes take at uploadPace
	uploadPace  = 16 << 10          // bytes a second that must arrive
	uploadTime  = time.Hour         // for a gazette to arrive
	briefTime   = 5 * time.Minute   // for a file to be checked to arrive
	storeTime   = time.Minute       // to store a file that has arrived
)

// upload is a form while it arrives: its file goes to a temporary file on disk, so that
// uploads need almost no memory.
type upload struct {
	most   int                         // bytes of the file
	time   time.Duration               // for the whole request to arrive
	full   func() error                // the error for a larger one
	keep   func(*multipart.Part) error // stores the file in aside
	fields map[string]json.RawMessage
	parts  int  // that have arrived
	size   int  // bytes of the fields
	given  bool // the file has arrived
	aside  *os.File
	file   admission.File
}

// uploads counts the files that arrive, of all and of each account. It is safe for concurrent
// use.
type uploads struct {
	mu  sync.Mutex
	all int
	of  map[uuid.UUID]int
}

// enter counts a file of an account until leave. The error is Unavailable if most arrive, or
// each of the account.
func (u *uploads) enter(user uuid.UUID, most, each int) (leave func(), err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all >= most || u.of[user] >= each {
		return nil, &retryLater{after: retryAfter * time.Second, cause: errs.New(errs.Unavailable, "Trop de fichiers arrivent à la fois. Réessayez dans un instant.")}
	}
	if u.of == nil {
		u.of = map[uuid.UUID]int{}
	}
	u.all++
	u.of[user]++
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.all--
		if u.of[user]--; u.of[user] == 0 {
			delete(u.of, user)
		}
	}, nil
}

// addDocument adds a gazette: it reads the form, checks the metadata, stores the bytes,
// adds the row and enqueues a hint for the workers.
func (s *Server) addDocument(c *fiber.Ctx, user postgres.User) error {
	leave, err := s.uploads.enter(user.ID, s.Uploads, max(1, s.Uploads-1)) // each may take as much disk space as the largest file
	if err != nil {
		return err
	}
	defer leave()
	aside, err := os.CreateTemp("", "vigueur-upload-*")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "", err)
	}
	defer func() {
		if err := errors.Join(aside.Close(), os.Remove(aside.Name())); err != nil {
			s.Log.Warn("upload: a temporary file is left behind", "error", err)
		}
	}()
	u := &upload{fields: map[string]json.RawMessage{}, aside: aside, most: uploadLimit, time: uploadTime, full: admission.TooLarge}
	u.keep = u.takeGazette
	if err := u.read(c); err != nil {
		return err
	}
	// The request's timeout may have expired while a large file arrived.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), storeTime)
	defer cancel()
	metadata, err := s.readMetadata(ctx, u)
	if err != nil {
		return err
	}
	id, err := s.admitOnce(ctx, c, user, u.file, metadata)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(struct {
		IngestionID uuid.UUID  `json:"ingestion_id"`
		DocumentID  *uuid.UUID `json:"document_id"` // set once the file was segmented
	}{id, nil})
}

// admitOnce adds a file and returns its row's id; a file that was sent before under the
// same Idempotency-Key keeps its row.
func (s *Server) admitOnce(ctx context.Context, c *fiber.Ctx, user postgres.User, file admission.File, metadata json.RawMessage) (uuid.UUID, error) {
	look := func() (context.Context, uuid.UUID, bool, error) {
		return s.once(ctx, c, user.ID[:], postgres.UploadOnce, []byte(file.SHA256), []byte(file.Name), metadata)
	}
	ctxOnce, id, done, err := look()
	if err != nil || done {
		return id, err
	}
	row, known, err := s.admission().Admit(ctxOnce, file, metadata)
	if err != nil {
		id, _, err = doneMeanwhile(c, err)
	} else if id = row.ID; known {
		// Perhaps it was added by the same request, sent twice at once.
		if _, id, done, err = look(); err == nil && !done {
			err = refusalOf(row)
		}
	}
	return id, err
}

// read reads the form.
func (u *upload) read(c *fiber.Ctx) error {
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm || params["boundary"] == "" {
		return errs.New(errs.Unsupported, "Le corps de la requête doit être un formulaire (Content-Type: multipart/form-data).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	if c.Request().Header.ContentLength() > u.most+formLimit {
		return u.full()
	}
	var body io.Reader = bytes.NewReader(nil)
	if c.Request().IsBodyStream() {
		body = &arriving{conn: c.Context().Conn(), body: c.Context().RequestBodyStream(), began: time.Now(), most: u.time, left: int64(u.most + formLimit), full: u.full}
	}
	form := multipart.NewReader(body, params["boundary"])
	for {
		part, err := form.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = u.take(part)
		}
		if err != nil {
			return formError(err)
		}
	}
}

// formError assigns a kind to an error of reading the form.
func formError(err error) error {
	var known *errs.Error
	var network net.Error
	var f faults
	switch {
	case errors.As(err, &known), errors.As(err, &f):
		return err
	case errors.As(err, &network) && network.Timeout():
		return fiber.ErrRequestTimeout
	}
	return errs.Wrap(errs.Invalid, "Le formulaire est illisible ou incomplet.", err)
}

// fieldName is the pattern of valid names of form fields.
var fieldName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

// take reads one part of the form. Unknown parts are skipped.
func (u *upload) take(part *multipart.Part) error {
	if u.parts++; u.parts > partsLimit {
		return errs.Newf(errs.TooLarge, "Le formulaire a plus de %d parties.", partsLimit)
	}
	if !fieldName.MatchString(part.FormName()) {
		var f faults
		f.add("value_error", []any{"body"}, nil, "Un champ du formulaire a un nom qui n’est pas admis.")
		return f
	}
	if part.FormName() == "file" {
		return u.takeFile(part)
	}
	value, err := io.ReadAll(io.LimitReader(part, fieldLimit+1))
	if err != nil {
		return err
	}
	if u.size += len(value); len(value) > fieldLimit || u.size > formLimit {
		return errs.New(errs.TooLarge, "Un champ du formulaire est trop long.")
	}
	if !utf8.Valid(value) {
		var f faults
		f.add("value_error", []any{"body", part.FormName()}, nil, "Ce champ n’est pas de l’UTF-8.")
		return f
	}
	if text := strings.TrimSpace(string(value)); text != "" { // forms send empty fields too
		u.fields[part.FormName()] = quoted(text)
	}
	return nil
}

// takeFile stores the file.
func (u *upload) takeFile(part *multipart.Part) error {
	if u.given {
		var f faults
		f.add("value_error", []any{"body", "file"}, nil, "Un seul fichier est attendu.")
		return f
	}
	u.given = true
	return u.keep(part)
}

// takeGazette writes a gazette to disk. A file that is not a PDF is rejected after its first
// bytes.
func (u *upload) takeGazette(part *multipart.Part) (err error) {
	u.file = admission.File{Name: admission.Name(part.FileName()), Open: u.again}
	u.file.SHA256, u.file.Size, err = admission.Read(part, disk{u.aside})
	return err
}

// again opens the file from its first byte.
func (u *upload) again() (io.ReadCloser, error) {
	if _, err := u.aside.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("upload: %w", err)
	}
	return io.NopCloser(u.aside), nil
}

// admission is how uploads are added. A failed hint does not reject the file, because the
// workers find the row without it.
func (s *Server) admission() admission.Admission {
	return admission.Admission{DB: s.DB, Blobs: s.Blobs, Hint: func(ctx context.Context, id uuid.UUID) error {
		s.hintIngestion(ctx, id)
		return nil
	}}
}

// disk marks write errors, to tell a failing disk from a client that stops sending.
type disk struct{ *os.File }

func (d disk) Write(p []byte) (int, error) {
	n, err := d.File.Write(p)
	return n, errs.Wrap(errs.Unavailable, "", err)
}

// arriving reads a client's data within limits of time and size: uploadPace at least, besides
// one pause of uploadIdle.
type arriving struct {
	conn  net.Conn
	body  io.Reader
	began time.Time
	most  time.Duration // for everything to arrive
	read  int64         // bytes that have arrived
	left  int64
	full  func() error // the error for more
}

func (a *arriving) Read(p []byte) (int, error) {
	until := a.began.Add(min(a.most, uploadIdle+time.Duration(a.read)*time.Second/uploadPace))
	if time.Now().After(until) {
		return 0, os.ErrDeadlineExceeded
	}
	if a.left <= 0 {
		return 0, a.full()
	}
	if err := a.conn.SetReadDeadline(until); err != nil {
		return 0, err
	}
	n, err := a.body.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	a.read += int64(n)
	return n, err
}

// readMetadata checks the form's fields and encodes the metadata; the error contains all
// faults.
func (s *Server) readMetadata(ctx context.Context, u *upload) (json.RawMessage, error) {
	var f faults
	body := &object{fields: u.fields, loc: []any{"body"}, faults: &f}
	if !u.given {
		f.missing(body.at("file"))
	}
	change, err := s.readChange(ctx, body)
	if err != nil {
		return nil, err
	}
	return saidIn(change).Spell()
}

// saidIn converts a change to the metadata of a file to be added.
func saidIn(c postgres.DocumentChange) admission.Metadata {
	day := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	words := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return admission.Metadata{Title: words(c.Title), Type: law.DocType(words((*string)(c.Type))), Nature: words(c.Nature), OfficialNumber: words(c.OfficialNumber),
		Domain: words(c.Domain), Promulgated: day(c.Promulgated), EntersInForce: day(c.EntersInForce)}
}

// knownFile is the error for bytes that were added before.
type knownFile struct {
	error
	document *uuid.UUID // the first text of the file, nil if it has none yet
}

// Unwrap returns the error that has the kind.
func (k *knownFile) Unwrap() error { return k.error }

// refusalOf is the error for bytes that were added before.
func refusalOf(row postgres.Ingestion) error {
	known := &knownFile{error: errs.New(errs.Conflict, "Ce fichier est déjà connu : les mêmes octets ont déjà été ajoutés.")}
	for _, d := range row.Documents {
		if !d.InReview {
			known.document = &d.ID
			break
		}
	}
	return known
}
