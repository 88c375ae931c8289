package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/form"
)

// The limits of a form with a file.
const (
	formLimit  = 1 << 20          // bytes of everything else in the form
	fieldLimit = 64 << 10         // bytes of one metadata field
	partsLimit = 64               // parts of the form; the metadata has seven fields
	uploadIdle = 30 * time.Second // between two reads, and besides the time that the bytes take at uploadPace
	uploadPace = 16 << 10         // bytes a second that must arrive
)

// Upload is a form while it arrives: its file goes to a temporary file on disk, so that
// uploads need almost no memory.
type Upload struct {
	Most   int                                              // bytes of the file
	Time   time.Duration                                    // for the whole request to arrive
	Full   func() error                                     // the error for a larger one
	Keep   func(part *multipart.Part, disk io.Writer) error // stores the file
	fields map[string]json.RawMessage
	parts  int  // that have arrived
	size   int  // bytes of the fields
	given  bool // the file has arrived
	aside  *os.File
}

// OpenUpload returns an upload with a temporary file, which discard removes.
func (s *Transport) OpenUpload() (u *Upload, discard func(), err error) {
	aside, err := os.CreateTemp("", "vigueur-upload-*")
	if err != nil {
		return nil, nil, errs.Wrap(errs.Unavailable, "", err)
	}
	return &Upload{fields: map[string]json.RawMessage{}, aside: aside}, func() {
		if err := errors.Join(aside.Close(), os.Remove(aside.Name())); err != nil {
			s.Log.Warn("upload: a temporary file is left behind", "error", err)
		}
	}, nil
}

// Path is where the file is.
func (u *Upload) Path() string { return u.aside.Name() }

// ReadFields fills a struct from the fields of the form. A missing file is a fault.
func (u *Upload) ReadFields(c *fiber.Ctx, input any) error {
	var f form.Faults
	if !u.given {
		f.Missing([]any{"body", "file"})
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(input).Elem()) { // a form has texts only
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if word := string(u.fields[name]); field.Type.Kind() == reflect.Bool && (word == `"true"` || word == `"false"`) {
			u.fields[name] = json.RawMessage(strings.Trim(word, `"`))
		}
	}
	return form.ReadFields(c, u.fields, f, input)
}

// Read reads the form.
func (u *Upload) Read(c *fiber.Ctx) error {
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm || params["boundary"] == "" {
		return errs.New(errs.Unsupported, "Le corps de la requête doit être un formulaire (Content-Type: multipart/form-data).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	if c.Request().Header.ContentLength() > u.Most+formLimit {
		return u.Full()
	}
	body := Arriving(c, int64(u.Most+formLimit), u.Time, u.Full)
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
	var f form.Faults
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
func (u *Upload) take(part *multipart.Part) error {
	if u.parts++; u.parts > partsLimit {
		return errs.Newf(errs.TooLarge, "Le formulaire a plus de %d parties.", partsLimit)
	}
	if !fieldName.MatchString(part.FormName()) {
		var f form.Faults
		f.Add("value_error", []any{"body"}, nil, "Un champ du formulaire a un nom qui n’est pas admis.")
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
		var f form.Faults
		f.Add("value_error", []any{"body", part.FormName()}, nil, "Ce champ n’est pas de l’UTF-8.")
		return f
	}
	if text := strings.TrimSpace(string(value)); text != "" { // forms send empty fields too
		u.fields[part.FormName()] = form.Quote(text)
	}
	return nil
}

// takeFile stores the file.
func (u *Upload) takeFile(part *multipart.Part) error {
	if u.given {
		var f form.Faults
		f.Add("value_error", []any{"body", "file"}, nil, "Un seul fichier est attendu.")
		return f
	}
	u.given = true
	return u.Keep(part, disk{u.aside})
}

// Again opens the file from its first byte.
func (u *Upload) Again() (io.ReadCloser, error) {
	if _, err := u.aside.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("upload: %w", err)
	}
	return io.NopCloser(u.aside), nil
}

// disk marks write errors, to tell a failing disk from a client that stops sending.
type disk struct{ *os.File }

func (d disk) Write(p []byte) (int, error) {
	n, err := d.File.Write(p)
	return n, errs.Wrap(errs.Unavailable, "", err)
}

// Arriving returns the body of a request as it arrives. An error of the reader has a kind. full returns the error for
// more than most bytes.
func Arriving(c *fiber.Ctx, most int64, limit time.Duration, full func() error) io.Reader {
	if !c.Request().IsBodyStream() {
		return bytes.NewReader(nil)
	}
	return &arriving{conn: c.Context().Conn(), body: c.Context().RequestBodyStream(), began: time.Now(), most: limit, left: most, full: full}
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
	deadline := a.began.Add(min(a.most, uploadIdle+time.Duration(a.read)*time.Second/uploadPace))
	if time.Now().After(deadline) {
		return 0, os.ErrDeadlineExceeded
	}
	if a.left <= 0 {
		return 0, a.full()
	}
	if err := a.conn.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := a.body.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	a.read += int64(n)
	return n, err
}

// IsForm reports whether the body of a request is a form.
func IsForm(c *fiber.Ctx) bool {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return err == nil && kind == fiber.MIMEMultipartForm
}
