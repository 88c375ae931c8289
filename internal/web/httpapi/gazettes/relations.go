package gazettes

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// UncertainBody is a repeal or amendment whose target a person has to choose.
type UncertainBody struct {
	ID         uuid.UUID        `json:"id"`
	Type       law.RelationKind `json:"type"`
	Document   uuid.UUID        `json:"document_id"`
	Title      string           `json:"title"`
	Article    uuid.UUID        `json:"article_id"`
	Number     string           `json:"article"`
	Target     meantBody        `json:"target"`
	Date       string           `json:"date"`
	Candidates []candidateBody  `json:"candidates"`
}

// meantBody describes the target in the words of the change.
type meantBody struct {
	Type     law.DocType `json:"doc_type"` // "" if it names none
	Number   string      `json:"numero_officiel"`
	Title    string      `json:"title"`
	Date     *string     `json:"date_promulgation"`
	Articles []string    `json:"articles"`
}

type candidateBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date_promulgation"`
}

func showCandidate(d law.Document) candidateBody {
	return candidateBody{d.ID, d.Title, d.Promulgated.Format(time.DateOnly)}
}

// listUncertain serves GET /admin/relations. It shows the repeals and amendments whose target is
// uncertain, on one page.
func (s *Handlers) listUncertain(c *fiber.Ctx, _ postgres.User) error {
	relations, err := s.DB.UncertainRelations(c.UserContext(), uncertainMost)
	if err != nil {
		return err
	}
	return respond.List(c, relations, nil, showUncertain)
}

func showUncertain(u postgres.UncertainRelation) UncertainBody {
	r := u.Relation
	body := UncertainBody{ID: r.ID, Type: r.Kind, Document: r.SourceID, Title: u.Title, Article: r.SourceArticle, Number: u.Article,
		Target: meantBody{Type: r.TargetType, Number: r.TargetNumber, Title: r.TargetTitle, Date: respond.ShowDay(r.TargetDate), Articles: append([]string{}, r.TargetArticles...)},
		Date:   r.Effective.Format(time.DateOnly), Candidates: []candidateBody{}}
	for _, candidate := range u.Candidates {
		body.Candidates = append(body.Candidates, candidateBody{candidate.ID, candidate.Title, candidate.Date.Format(time.DateOnly)})
	}
	return body
}

// settleRelation serves POST /admin/relations/:id. It records which text a relation means, or that
// it means none.
func (s *Handlers) settleRelation(c *fiber.Ctx, _ postgres.User, relation uuid.UUID) error {
	body := transport.ReadBody(c)
	decision := body.MustOne("decision", []string{"accept", "reject"})
	target := body.ID("document_id")
	if _, given := body.Optional("document_id"); decision == "accept" && !given {
		body.Faults.Missing(body.At("document_id"))
	}
	if err := body.Err(); err != nil {
		return err
	}
	if decision == "reject" {
		target = nil
	}
	return respond.NoContent(c, respond.NotFound(s.DB.SettleRelation(c.UserContext(), relation, target), "Aucune relation sous cet identifiant."))
}
