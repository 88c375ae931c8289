package gazettes

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// changeLegalDocument serves PATCH /admin/documents/:id. It changes the metadata or the status of
// a text. If the field statut is null, the status is again derived from the relations.
func (s *Handlers) changeLegalDocument(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	body := transport.ReadBody(c)
	ctx := c.UserContext()
	status, err := s.readStatus(ctx, id, body)
	if err != nil {
		return err
	}
	change, err := s.readChange(ctx, body)
	if err != nil {
		return err
	}
	d, err := s.DB.ChangeDocument(ctx, id, change, status)
	if err != nil {
		return respond.NoDocument(err)
	}
	return c.JSON(catalogue.ShowRecord(s.Base(), d))
}

// readStatus reads the status fields of a body; faults are collected in the body. A text
// cannot be in force and repealed by another, nor repeal itself.
func (s *Handlers) readStatus(ctx context.Context, id uuid.UUID, body *form.Object) (postgres.StatusChange, error) {
	status := postgres.StatusChange{RepealedBy: body.ID("abroge_par")}
	if said := body.MaybeOne("statut", form.Strings(law.Statuses())); said != nil {
		status.Status = (*law.Status)(said)
	} else if _, given := body.Fields["statut"]; given {
		status.Derive = true
	}
	if by := status.RepealedBy; by == nil {
		raw, given := body.Fields["abroge_par"]
		status.Unrepealed = given && string(raw) == "null" && !status.Derive
		return status, nil
	}
	switch {
	case *status.RepealedBy == id:
		body.Refuse("abroge_par", "Un texte ne s’abroge pas lui-même.")
	case status.Derive, status.Status != nil && *status.Status != law.Repealed:
		body.Refuse("abroge_par", "Un texte qu’un autre abroge a le statut 'abroge'.")
	default:
		_, err := s.DB.Document(ctx, *status.RepealedBy)
		if errs.Is(err, errs.NotFound) {
			body.Refuse("abroge_par", "Ce document n’existe pas.")
			return status, nil
		}
		return status, err
	}
	return status, nil
}

// deleteDocument serves DELETE /admin/documents/:id. It deletes a text from the catalogue, and its
// file if that has no other text.
func (s *Handlers) deleteDocument(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	ctx := c.UserContext()
	orphan, err := s.DB.DeleteDocument(ctx, id)
	if err != nil {
		return respond.NoDocument(err)
	}
	if orphan != "" {
		s.dropFile(ctx, orphan)
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// dropFile deletes the bytes of a file whose row was deleted, unless the file was added
// again. A failure only wastes disk space.
func (s *Handlers) dropFile(ctx context.Context, sha string) {
	_, err := s.DB.DropBytes(ctx, sha, func(ctx context.Context) error { return s.Blobs.Delete(ctx, sha) })
	if err != nil {
		s.Log.WarnContext(ctx, "delete a file: left behind", "sha256", sha, "error", err)
	}
}

// reindexDocument serves POST /admin/documents/:id/reindex. It requests that the search indexes
// read a text again.
func (s *Handlers) reindexDocument(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	if err := s.DB.ReindexDocument(c.UserContext(), id); err != nil {
		return respond.NoDocument(err)
	}
	c.Status(fiber.StatusAccepted) // SendStatus would add a body
	return nil
}
