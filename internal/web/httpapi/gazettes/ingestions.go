package gazettes

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// ingestionStates are the states of a file.
var ingestionStates = []string{"queued", "running", "review", "done", "failed", "cancelled"}

// IngestedBody is a text of a file.
type IngestedBody struct {
	ID           uuid.UUID   `json:"id"`
	Title        string      `json:"title"`
	Type         law.DocType `json:"doc_type"`
	Nature       string      `json:"nature"`
	Number       string      `json:"numero_officiel"`
	Articles     int         `json:"articles_count"`
	InReview     bool        `json:"in_review"`
	SupersededBy *uuid.UUID  `json:"remplace_par"`
}

// IngestionBody is a file and the state of its ingestion.
type IngestionBody struct {
	ID         uuid.UUID      `json:"id"`
	Filename   string         `json:"filename"`
	SHA256     string         `json:"sha256"`
	Size       int64          `json:"size"`
	State      string         `json:"state"`
	Stage      string         `json:"stage"`
	PagesDone  int            `json:"pages_done"`
	PagesTotal int            `json:"pages_total"`
	Unread     int            `json:"pages_unread"` // that a further attempt may read
	Error      *string        `json:"error"`
	Kind       *string        `json:"kind"` // and Country: as a person said
	Country    *string        `json:"pays"`
	Attempts   int            `json:"attempts"`
	Documents  []IngestedBody `json:"documents"`
	RefinedIn  *int64         `json:"refined_in_seconds"`
	CreatedAt  string         `json:"created_at"`
	UpdatedAt  string         `json:"updated_at"`
}

func showIngestion(i postgres.Ingestion) IngestionBody {
	body := IngestionBody{
		ID: i.ID, Filename: i.Filename, SHA256: i.SHA256, Size: i.Size, State: i.State, Stage: i.Stage, PagesDone: i.PagesDone, PagesTotal: i.PagesTotal, Unread: i.Unread,
		Error: respond.NonEmpty(i.Error), Kind: respond.NonEmpty(i.Said.Kind), Country: respond.NonEmpty(i.Said.Country), Attempts: i.Tries, Documents: make([]IngestedBody, 0, len(i.Documents)), CreatedAt: respond.ShowTime(i.CreatedAt), UpdatedAt: respond.ShowTime(i.UpdatedAt),
	}
	for _, d := range i.Documents {
		body.Documents = append(body.Documents, IngestedBody{d.ID, d.Title, law.DocType(d.Type), d.Nature, d.Number, d.Articles, d.InReview, d.SupersededBy})
	}
	return body
}

// showRefined is showIngestion with the time until the file's texts are found as precisely
// as all others, where it is known. left and lacking are the result of postgres.Refining.
func showRefined(left time.Duration, lacking []uuid.UUID) func(postgres.Ingestion) IngestionBody {
	return func(i postgres.Ingestion) IngestionBody {
		body := showIngestion(i)
		if slices.Contains(lacking, i.ID) {
			body.RefinedIn = new(int64(left.Seconds()))
		}
		return body
	}
}

// listIngestions serves GET /admin/ingestions. It shows files, newest first, by cursor; with q
// only those with it in their name, with sha256 only the one with these bytes.
func (s *Handlers) listIngestions(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	which := postgres.FileQuery{State: q.One("state", ingestionStates), Name: q.Text("q"), SHA256: q.Text("sha256")}
	limit := q.Number("limit", respond.PageDefault, 1, respond.PageMost)
	if err := q.Err(); err != nil {
		return err
	}
	cursor, err := q.Cursor()
	if err != nil {
		return err
	}
	items, next, err := s.DB.IngestionPage(c.UserContext(), which, cursor, limit)
	if err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	left, lacking, err := s.DB.Refining(c.UserContext(), ids)
	if err != nil {
		return err
	}
	return respond.List(c, items, next, showRefined(left, lacking))
}

// ingestion returns the file that the path names.
func (s *Handlers) ingestion(c *fiber.Ctx) (postgres.Ingestion, error) {
	id, err := form.PathID(c, "id")
	if err != nil {
		return postgres.Ingestion{}, err
	}
	i, err := s.DB.Ingestion(c.UserContext(), id)
	return i, respond.NotFound(err, "Ingestion introuvable.")
}

// ofFile makes a Handler of one that also takes the file that the path names.
func (s *Handlers) ofFile(next func(c *fiber.Ctx, user postgres.User, i postgres.Ingestion) error) guard.Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		i, err := s.ingestion(c)
		if err != nil {
			return err
		}
		return next(c, user, i)
	}
}

// showIngestionOf serves GET /admin/ingestions/:id. It shows one file.
func (s *Handlers) showIngestionOf(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	left, lacking, err := s.DB.Refining(c.UserContext(), []uuid.UUID{i.ID})
	if err != nil {
		return err
	}
	return c.JSON(showRefined(left, lacking)(i))
}

// retryIngestion serves POST /admin/ingestions/:id/retry. It queues a failed or cancelled file
// again, with the metadata of the body, if there is one, in place of the file's.
func (s *Handlers) retryIngestion(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	var metadata json.RawMessage
	if len(c.Body()) > 0 {
		body := transport.ReadBody(c)
		var err error
		if metadata, err = s.readMetadata(c.UserContext(), body); err != nil {
			return err
		}
	}
	if err := s.DB.RetryIngestion(c.UserContext(), i.ID, metadata); err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}

// cancelIngestion serves POST /admin/ingestions/:id/cancel. It requests the cancellation of a
// file; one that has ended is not changed.
func (s *Handlers) cancelIngestion(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	if err := s.DB.CancelIngestion(c.UserContext(), i.ID); err != nil {
		return err
	}
	return s.acceptedIngestion(c)
}

// forgetIngestion serves DELETE /admin/ingestions/:id. It deletes a file that produced no text or,
// with texts=true, a file with all its texts.
func (s *Handlers) forgetIngestion(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	ctx := c.UserContext()
	q := form.ReadQuery(c)
	remove := s.DB.ForgetIngestion
	if q.One("texts", []string{"true", "false"}) == "true" {
		remove = s.DB.DeleteFile
	}
	if err := q.Err(); err != nil {
		return err
	}
	orphan, err := remove(ctx, i.ID)
	if err != nil {
		return respond.NotFound(err, "Ingestion introuvable.")
	}
	s.dropFile(ctx, orphan)
	return c.SendStatus(fiber.StatusNoContent)
}

// acceptedIngestion responds with the current state of the file.
func (s *Handlers) acceptedIngestion(c *fiber.Ctx) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(showIngestion(i))
}

// hintIngestion enqueues a hint. Without it, the workers find the row later.
func (s *Handlers) hintIngestion(ctx context.Context, id uuid.UUID) {
	if err := s.Enqueue(ctx, queue.Ingestions, id); err != nil {
		s.Log.WarnContext(ctx, "enqueue ingestion: left to the sweep", "ingestion_id", id, "error", err)
	}
}
