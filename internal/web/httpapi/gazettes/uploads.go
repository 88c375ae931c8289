package gazettes

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
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
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/admission"
)

// The limits of a gazette that arrives.
const (
	UploadLimit = admission.MaxSize // bytes of the file
	uploadTime  = time.Hour         // for a gazette to arrive
	storeTime   = time.Minute       // to store a file that has arrived
)

// FileMetadata is what a person says of a file.
type FileMetadata struct {
	Metadata
	Published *time.Time `json:"date_publication,omitempty" format:"date" doc:"Le jour de la gazette."`
	Sample    bool       `json:"exemple,omitempty" doc:"Un exemple : le fichier et ses textes partent d’eux-mêmes dès que le catalogue en a d’autres."`
}

// spell checks what is said of a file and encodes it.
func (s *Handlers) spell(ctx context.Context, said FileMetadata) (json.RawMessage, error) {
	var f form.Faults
	if err := s.checkDomain(ctx, &f, said.Domain, "body"); err != nil {
		return nil, err
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return admission.Metadata{Title: value(said.Title), Type: value(said.Type), Nature: value(said.Nature), OfficialNumber: value(said.OfficialNumber), Domain: value(said.Domain),
		Promulgated: law.ISODay(said.Promulgated), EntersInForce: law.ISODay(said.EntersInForce), Published: law.ISODay(said.Published), Sample: said.Sample}.Spell()
}

type addDocumentInput struct{ guard.Once }

// uploadForm is the form of a gazette.
type uploadForm struct {
	FileMetadata
	File string `json:"file" format:"binary" doc:"Le PDF, un seul."`
}

type addedBody struct {
	IngestionID uuid.UUID  `json:"ingestion_id"`
	DocumentID  *uuid.UUID `json:"document_id" doc:"Connu seulement une fois le fichier lu."`
}

// addDocument serves POST /admin/documents. It adds a gazette: it reads the form, checks the
// metadata, stores the bytes, adds the row and enqueues a hint for the workers.
func (s *Handlers) addDocument(c *fiber.Ctx, user postgres.User) (reply addedBody, _ error) {
	leave, err := s.uploads.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Most: s.MostUploads, Each: max(1, s.MostUploads-1)}) // each may take as much disk space as the largest file
	if err != nil {
		return reply, err
	}
	defer leave()
	u, discard, err := s.OpenUpload()
	if err != nil {
		return reply, err
	}
	defer discard()
	u.Most, u.Time, u.Full = UploadLimit, uploadTime, admission.TooLarge
	var file admission.File
	u.Keep = func(part *multipart.Part, disk io.Writer) (err error) { // a file that is not a PDF is rejected after its first bytes
		file = admission.File{Name: admission.Name(part.FileName()), Open: u.Again}
		file.SHA256, file.Size, err = admission.Read(part, disk)
		return err
	}
	if err := u.Read(c); err != nil {
		return reply, err
	}
	// The request's timeout may have expired while a large file arrived.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), storeTime)
	defer cancel()
	var said FileMetadata
	if err := u.ReadFields(c, &said); err != nil {
		return reply, err
	}
	metadata, err := s.spell(ctx, said)
	if err != nil {
		return reply, err
	}
	id, err := s.admitOnce(ctx, c, user, file, metadata)
	return addedBody{IngestionID: id}, err
}

// admitOnce adds a file and returns its row's id; a file that was sent before under the
// same Idempotency-Key keeps its row.
func (s *Handlers) admitOnce(ctx context.Context, c *fiber.Ctx, user postgres.User, file admission.File, metadata json.RawMessage) (uuid.UUID, error) {
	look := func() (context.Context, uuid.UUID, bool, error) {
		return s.BeginOnce(ctx, c, user.ID[:], postgres.UploadOnce, []byte(file.SHA256), []byte(file.Name), metadata)
	}
	ctxOnce, id, done, err := look()
	if err != nil || done {
		return id, err
	}
	row, known, err := s.admission().Admit(ctxOnce, file, metadata)
	if err != nil {
		id, _, err = guard.DoneMeanwhile(c, err)
	} else if id = row.ID; known {
		// Perhaps it was added by the same request, sent twice at once.
		if _, id, done, err = look(); err == nil && !done {
			err = errors.Join(s.admission().Restore(ctx, file), errKnownFile(row)) // its bytes may have been lost
		}
	}
	return id, err
}

// admission is how uploads are added. A failed hint does not reject the file, because the
// workers find the row without it.
func (s *Handlers) admission() admission.Admission {
	return admission.Admission{DB: s.DB, Blobs: s.Blobs, Hint: func(ctx context.Context, id uuid.UUID) error {
		s.hintIngestion(ctx, id)
		return nil
	}}
}

// KnownFile is the error for a file that was added before.
type KnownFile struct {
	Detail   string     `json:"detail"`
	Document *uuid.UUID `json:"document_id" required:"false" doc:"Le premier texte du fichier connu ; null s’il n’en a pas encore donné."`
}

// errKnownFile is the error for bytes that were added before.
func errKnownFile(row postgres.Ingestion) error {
	var document *uuid.UUID // the first text of the file, nil if it has none yet
	for _, d := range row.Documents {
		if !d.InReview {
			document = &d.ID
			break
		}
	}
	return transport.WithField(errs.New(errs.Conflict, "Ce fichier est déjà connu : les mêmes octets ont déjà été ajoutés."), "document_id", document)
}

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
func tus(h contract.Handler) contract.Handler {
	serve := h.Serve
	h.Serve = func(c *fiber.Ctx, user postgres.User) error {
		c.Set("Tus-Resumable", tusVersion)
		if c.Get("Tus-Resumable") != tusVersion {
			c.Set("Tus-Version", tusVersion)
			return fiber.ErrPreconditionFailed
		}
		return serve(c, user)
	}
	return h
}

// TusInput is what each request of the protocol says.
type TusInput struct {
	Version string `header:"Tus-Resumable" enum:"1.0.0" required:"true" doc:"La version du protocole."`
}

type beginUploadInput struct {
	TusInput
	Length   int64  `header:"Upload-Length" minimum:"1" required:"true" doc:"La taille du fichier en octets."`
	Metadata string `header:"Upload-Metadata" required:"true" doc:"Des noms et leurs valeurs en base64, séparés par des virgules : filename et sha256, 64 chiffres hexadécimaux, puis ceux de POST /api/v1/admin/documents."`
}

// announcement is what is said of a file before it arrives.
type announcement struct {
	FileMetadata
	Filename string `json:"filename" minLength:"1" maxLength:"1000"`
	SHA256   string `json:"sha256" minLength:"64" maxLength:"64"`
}

// Check refuses what is no hash.
func (i *announcement) Check(f *form.Faults) {
	if i.SHA256 != "" && !sha256Form.MatchString(i.SHA256) {
		f.Refuse("sha256", i.SHA256, "Une empreinte SHA-256 est attendue : 64 chiffres hexadécimaux, en minuscules.")
	}
}

// sha256Form is the form of an announced hash.
var sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)

// beginUpload serves POST /admin/uploads. It announces a file; one that the account has begun to send goes on.
func (s *Handlers) beginUpload(c *fiber.Ctx, user postgres.User) (reply contract.None, _ error) {
	var said announcement
	size, err := readAnnouncement(c, &said)
	if err != nil {
		return reply, err
	}
	ctx := c.UserContext()
	u := postgres.Upload{ID: postgres.NewID(), UserID: user.ID, Filename: admission.Name(said.Filename), SHA256: said.SHA256, Size: size}
	if u.Metadata, err = s.spell(ctx, said.FileMetadata); err != nil {
		return reply, err
	}
	if row, known, err := s.admission().Known(ctx, u.SHA256); err != nil {
		return reply, err
	} else if known && blobs.There(ctx, s.Blobs, u.SHA256) == nil { // its bytes may have been lost
		return reply, errKnownFile(row)
	}
	u, err = s.DB.BeginUpload(ctx, u)
	if errors.Is(err, postgres.ErrOwnUploads) || errors.Is(err, postgres.ErrUploads) {
		err = transport.ErrLater(err, time.Minute)
	}
	if err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderLocation, PartsRoute+"/"+u.ID.String())
	showUpload(c, u)
	return reply, nil
}

// readAnnouncement reads the size of a file and what is said of it.
func readAnnouncement(c *fiber.Ctx, said any) (size int64, err error) {
	var f form.Faults
	length, err := strconv.ParseUint(c.Get("Upload-Length"), 10, 63) // digits alone, as the protocol has it
	switch size = int64(length); {
	case err != nil || size < 1:
		f.Add("value_error", []any{"header", "Upload-Length"}, nil, "La taille du fichier est attendue, en octets.")
	case size > UploadLimit:
		return 0, admission.TooLarge()
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
	return size, form.ReadFields(c, fields, f, said)
}

// showUpload writes the state of an upload to the headers.
func showUpload(c *fiber.Ctx, u postgres.Upload) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("Upload-Offset", strconv.FormatInt(u.Received, 10))
	c.Set("Upload-Length", strconv.FormatInt(u.Size, 10))
	c.Set("Upload-Expires", u.Updated.Add(postgres.UploadLife).UTC().Format(http.TimeFormat))
}

// uploadBody is a file that arrives by parts.
type uploadBody struct {
	ID       uuid.UUID `json:"id"`
	Filename string    `json:"filename"`
	Size     int64     `json:"size"`
	Received int64     `json:"received" doc:"Les octets qui sont arrivés."`
	Expires  string    `json:"expires_at" format:"date-time"`
}

// showUploadOf serves GET /admin/uploads/:id. It shows how much of a file has arrived, to HEAD in the headers alone.
func (s *Handlers) showUploadOf(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply uploadBody, _ error) {
	u, err := s.upload(c, user, input.ID)
	if err != nil {
		return reply, err
	}
	c.Set("Tus-Resumable", tusVersion)
	showUpload(c, u)
	return uploadBody{u.ID, u.Filename, u.Size, u.Received, respond.ShowTime(u.Updated.Add(postgres.UploadLife))}, nil
}

// upload returns an upload of an account.
func (s *Handlers) upload(c *fiber.Ctx, user postgres.User, id uuid.UUID) (postgres.Upload, error) {
	u, err := s.DB.UploadOf(c.UserContext(), user.ID, id)
	return u, respond.NotFound(err, "Cet envoi est introuvable : il est fini depuis longtemps, ou n’a pas commencé. Recommencez-le.")
}

type uploadInput struct {
	contract.ByID
	TusInput
}

// dropUpload serves DELETE /admin/uploads/:id. It forgets what has arrived of a file.
func (s *Handlers) dropUpload(c *fiber.Ctx, user postgres.User, input uploadInput) (reply contract.None, _ error) {
	u, err := s.upload(c, user, input.ID)
	if err != nil {
		return reply, err
	}
	if err := s.DB.DropUpload(c.UserContext(), user.ID, u.ID); err != nil && !errs.Is(err, errs.NotFound) {
		return reply, err
	}
	return reply, nil
}

type partInput struct {
	contract.ByID
	TusInput
	Offset int64 `header:"Upload-Offset" minimum:"0" required:"true" doc:"La place de la partie dans le fichier."`
}

// takePart serves PATCH /admin/uploads/:id. It takes bytes from where the last ones ended, and admits the file with the
// last of them: these are kept only if it is admitted, so that a client whose file is not yet sends them again.
func (s *Handlers) takePart(c *fiber.Ctx, user postgres.User, input partInput) (reply contract.None, _ error) {
	if c.Get(fiber.HeaderContentType) != partKind {
		return reply, errs.New(errs.Unsupported, "Le corps de la requête doit être une partie du fichier (Content-Type: "+partKind+").")
	}
	u, err := s.upload(c, user, input.ID)
	if err != nil {
		return reply, err
	}
	if input.Offset != u.Received {
		return reply, errOffset(u)
	}
	leave, err := s.uploads.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Most: s.MostUploads, Each: max(1, s.MostUploads-1)})
	if err != nil {
		return reply, err
	}
	defer leave()
	body := transport.Arriving(c, u.Size-u.Received, uploadTime, admission.TooLarge)
	for piece := make([]byte, min(pieceMost, u.Size-u.Received)); u.Received < u.Size; {
		n, cut := io.ReadFull(body, piece[:min(pieceMost, u.Size-u.Received)])
		if n > 0 {
			if err := s.keepPiece(c.UserContext(), &u, piece[:n]); err != nil {
				return reply, err
			}
		}
		if errors.Is(cut, io.EOF) || errors.Is(cut, io.ErrUnexpectedEOF) {
			break
		}
		if cut != nil {
			return reply, cut
		}
	}
	showUpload(c, u)
	return reply, nil
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
