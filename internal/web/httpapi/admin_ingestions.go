package httpapi

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
)

// ingestionStates are the states of a file.
var ingestionStates = []string{"queued", "running", "review", "done", "failed", "cancelled"}

// ingestedBody is a text of a file.
type ingestedBody struct {
	ID           uuid.UUID  `json:"id"`
	Title        string     `json:"title"`
	SupersededBy *uuid.UUID `json:"remplace_par"`
}

// ingestionBody is a file and the state of its ingestion.
type ingestionBody struct {
	ID         uuid.UUID      `json:"id"`
	Filename   string         `json:"filename"`
	Size       int64          `json:"size"`
	State      string         `json:"state"`
	Stage      string         `json:"stage"`
	PagesDone  int            `json:"pages_done"`
	PagesTotal int            `json:"pages_total"`
	Error      *string        `json:"error"`
	Attempts   int            `json:"attempts"`
	Documents  []ingestedBody `json:"documents"`
	RefinedIn  *int64         `json:"refined_in_seconds"`
	CreatedAt  string         `json:"created_at"`
	UpdatedAt  string         `json:"updated_at"`
}

func showIngestion(i postgres.Ingestion) ingestionBody {
	body := ingestionBody{
		ID: i.ID, Filename: i.Filename, Size: i.Size, State: i.State, Stage: i.Stage, PagesDone: i.PagesDone, PagesTotal: i.PagesTotal,
		Attempts: i.Tries, Documents: make([]ingestedBody, 0, len(i.Documents)), CreatedAt: showTime(i.CreatedAt), UpdatedAt: showTime(i.UpdatedAt),
	}
	if i.Error != "" {
		body.Error = &i.Error
	}
	for _, d := range i.Documents {
		body.Documents = append(body.Documents, ingestedBody{d.ID, d.Title, d.SupersededBy})
	}
	return body
}

// showRefined is showIngestion with the time until the file's texts are found as precisely
// as all others, where it is known. refining is the result of postgres.Refining.
func showRefined(refining map[uuid.UUID]time.Duration) func(postgres.Ingestion) ingestionBody {
	return func(i postgres.Ingestion) ingestionBody {
		body := showIngestion(i)
		if left, ok := refining[i.ID]; ok {
			seconds := int64(left.Seconds())
			body.RefinedIn = &seconds
		}
		return body
	}
}

// listIngestions shows files, newest first, by cursor; with q only those with it in their name.
func (s *Server) listIngestions(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	state, text := q.one("state", ingestionStates), q.text("q")
	limit := q.number("limit", adminPageDefault, 1, adminPageMost)
	if err := q.err(); err != nil {
		return err
	}
	before, err := q.cursor()
	if err != nil {
		return err
	}
	items, next, err := s.DB.IngestionPage(c.UserContext(), state, text, before, limit)
	if err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	refining, err := s.DB.Refining(c.UserContext(), ids)
	if err != nil {
		return err
	}
	return list(c, items, next, showRefined(refining))
}

// ingestion returns the file that the path names.
func (s *Server) ingestion(c *fiber.Ctx) (postgres.Ingestion, error) {
	id, err := pathID(c, "id")
	if err != nil {
		return postgres.Ingestion{}, err
	}
	i, err := s.DB.Ingestion(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return i, errs.Wrap(errs.NotFound, "Ingestion introuvable.", err)
	}
	return i, err
}

// showIngestionOf shows one file.
func (s *Server) showIngestionOf(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	refining, err := s.DB.Refining(c.UserContext(), []uuid.UUID{i.ID})
	if err != nil {
		return err
	}
	return c.JSON(showRefined(refining)(i))
}

// retryIngestion queues a failed or cancelled file again.
func (s *Server) retryIngestion(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	if err := s.DB.RetryIngestion(c.UserContext(), i.ID, nil); err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}

// cancelIngestion requests the cancellation of a file; one that has ended is not changed.
func (s *Server) cancelIngestion(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	if err := s.DB.CancelIngestion(c.UserContext(), i.ID); err != nil {
		return err
	}
	return s.acceptedIngestion(c)
}

// forgetIngestion deletes a file that produced no text.
func (s *Server) forgetIngestion(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	orphan, err := s.DB.ForgetIngestion(ctx, i.ID)
	if errs.Is(err, errs.NotFound) { // deleted by a concurrent request
		return errs.Wrap(errs.NotFound, "Ingestion introuvable.", err)
	}
	if err != nil {
		return err
	}
	s.dropFile(ctx, orphan)
	return c.SendStatus(fiber.StatusNoContent)
}

// acceptedIngestion responds with the current state of the file.
func (s *Server) acceptedIngestion(c *fiber.Ctx) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(showIngestion(i))
}

// hintIngestion enqueues a hint. Without it, the workers find the row later.
func (s *Server) hintIngestion(ctx context.Context, id uuid.UUID) {
	if err := s.Queue.Enqueue(ctx, queue.Ingestions, id); err != nil {
		s.Log.WarnContext(ctx, "enqueue ingestion: left to the sweep", "ingestion_id", id, "error", err)
	}
}
