package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// Page sizes of the reviews, and the maximum number of texts that one request settles: they
// fit into its time limit even if each links many relations.
const (
	reviewsDefault = 20
	reviewsMost    = 100
	decisionsMost  = 50
)

// waitingBody is a text in review with its file.
type waitingBody struct {
	Ingestion uuid.UUID  `json:"ingestion_id"`
	Filename  string     `json:"filename"`
	Review    reviewBody `json:"review"`
}

// listAllReviews shows the texts of all files that wait in review.
func (s *Server) listAllReviews(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	which := postgres.ReviewQuery{Doubt: q.text("doubt"), Group: q.text("group"), File: q.text("file")}
	page, size := q.number("page", 1, 1, 0), q.number("page_size", reviewsDefault, 1, reviewsMost)
	if err := q.err(); err != nil {
		return err
	}
	found, err := s.DB.ReviewPage(c.UserContext(), which, min(page, farthestPage), size)
	if err != nil {
		return err
	}
	items := showAll(found.Items, func(r postgres.Review) waitingBody {
		return waitingBody{r.Document.IngestionID, r.Filename, s.showReview(r)}
	})
	return c.JSON(struct {
		Items    []waitingBody `json:"items"`
		Total    int           `json:"total"`
		Page     int           `json:"page"`
		PageSize int           `json:"page_size"`
		Doubts   []countBody   `json:"doubts"`
		Groups   []groupBody   `json:"groups"`
	}{items, found.Total, page, size, showCounts(found.Doubts), showAll(found.Groups, func(g postgres.ReviewGroup) groupBody { return groupBody(g) })})
}

// groupBody is the texts in review that wait for the same fields.
type groupBody struct {
	Fields  string `json:"fields"`
	Texts   int    `json:"texts"`
	Files   int    `json:"files"`
	Lacking int    `json:"lacking"`
}

// decision is a reviewer's verdict on one text.
type decision struct {
	document uuid.UUID
	verdict  string // accept, reject
	change   postgres.DocumentChange
}

// outcomeBody is the result of a decision.
type outcomeBody struct {
	Document uuid.UUID `json:"document_id"`
	Decision string    `json:"decision"`
	Done     bool      `json:"done"`
	Detail   *string   `json:"detail"`
	Missing  []string  `json:"missing"`
}

// decideReviews settles several texts independently of each other.
func (s *Server) decideReviews(c *fiber.Ctx, _ postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	var list []decision
	for _, one := range body.objects("decisions", decisionsMost) {
		d := decision{document: one.mustID("document_id"), verdict: one.mustOne("decision", []string{"accept", "reject"})}
		// The faults of all texts are returned together, below.
		if d.change, err = s.readDecided(c.UserContext(), one); err != nil && !errors.As(err, new(faults)) {
			return err
		}
		list = append(list, d)
	}
	if err := body.err(); err != nil {
		return err
	}
	outcomes := make([]outcomeBody, 0, len(list))
	for _, d := range list {
		outcomes = append(outcomes, s.outcome(c.UserContext(), d))
	}
	return c.JSON(struct {
		Items []outcomeBody `json:"items"`
	}{outcomes})
}

// outcome settles one text and returns the result.
func (s *Server) outcome(ctx context.Context, d decision) outcomeBody {
	body := outcomeBody{Document: d.document, Decision: d.verdict, Missing: []string{}}
	err := s.decide(ctx, d)
	if body.Done = err == nil; body.Done {
		return body
	}
	var lacking *postgres.Lacking
	status, public := describe(noReview(err))
	detail, _ := public.(string)
	switch {
	case errors.As(err, &lacking):
		body.Missing = lacking.Fields
		detail = "Il manque des données sans lesquelles le texte ne peut pas être accepté."
	case errs.Is(err, errs.NotFound):
		detail = "Aucun texte à relire sous cet identifiant."
	case status >= fiber.StatusInternalServerError:
		s.Log.ErrorContext(ctx, "decide a review", "document_id", d.document, "error", err)
	}
	body.Detail = &detail
	return body
}

func (s *Server) decide(ctx context.Context, d decision) error {
	r, err := s.DB.Review(ctx, d.document)
	if err != nil {
		return err
	}
	if d.verdict == "reject" {
		return s.DB.RejectText(ctx, r.Document.IngestionID, d.document, d.change.Version)
	}
	_, err = s.DB.AcceptText(ctx, r.Document.IngestionID, d.document, d.change)
	return err
}

// objects reads a required list of one to most objects.
func (o *object) objects(name string, most int) (list []*object) {
	raw, given := o.fields[name]
	if !given {
		o.faults.missing(o.at(name))
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || items == nil {
		o.faults.add("list_type", o.at(name), raw, "Une liste est attendue.")
		return nil
	}
	if len(items) < 1 || len(items) > most {
		o.faults.add("value_error", o.at(name), nil, "De 1 à %d éléments sont attendus.", most)
		return nil
	}
	for i, item := range items {
		at := append(o.at(name), i)
		var fields map[string]json.RawMessage
		if json.Unmarshal(item, &fields) != nil || fields == nil || !bytes.HasPrefix(bytes.TrimSpace(item), []byte("{")) {
			o.faults.add("dict_type", at, item, "Un objet est attendu.")
			continue
		}
		list = append(list, &object{fields: fields, loc: at, faults: o.faults})
	}
	return list
}

// mustID reads a required UUID.
func (o *object) mustID(name string) uuid.UUID {
	if raw, given := o.fields[name]; !given {
		o.faults.missing(o.at(name))
		return uuid.Nil
	} else if string(raw) == "null" {
		o.faults.add("uuid_parsing", o.at(name), raw, "Un UUID est attendu.")
		return uuid.Nil
	}
	if id := o.id(name); id != nil {
		return *id
	}
	return uuid.Nil
}
