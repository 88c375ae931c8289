package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"os"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/blobs"
	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// The limits of an upload.
const (
	uploadLimit   = 256 << 20        // bytes of the file
	formLimit     = 1 << 20          // bytes of everything else in the form
	fieldLimit    = 64 << 10         // bytes of one metadata field
	uploadIdle    = 30 * time.Second // between two pieces of the file
	uploadTime    = time.Hour        // for all of it to arrive
	storeTime     = time.Minute      // to store it once it is there
	pdfHead       = 1024             // bytes within which a PDF's mark stands
	filenameLimit = 255              // bytes
)

// upload is a form as it arrives: its file goes to a temporary file on disk, so
// that any number of uploads costs next to no memory.
type upload struct {
	fields map[string]json.RawMessage
	given  bool // the file came
	aside  *os.File
	name   string
	size   int64
	sha    string
}

// addDocument takes in a gazette: the form is read through, its metadata
// judged, the bytes stored, the row made, and the workers told.
func (s *Server) addDocument(c *fiber.Ctx, _ postgres.User) error {
	aside, err := os.CreateTemp("", "vigueur-upload-*")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "", err)
	}
	defer func() {
		if err := errors.Join(aside.Close(), os.Remove(aside.Name())); err != nil {
			s.Log.Warn("upload: a temporary file is left behind", "error", err)
		}
	}()
	u := &upload{fields: map[string]json.RawMessage{}, aside: aside}
	if err := u.read(c); err != nil {
		return err
	}
	// The request's own time was over before a large file had arrived.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), storeTime)
	defer cancel()
	metadata, err := s.readMetadata(ctx, u)
	if err != nil {
		return err
	}
	row := postgres.Ingestion{ID: postgres.NewID(), SHA256: u.sha, Filename: u.name, Size: u.size, Metadata: metadata}
	if err := s.keep(ctx, u, row); err != nil {
		return err
	}
	s.hintIngestion(ctx, row.ID)
	return c.Status(fiber.StatusAccepted).JSON(struct {
		IngestionID uuid.UUID  `json:"ingestion_id"`
		DocumentID  *uuid.UUID `json:"document_id"` // known once the file was read
	}{row.ID, nil})
}

// read reads the form through.
func (u *upload) read(c *fiber.Ctx) error {
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm || params["boundary"] == "" {
		return errs.New(errs.Unsupported, "Le corps de la requête doit être un formulaire (Content-Type: multipart/form-data).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	if c.Request().Header.ContentLength() > uploadLimit+formLimit {
		return errTooLarge()
	}
	var body io.Reader = bytes.NewReader(nil)
	if c.Request().IsBodyStream() {
		body = &arriving{conn: c.Context().Conn(), body: c.Context().RequestBodyStream(), until: time.Now().Add(uploadTime), left: uploadLimit + formLimit}
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

func errTooLarge() error {
	return errs.Newf(errs.TooLarge, "Le fichier dépasse %d Mio.", uploadLimit>>20)
}

// formError gives what ends the reading of a form its kind.
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

// fieldName is what the parts of a form may be called.
var fieldName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

// take reads one part of the form. Parts that nobody asks for are passed over.
func (u *upload) take(part *multipart.Part) error {
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
	if len(value) > fieldLimit {
		return errs.New(errs.TooLarge, "Un champ du formulaire est trop long.")
	}
	if !utf8.Valid(value) {
		var f faults
		f.add("value_error", []any{"body", part.FormName()}, nil, "Ce champ n’est pas de l’UTF-8.")
		return f
	}
	if text := strings.TrimSpace(string(value)); text != "" { // a form sends the fields that nobody filled in
		u.fields[part.FormName()] = quoted(text)
	}
	return nil
}

// takeFile writes the file to disk. What is no PDF is refused at its first
// bytes.
func (u *upload) takeFile(part *multipart.Part) error {
	if u.given {
		var f faults
		f.add("value_error", []any{"body", "file"}, nil, "Un seul fichier est attendu.")
		return f
	}
	u.given, u.name = true, uploadName(part.FileName())
	head := make([]byte, pdfHead)
	n, err := io.ReadFull(part, head)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return errs.New(errs.Unsupported, "Le fichier est vide.")
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case !bytes.Contains(head[:n], []byte("%PDF-")):
		return errs.New(errs.Unsupported, "Le fichier n’est pas un PDF.")
	}
	sum := sha256.New()
	file := io.MultiReader(bytes.NewReader(head[:n]), part)
	u.size, err = io.Copy(io.MultiWriter(disk{u.aside}, sum), io.LimitReader(file, uploadLimit+1))
	if err != nil {
		return err
	}
	if u.size > uploadLimit {
		return errTooLarge()
	}
	u.sha = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// disk tells a disk that cannot be written from a client that does not send.
type disk struct{ *os.File }

func (d disk) Write(p []byte) (int, error) {
	n, err := d.File.Write(p)
	return n, errs.Wrap(errs.Unavailable, "", err)
}

// arriving reads what a client sends within the limits of time and size.
type arriving struct {
	conn  net.Conn
	body  io.Reader
	until time.Time
	left  int64
}

func (a *arriving) Read(p []byte) (int, error) {
	now := time.Now()
	if now.After(a.until) {
		return 0, os.ErrDeadlineExceeded
	}
	if a.left <= 0 {
		return 0, errTooLarge()
	}
	if err := a.conn.SetReadDeadline(now.Add(uploadIdle)); err != nil {
		return 0, err
	}
	n, err := a.body.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	return n, err
}

// uploadName is the name that is kept of a file: without folders and control
// characters, whatever system it comes from.
func uploadName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "_"), `\`, "/"))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name))
	for len(name) > filenameLimit {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	if name == "" || name == "." || name == "/" {
		return "document.pdf"
	}
	return name
}

// readMetadata judges the form's fields and spells those that the ingestion
// reads; all faults at once.
func (s *Server) readMetadata(ctx context.Context, u *upload) (json.RawMessage, error) {
	var f faults
	body := &object{fields: u.fields, loc: []any{"body"}, faults: &f}
	if !u.given {
		f.missing(body.at("file"))
	}
	if _, err := s.readChange(ctx, body); err != nil {
		return nil, err
	}
	said := map[string]json.RawMessage{}
	for _, name := range []string{"title", "doc_type", "domaine", "numero_officiel", "date_promulgation", "date_entree_vigueur"} {
		if value, given := u.fields[name]; given {
			said[name] = value
		}
	}
	return json.Marshal(said)
}

// keep stores the bytes and makes the row. The bytes first: a row without its
// file could only fail.
func (s *Server) keep(ctx context.Context, u *upload, row postgres.Ingestion) error {
	if err := s.refuseKnown(ctx, u.sha); err != nil {
		return err
	}
	err := s.storeAndAdd(ctx, u, row)
	if errs.Is(err, errs.NotFound) { // somebody dropped the same bytes in between
		err = s.storeAndAdd(ctx, u, row)
	}
	if errs.Is(err, errs.Conflict) { // the same bytes came at the same time
		return errors.Join(s.refuseKnown(ctx, u.sha), err)
	}
	return err
}

func (s *Server) storeAndAdd(ctx context.Context, u *upload, row postgres.Ingestion) error {
	if _, err := u.aside.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	if err := s.Blobs.Put(ctx, u.sha, u.aside); err != nil {
		return err
	}
	return s.DB.AddFile(ctx, row, func(ctx context.Context) error { return blobs.There(ctx, s.Blobs, u.sha) })
}

// knownFile is why bytes that are there already are refused.
type knownFile struct {
	error
	document *uuid.UUID // the first text of the file, nil when it has none yet
}

// Unwrap gives the kind.
func (k *knownFile) Unwrap() error { return k.error }

// refuseKnown is an error when the bytes are there already.
func (s *Server) refuseKnown(ctx context.Context, sha string) error {
	row, err := s.DB.IngestionBySHA(ctx, sha)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	known := &knownFile{error: errs.New(errs.Conflict, "Ce fichier est déjà connu : les mêmes octets ont déjà été ajoutés.")}
	for _, d := range row.Documents {
		if !d.InReview {
			known.document = &d.ID
			break
		}
	}
	return known
}
