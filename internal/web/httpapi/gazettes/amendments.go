package gazettes

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/versions"
)

// AmendmentBody is an operation of an act that is not applied.
type AmendmentBody struct {
	ID          uuid.UUID           `json:"id"`
	Act         candidateBody       `json:"act"`
	Target      *candidateBody      `json:"target"`
	Named       string              `json:"named"`
	Article     string              `json:"article"`
	Operation   amend.OperationKind `json:"operation"`
	Instruction postgres.Evidence   `json:"instruction"`
	Reason      amend.Reason        `json:"reason"`
	Sentence    string              `json:"sentence"`
	ArticleID   *uuid.UUID          `json:"article_id"`
	Before      *string             `json:"before"`
	Proposal    *string             `json:"proposal"`
	Parts       []law.Part          `json:"parts"` // from before to the proposal; empty without one
	Cited       int                 `json:"cited"`
	Articles    int                 `json:"articles"`
}

// listWaitingAmendments serves GET /admin/versions/waiting. It shows a page of the operations that
// wait for a person or a text.
func (s *Handlers) listWaitingAmendments(c *fiber.Ctx, _ postgres.User) error {
	return respond.ListByPage(c, waitingMost, s.DB.WaitingAmendments, showWaiting)
}

func showWaiting(w postgres.ShownWaiting) AmendmentBody {
	body := AmendmentBody{ID: w.ID, Act: showCandidate(w.Act), Named: w.Named, Article: w.Article, Operation: w.Kind, Instruction: w.Evidence, Reason: w.Reason,
		Sentence: w.Reason.Sentence(), ArticleID: w.Printed, Before: w.Before, Proposal: w.Proposal, Parts: []law.Part{}, Cited: w.Cited, Articles: w.Articles}
	if w.Before != nil && w.Proposal != nil {
		body.Parts = law.Differences(*w.Before, *w.Proposal)
	}
	if w.Target != nil {
		body.Target = new(showCandidate(*w.Target))
	}
	return body
}

// settleAmendment serves POST /admin/versions/waiting/:id. It records what an editor decided on an
// operation that waits.
func (s *Handlers) settleAmendment(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	body := transport.ReadBody(c)
	settlement := postgres.Settlement{Decision: body.MustOne("decision", []string{"accept", "mend", "reject"})}
	settlement.From = body.Day("date")
	if settlement.Decision == "mend" {
		settlement.Body = strings.TrimSpace(body.Text("text", 1, mendedMost))
	}
	if err := body.Err(); err != nil {
		return err
	}
	return respond.NoContent(c, respond.NotFound((&versions.Runner{DB: s.DB, Log: s.Log}).Settle(c.UserContext(), id, settlement), "Aucune opération n’attend sous cet identifiant."))
}

// DecisionBody is a decision of a person on an amendment.
type DecisionBody struct {
	ID       uuid.UUID                 `json:"id"`
	Target   catalogue.AmendingActBody `json:"target"`
	Act      catalogue.AmendingActBody `json:"act"`
	Article  string                    `json:"article"`
	Decision string                    `json:"decision"`
	Text     string                    `json:"text"`
	Date     *string                   `json:"date"`
	At       string                    `json:"settled_at"`
}

// listAmendmentDecisions serves GET /admin/versions/decisions. It shows a page of the decisions on
// amendments, the latest first.
func (s *Handlers) listAmendmentDecisions(c *fiber.Ctx, _ postgres.User) error {
	return respond.ListByPage(c, waitingMost, s.DB.Settlements, func(d postgres.ShownSettlement) DecisionBody {
		return DecisionBody{d.ID, catalogue.AmendingActBody{Document: d.Target.ID, Title: d.Target.Title}, catalogue.AmendingActBody{Document: d.Act.ID, Title: d.Act.Title}, d.Article, d.Decision, d.Body, respond.ShowDay(d.From), respond.ShowTime(d.At)}
	})
}

// undoAmendmentDecision serves DELETE /admin/versions/decisions/:id. It deletes a decision, so
// that the amendment waits again.
func (s *Handlers) undoAmendmentDecision(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound((&versions.Runner{DB: s.DB, Log: s.Log}).Undo(c.UserContext(), id), "Aucune décision n’a cet identifiant."))
}

// rebuildVersions serves POST /admin/versions/rebuild. It asks a worker to make the versions of all texts again.
func (s *Handlers) rebuildVersions(c *fiber.Ctx, _ postgres.User) error {
	return respond.NoContent(c, s.DB.VersionIndex().Remake(c.UserContext()))
}

// RebuiltBody is how many versions of articles a text has.
type RebuiltBody struct {
	Versions int `json:"versions"`
}

// rebuildVersionsOf serves POST /admin/versions/rebuild/:id. It reads the changes of a text and the acts that change it
// again, and makes its versions.
func (s *Handlers) rebuildVersionsOf(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	if _, err := s.DB.Document(c.UserContext(), id); err != nil {
		return respond.NoDocument(err)
	}
	if err := (&versions.Runner{DB: s.DB, Log: s.Log}).Write(c.UserContext(), 0, []uuid.UUID{id}); err != nil {
		return err
	}
	list, _, err := s.DB.VersionsOfText(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	return c.JSON(RebuiltBody{len(list)})
}
