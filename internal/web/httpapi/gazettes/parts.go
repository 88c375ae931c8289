package gazettes

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette/pdfhead"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/admission"
)

// Uploads by parts follow the protocol tus 1.0.0 (https://tus.io/protocols/resumable-upload) with its extensions
// creation, expiration and termination: a client asks how much has arrived and goes on from there, on any server.

// PartsRoute takes files by parts; the parts are read piece by piece.
const PartsRoute = transport.Prefix + "/admin/uploads"

const (
	tusVersion = "1.0.0"
	// partKind is the type of the body of a part.
	partKind = "application/offset+octet-stream"
	// pieceMost is the maximum number of bytes that one row keeps. A line that is cut off loses nothing of what arrived,
	// a server that is killed at most so much.
	pieceMost = 4 << 20
)

// tus is a handler of the protocol: it refuses other versions of it and names its own.
func tus(handler func(c *fiber.Ctx, user postgres.User) error) func(c *fiber.Ctx, user postgres.User) error {
	return func(c *fiber.Ctx, user postgres.User) error {
		c.Set("Tus-Resumable", tusVersion)
		if c.Get("Tus-Resumable") != tusVersion {
			c.Set("Tus-Version", tusVersion)
			return fiber.ErrPreconditionFailed
		}
		return handler(c, user)
	}
}

// beginUpload serves POST /admin/uploads. It announces a file; one that the account has begun to send goes on.
func (s *Handlers) beginUpload(c *fiber.Ctx, user postgres.User) error {
	size, said, err := readAnnouncement(c)
	if err != nil {
		return err
	}
	u := postgres.Upload{ID: postgres.NewID(), UserID: user.ID, Filename: admission.Name(said.Text("filename", 1, 1000)), SHA256: said.Text("sha256", 64, 64), Size: size}
	if u.SHA256 != "" && !sha256Form.MatchString(u.SHA256) {
		said.Refuse("sha256", "Une empreinte SHA-256 est attendue : 64 chiffres hexadécimaux, en minuscules.")
	}
	ctx := c.UserContext()
	if u.Metadata, err = s.readMetadata(ctx, said); err != nil {
		return err
	}
	if row, known, err := s.admission().Known(ctx, u.SHA256); err != nil {
		return err
	} else if known && blobs.There(ctx, s.Blobs, u.SHA256) == nil { // its bytes may have been lost
		return errKnownFile(row)
	}
	if u, err = s.DB.BeginUpload(ctx, u); err != nil {
		return err
	}
	c.Set(fiber.HeaderLocation, PartsRoute+"/"+u.ID.String())
	showUpload(c, u)
	c.Status(fiber.StatusCreated)
	return nil
}

// sha256Form is the form of an announced hash.
var sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)

// readAnnouncement reads the size of a file and what is said of it.
func readAnnouncement(c *fiber.Ctx) (size int64, said *form.Object, err error) {
	var f form.Faults
	size, err = strconv.ParseInt(c.Get("Upload-Length"), 10, 64)
	switch {
	case err != nil || size < 1:
		f.Add("value_error", []any{"header", "Upload-Length"}, nil, "La taille du fichier est attendue, en octets.")
	case size > UploadLimit:
		return 0, nil, admission.TooLarge()
	}
	fields := map[string]json.RawMessage{}
	for pair := range strings.SplitSeq(c.Get("Upload-Metadata"), ",") {
		name, encoded, _ := strings.Cut(strings.TrimSpace(pair), " ")
		value, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || !utf8.Valid(value) {
			f.Add("value_error", []any{"header", "Upload-Metadata"}, nil, "Chaque valeur est attendue en base64 d’un texte en UTF-8.")
			continue
		}
		if text := strings.TrimSpace(string(value)); text != "" {
			fields[name] = form.Quote(text)
		}
	}
	return size, &form.Object{Fields: fields, Loc: []any{"body"}, Faults: &f}, nil
}

// showUpload writes the state of an upload to the headers.
func showUpload(c *fiber.Ctx, u postgres.Upload) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("Upload-Offset", strconv.FormatInt(u.Received, 10))
	c.Set("Upload-Length", strconv.FormatInt(u.Size, 10))
	c.Set("Upload-Expires", u.Updated.Add(postgres.UploadLife).UTC().Format(time.RFC1123))
}

// uploadBody is a file that arrives by parts.
type uploadBody struct {
	ID       uuid.UUID `json:"id"`
	Filename string    `json:"filename"`
	Size     int64     `json:"size"`
	Received int64     `json:"received"`
	Expires  string    `json:"expires_at"`
}

// showUploadOf serves GET /admin/uploads/:id. It shows how much of a file has arrived, to HEAD in the headers alone.
func (s *Handlers) showUploadOf(c *fiber.Ctx, user postgres.User) error {
	u, err := s.uploadOf(c, user)
	if err != nil {
		return err
	}
	c.Set("Tus-Resumable", tusVersion)
	showUpload(c, u)
	return c.JSON(uploadBody{u.ID, u.Filename, u.Size, u.Received, respond.ShowTime(u.Updated.Add(postgres.UploadLife))})
}

// uploadOf returns the upload that a request is about.
func (s *Handlers) uploadOf(c *fiber.Ctx, user postgres.User) (u postgres.Upload, err error) {
	id, err := form.PathID(c, "id")
	if err != nil {
		return u, err
	}
	u, err = s.DB.UploadOf(c.UserContext(), user.ID, id)
	return u, respond.NotFound(err, "Cet envoi est introuvable : il est fini depuis longtemps, ou n’a pas commencé. Recommencez-le.")
}

// dropUpload serves DELETE /admin/uploads/:id. It forgets what has arrived of a file.
func (s *Handlers) dropUpload(c *fiber.Ctx, user postgres.User) error {
	u, err := s.uploadOf(c, user)
	if err != nil {
		return err
	}
	if err := s.DB.DropUpload(c.UserContext(), user.ID, u.ID); err != nil && !errs.Is(err, errs.NotFound) {
		return err
	}
	c.Status(fiber.StatusNoContent)
	return nil
}

// takePart serves PATCH /admin/uploads/:id. It takes bytes from where the last ones ended, and admits the file with the
// last of them: these are kept only if it is admitted, so that a client whose file is not yet sends them again.
func (s *Handlers) takePart(c *fiber.Ctx, user postgres.User) error {
	if c.Get(fiber.HeaderContentType) != partKind {
		return errs.New(errs.Unsupported, "Le corps de la requête doit être une partie du fichier (Content-Type: "+partKind+").")
	}
	u, err := s.uploadOf(c, user)
	if err != nil {
		return err
	}
	if c.Get("Upload-Offset") != strconv.FormatInt(u.Received, 10) {
		return errOffset(u)
	}
	leave, err := s.uploads.Enter(user.ID, s.MostUploads, max(1, s.MostUploads-1))
	if err != nil {
		return err
	}
	defer leave()
	body := transport.Arriving(c, u.Size-u.Received, uploadTime, admission.TooLarge)
	for piece := make([]byte, min(pieceMost, u.Size-u.Received)); u.Received < u.Size; {
		n, cut := io.ReadFull(body, piece[:min(pieceMost, u.Size-u.Received)])
		if n > 0 {
			if err := s.keepPiece(c.UserContext(), &u, piece[:n]); err != nil {
				return err
			}
		}
		if errors.Is(cut, io.EOF) || errors.Is(cut, io.ErrUnexpectedEOF) {
			break
		}
		if cut != nil {
			return cut
		}
	}
	showUpload(c, u)
	c.Status(fiber.StatusNoContent)
	return nil
}

// errOffset is the error for bytes that are not those awaited.
func errOffset(u postgres.Upload) error {
	return errs.Newf(errs.Conflict, "Les octets attendus commencent à %d : demandez-le (HEAD) et reprenez de là.", u.Received)
}

// keepPiece keeps bytes that have arrived, and admits the file with the last of them.
func (s *Handlers) keepPiece(ctx context.Context, u *postgres.Upload, piece []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime) // the time of the request may be over
	defer cancel()
	whole := u.Received+int64(len(piece)) == u.Size
	if u.Received == 0 && (whole || len(piece) >= pdfhead.HeadBytes) {
		if err := pdfhead.CheckHead(piece[:min(len(piece), pdfhead.HeadBytes)]); err != nil {
			return errors.Join(err, s.DB.DropUpload(ctx, u.UserID, u.ID))
		}
	}
	var err error
	if whole {
		err = s.admitWhole(ctx, *u, piece)
	} else if err = s.DB.AddPart(ctx, *u, u.Received, piece); errs.Is(err, errs.Conflict) {
		err = errOffset(*u)
	}
	if err == nil {
		u.Received, u.Updated = u.Received+int64(len(piece)), s.Now()
	}
	return err
}

// admitWhole admits a file of which only the last bytes are not in the database. A file that cannot be admitted is
// forgotten.
func (s *Handlers) admitWhole(ctx context.Context, u postgres.Upload, last []byte) (err error) {
	aside, err := os.CreateTemp("", "vigueur-upload-*")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "", err)
	}
	defer func() { err = errors.Join(err, aside.Close(), os.Remove(aside.Name())) }()
	if err := s.DB.WriteParts(ctx, u, aside); err != nil {
		return err
	}
	if _, err := aside.Write(last); err != nil {
		return errs.Wrap(errs.Unavailable, "", err)
	}
	open := func() (io.ReadCloser, error) {
		_, err := aside.Seek(0, io.SeekStart)
		return io.NopCloser(aside), err
	}
	file := admission.File{Name: u.Filename, Open: open}
	again, err := open()
	if err != nil {
		return err
	}
	file.SHA256, file.Size, err = admission.Read(again, io.Discard)
	if err == nil && (file.SHA256 != u.SHA256 || file.Size != u.Size) {
		var f form.Faults
		f.Add("value_error", []any{"body"}, nil, "Les octets reçus ne sont pas ceux qui étaient annoncés. Envoyez le fichier de nouveau.")
		err = f
	}
	if err != nil {
		return errors.Join(err, s.DB.DropUpload(ctx, u.UserID, u.ID))
	}
	row, known, err := s.admission().Admit(ctx, file, u.Metadata)
	if err == nil && known { // its bytes were lost, or others have sent it meanwhile
		err = errors.Join(s.admission().Restore(ctx, file), errKnownFile(row), s.DB.DropUpload(ctx, u.UserID, u.ID))
	}
	if err != nil {
		return err
	}
	return s.DB.EndUpload(ctx, u)
}
