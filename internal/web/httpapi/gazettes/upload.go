package gazettes

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/admission"
)

// addDocument serves POST /admin/documents. It adds a gazette: it reads the form, checks the
// metadata, stores the bytes, adds the row and enqueues a hint for the workers.
func (s *Handlers) addDocument(c *fiber.Ctx, user postgres.User) error {
	leave, err := s.uploads.Enter(user.ID, s.MostUploads, max(1, s.MostUploads-1)) // each may take as much disk space as the largest file
	if err != nil {
		return err
	}
	defer leave()
	u, discard, err := s.OpenUpload()
	if err != nil {
		return err
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
		return err
	}
	// The request's timeout may have expired while a large file arrived.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), storeTime)
	defer cancel()
	metadata, err := s.readMetadata(ctx, u.Body())
	if err != nil {
		return err
	}
	id, err := s.admitOnce(ctx, c, user, file, metadata)
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

// readMetadata checks the fields of a body and encodes them as the metadata of a file; the error
// contains all faults.
func (s *Handlers) readMetadata(ctx context.Context, body *form.Object) (json.RawMessage, error) {
	published := body.Day("date_publication")
	change, err := s.readChange(ctx, body)
	if err != nil {
		return nil, err
	}
	metadata := metadataOf(change)
	metadata.Published = law.ISODay(published)
	return metadata.Spell()
}

// metadataOf converts a change to the metadata of a file to be added.
func metadataOf(c postgres.DocumentChange) admission.Metadata {
	return admission.Metadata{Title: value(c.Title), Type: law.DocType(value((*string)(c.Type))), Nature: value(c.Nature), OfficialNumber: value(c.OfficialNumber),
		Domain: value(c.Domain), Promulgated: law.ISODay(c.Promulgated), EntersInForce: law.ISODay(c.EntersInForce)}
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
