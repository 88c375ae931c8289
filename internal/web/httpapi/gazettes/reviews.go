package gazettes

import (
	"context"
	"errors"

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

// WaitingBody is a text in review with its file.
type WaitingBody struct {
	Ingestion uuid.UUID  `json:"ingestion_id"`
	Filename  string     `json:"filename"`
	Review    ReviewBody `json:"review"`
}

func (s *Handlers) showWaiting(r postgres.Review) WaitingBody {
	return WaitingBody{r.Document.IngestionID, r.Filename, s.showReview(r)}
}

// EditionBody is a text with the better edition that superseded it.
type EditionBody struct {
	Document law.Record `json:"document"`
	By       uuid.UUID  `json:"remplace_par"`
}

// editionsMost is the maximum number of superseded texts that are listed.
const editionsMost = 10_000

// listEditions serves GET /admin/editions. It shows the texts that a better edition superseded, on
// one page.
func (s *Handlers) listEditions(c *fiber.Ctx, _ postgres.User) error {
	list, err := s.DB.AllSuperseded(c.UserContext(), editionsMost)
	if err != nil {
		return err
	}
	return respond.List(c, list, nil, func(e postgres.Superseded) EditionBody {
		return EditionBody{catalogue.ShowRecord(s.Base(), e.Document), e.By.ID}
	})
}

// listAllReviews serves GET /admin/reviews. It shows the texts of all files that wait in review.
func (s *Handlers) listAllReviews(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	which := postgres.ReviewQuery{Doubt: q.Text("doubt"), Group: q.Text("group"), File: q.Text("file")}
	page, size := q.Number("page", 1, 1, 0), q.Number("page_size", reviewsDefault, 1, reviewsMost)
	if err := q.Err(); err != nil {
		return err
	}
	found, err := s.DB.ReviewPage(c.UserContext(), which, min(page, form.FarthestPage), size)
	if err != nil {
		return err
	}
	items := respond.ShowAll(found.Items, s.showWaiting)
	return c.JSON(struct {
		Items    []WaitingBody    `json:"items"`
		Total    int              `json:"total"`
		Page     int              `json:"page"`
		PageSize int              `json:"page_size"`
		Doubts   []postgres.Count `json:"doubts"`
		Groups   []GroupBody      `json:"groups"`
	}{items, found.Total, page, size, found.Doubts, found.Groups})
}

// GroupBody is the texts in review that wait for the same fields.
type GroupBody = postgres.ReviewGroup

// decision is a reviewer's verdict on one text.
type decision struct {
	document uuid.UUID
	verdict  string // accept, reject, reopen
	change   postgres.DocumentChange
}

// OutcomeBody is the result of a decision.
type OutcomeBody struct {
	Document uuid.UUID `json:"document_id"`
	Decision string    `json:"decision"`
	Done     bool      `json:"done"`
	Absent   bool      `json:"absent"` // there is no such text to decide about
	Detail   *string   `json:"detail"`
	Missing  []string  `json:"missing"`
}

// decideReviews serves POST /admin/reviews. It settles several texts independently of each other.
func (s *Handlers) decideReviews(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	var list []decision
	for _, one := range body.Objects("decisions", decisionsMost) {
		d := decision{document: one.MustID("document_id"), verdict: one.MustOne("decision", []string{"accept", "reject", "reopen"})}
		// The faults of all texts are returned together, below.
		var err error
		if d.change, err = s.readDecided(c.UserContext(), one); err != nil && !errors.As(err, new(form.Faults)) {
			return err
		}
		list = append(list, d)
	}
	if err := body.Err(); err != nil {
		return err
	}
	outcomes := make([]OutcomeBody, 0, len(list))
	for _, d := range list {
		outcomes = append(outcomes, s.outcome(c.UserContext(), d))
	}
	return c.JSON(struct {
		Items []OutcomeBody `json:"items"`
	}{outcomes})
}

// outcome settles one text and returns the result.
func (s *Handlers) outcome(ctx context.Context, d decision) OutcomeBody {
	body := OutcomeBody{Document: d.document, Decision: d.verdict, Missing: []string{}}
	err := s.decide(ctx, d)
	if body.Done = err == nil; body.Done {
		return body
	}
	var lacking *postgres.Lacking
	status, public := transport.Describe(nameReview(err))
	detail, _ := public.(string)
	switch {
	case errors.As(err, &lacking):
		body.Missing = lacking.Fields
		detail = "Il manque des données sans lesquelles le texte ne peut pas être accepté."
	case errs.Is(err, errs.NotFound):
		body.Absent, detail = true, noReview
		if d.verdict == "reopen" {
			detail = notAccepted
		}
	case status >= fiber.StatusInternalServerError:
		s.Log.ErrorContext(ctx, "decide a review", "document_id", d.document, "error", err)
	}
	body.Detail = &detail
	return body
}

// decide settles a text in review, reopens one of the catalogue, or accepts one that an edition
// superseded beside it.
func (s *Handlers) decide(ctx context.Context, d decision) error {
	r, err := s.DB.Review(ctx, d.document)
	if errs.Is(err, errs.NotFound) && d.verdict != "reject" {
		r.Document, err = s.DB.Document(ctx, d.document)
		if err == nil && d.verdict == "accept" && r.Document.SupersededBy == nil {
			return errs.New(errs.NotFound, "")
		}
	}
	if err != nil {
		return err
	}
	switch d.verdict {
	case "reject":
		return s.DB.RejectText(ctx, r.Document.IngestionID, d.document, d.change.Version)
	case "reopen":
		_, err = s.DB.ReopenText(ctx, r.Document.IngestionID, d.document)
	default:
		_, err = s.DB.AcceptText(ctx, r.Document.IngestionID, d.document, d.change)
	}
	return err
}
