package admin

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// ExplanationBody is an answer with the explanation of how it was made. Question and Answer are
// null if the caller may not read them.
type ExplanationBody struct {
	MessageID  uuid.UUID        `json:"message_id"`
	CreatedAt  string           `json:"created_at" format:"date-time"`
	State      chat.State       `json:"state" enum:"done,failed,cancelled"`
	Model      *string          `json:"model"`
	LatencyMS  *int             `json:"latency_ms"`
	Validation *chat.Validation `json:"validation"`
	Rating     *string          `json:"rating" enum:"up,down"`
	Question   *string          `json:"question" doc:"null pour la question d’autrui sans avis."`
	Answer     *string          `json:"answer" doc:"De même."`
	Sentences  []quotedBody     `json:"sentences" doc:"Ce que la réponse cite, dans l’ordre de ses numéros."`
	Why        why.Why          `json:"why"`
}

// quotedBody is the text that an answer quotes, or the beginning of the article that it
// cites.
type quotedBody struct {
	Index      int        `json:"index"`
	DocumentID uuid.UUID  `json:"document_id"`
	ArticleID  *uuid.UUID `json:"article_id"`
	Article    *string    `json:"article"`
	Text       string     `json:"text"`
	Score      float64    `json:"score"`
}

// explainAnswer serves GET /admin/answers/:id/why. It explains how an answer was made. The user's
// words are shown only if they are the caller's own or the user rated the answer, which submits it
// to the operators. Otherwise only the analysis of the question and the results of the search are
// shown.
func (s *Handlers) explainAnswer(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply ExplanationBody, _ error) {
	e, err := s.DB.ExplainedAnswer(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NotFound(err, "Réponse introuvable.")
	}
	if e.Why == nil {
		return reply, errs.New(errs.NotFound, "De cette réponse, rien n’est gardé qui l’explique : elle n’est pas terminée, ou elle est trop ancienne.")
	}
	body := ExplanationBody{MessageID: e.ID, CreatedAt: respond.ShowTime(e.CreatedAt), State: e.State, Model: e.Model, LatencyMS: e.LatencyMS, Validation: e.Validation, Rating: respond.NonEmpty(e.Rating), Sentences: []quotedBody{}}
	if err := json.Unmarshal(e.Why, &body.Why); err != nil {
		return reply, err
	}
	for _, q := range e.Citations {
		body.Sentences = append(body.Sentences, quotedBody{q.Index, q.DocumentID, q.ArticleID, q.Article, q.Excerpt, q.Score})
	}
	if e.Rating != "" || e.AskedBy == user.ID {
		body.Question, body.Answer = &e.Asked, &e.Content
	} else {
		body.Why = body.Why.Discreet()
		body.Validation = hideSentences(e.Validation)
	}
	return body, nil
}

// hideSentences returns the validation of an answer without the answer's sentences.
func hideSentences(v *chat.Validation) *chat.Validation {
	if v == nil {
		return nil
	}
	return &chat.Validation{OK: v.OK}
}
