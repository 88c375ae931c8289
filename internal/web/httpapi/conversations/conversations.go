// Package conversations serves questions and their answers: as event streams, in OpenAI's form,
// as tools for programs, and later as conversations that can be read, shared and exported.
//
// An answer is streamed from the relay, or from its row if the relay is down. A stream ends with
// the answer's single end event, unless the client disconnects or the server shuts down; then the
// client may resume on any server.
package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// Handlers serve the routes of conversations. They must not be copied once they serve.
type Handlers struct {
	*guard.Guard

	Public         *public.Pages // nil: links open only for accounts
	Relay          *relay.Relay  // run by the caller
	Enqueue        func(ctx context.Context, kind queue.Kind, id uuid.UUID) error
	Models         []Model            // one of them is the default
	Backlog        postgres.Backlog   // beyond it, questions are rejected
	Tokens         int                // that an account may spend on models in a day; 0: any number
	GuestQuestions *ratelimit.Limiter // questions without an account from one browser; nil: not allowed
	Papers         *transport.Slots   // files for reading in the making
	Checks         *transport.Slots   // texts that are checked
}

// Routes registers the routes.
func (s *Handlers) Routes(routes contract.Routes) {
	events := map[string]any{string(chat.Chunk): chat.ChunkEvent{}, string(chat.Reset): chat.ResetEvent{}, string(chat.Final): chat.FinalEvent{}, string(chat.ErrorKind): contract.Error{}}
	headers := []string{"Cache-Control", "X-Accel-Buffering", "X-Conversation-Id", "X-Message-Id", "Idempotency-Replayed", "Set-Cookie"}
	guest := contract.Reading[GuestQuestion](s.askAsGuest)
	guest.Signed = true // closed unless configured to be open
	api := routes.Below(transport.Prefix).Tag("Questions")
	api.Post("/chat-rag/stream", "ask", "Poser une question", s.Signed(contract.Do(s.ask))).Fails(404, 409).Scope("chat").Events(events).Headers(headers...)
	api.Post("/guest/questions", "askAsGuest", "Poser une question sans compte", guest).Guests().Fails(403, 409).Events(events).Headers(headers...)
	api.Get("/chat-rag/stream/:message_id", "resume", "Reprendre le flux d’une réponse", s.Signed(contract.Do(s.resume))).Fails(404).Scope("chat").Events(events).Headers(headers...)
	api.Post("/chat-rag/stream/:message_id/cancel", "cancelAnswer", "Arrêter une réponse", s.Signed(contract.Do(s.cancel))).Gives(202).Fails(404).Scope("chat")
	api.Post("/messages/:id/feedback", "giveFeedback", "Noter une réponse", s.Signed(contract.Do(s.giveFeedback))).Scope("chat")
	api.Get("/models", "listModels", "Lister les modèles", s.Signed(contract.Do(s.listModels))).Scope("chat")

	root := routes.Tag("Questions")
	root.Post(CompletionsRoute, "completeChat", "Poser une question à la manière d’OpenAI", s.Signed(s.InTurn(contract.Do(s.complete)))).Fails(404, 409).Scope("chat").
		Refuses(CompletionError{}).Events(map[string]any{"": contract.Either[Completion, CompletionError]{}})
	root.Get(ModelsRoute, "listCompletionModels", "Lister les modèles à la manière d’OpenAI", s.Signed(contract.Do(s.listCompletionModels))).Scope("chat").Refuses(CompletionError{})
	wrong := contract.Either[contract.Error, protocolMessage]{}
	root.Post(transport.ToolsRoute, "exchangeMCP", "Échanger un message du Model Context Protocol", s.Signed(s.InTurn(contract.Reading[protocolRequest](s.exchange(s.programs()))))).
		Also(202, contract.Sent{}).FailsAs(400, wrong).FailsAs(404, wrong).Scope("mcp")

	api = api.Tag("Conversations")
	api.Get("/conversations", "listConversations", "Lister ses conversations", s.Signed(s.InTurn(contract.Do(s.listConversations)))).Scope("chat")
	api.Get("/conversations/:id", "showConversation", "Lire une conversation", s.Signed(s.InTurn(contract.Do(s.showConversation)))).Scope("chat")
	api.Patch("/conversations/:id", "renameConversation", "Renommer une conversation", s.Signed(contract.Do(s.renameConversation))).Scope("chat")
	api.Delete("/conversations/:id", "deleteConversation", "Supprimer une conversation", s.Signed(contract.Do(s.deleteConversation))).Scope("chat")
	api.Get("/conversations/:id/export", "exportConversation", "Exporter une conversation", s.Signed(s.InTurn(contract.Exports(contract.Do(s.exportConversation))))).Scope("chat").
		Media("text/markdown", respond.DocxKind).Headers("Content-Disposition")
	api.Get("/conversations/:id/link", "showConversationLink", "Savoir si une conversation est partagée", s.Signed(s.InTurn(contract.Do(s.showConversationLink))))
	api.Post("/conversations/:id/link", "shareConversation", "Partager une conversation", s.Signed(s.InTurn(contract.Do(s.shareConversation)))).Gives(201).Fails(409)
	api.Delete("/conversations/:id/link", "unshareConversation", "Retirer le lien d’une conversation", s.Signed(contract.Do(s.unshareConversation)))
	api.Get("/me/shared", "listOwnLinks", "Lister ses conversations partagées", s.Signed(s.InTurn(contract.Do(s.listOwnLinks))))
	api.Get("/shared/:token", "readShared", "Lire une conversation partagée", s.letReadShared()).Guests().Fails(403, 404).Headers("X-Robots-Tag")
}

// ConversationBody has the domain under both of its names.
type ConversationBody struct {
	ID            uuid.UUID `json:"id"`
	Title         string    `json:"title"`
	Domaine       *string   `json:"domaine"`
	Domain        *string   `json:"domain" doc:"Le même que domaine."`
	Model         *string   `json:"model"`
	MessageCount  int       `json:"message_count"`
	LastMessageAt string    `json:"last_message_at" format:"date-time"`
	CreatedAt     string    `json:"created_at" format:"date-time"`
}

func showConversation(c chat.Conversation) ConversationBody {
	return ConversationBody{
		ID: c.ID, Title: c.Title, Domaine: c.Domain, Domain: c.Domain, Model: c.Model, MessageCount: c.MessageCount,
		LastMessageAt: respond.ShowTime(c.LastMessageAt), CreatedAt: respond.ShowTime(c.CreatedAt),
	}
}

// MessageBody is a question or an answer.
type MessageBody struct {
	ID          uuid.UUID        `json:"id"`
	Role        chat.Role        `json:"role" enum:"user,assistant"`
	Content     string           `json:"content"`
	Citations   []law.Citation   `json:"citations"`
	SeeAlso     []chat.SeeAlso   `json:"see_also,omitempty" doc:"À lire aussi : absent s’il n’y a rien."`
	Validation  *chat.Validation `json:"validation"`
	Certainty   *chat.Grade      `json:"certainty" enum:"sure,likely,unsure,refused" doc:"Si l’article cité répond : sure, un seul article, sans réserve ; likely, l’article qui répond probablement d’abord, d’autres nommés ensuite ; unsure, des articles qui peuvent répondre ; refused, rien au catalogue ne répond. null pour une question, une salutation, une réponse en échec, ou une réponse plus ancienne que ce champ."`
	Probability *float64         `json:"probability" doc:"Probabilité que le premier article trouvé réponde, mesurée sur des questions jugées. null avec certainty."`
	LatencyMS   *int             `json:"latency_ms"`
	Model       *string          `json:"model"`
	CreatedAt   string           `json:"created_at" format:"date-time"`
	Filters     filtersBody      `json:"filters" doc:"Ce qui a restreint la question ; vide, rien."`
	Rating      *string          `json:"rating" enum:"up,down" doc:"L’avis donné sur la réponse (POST /messages/{id}/feedback)."`
}

// filtersBody holds the filters of a question as they were sent, with a day in place of the instant.
type filtersBody struct {
	law.Filters
	Date *string `json:"date,omitempty" format:"date"`
}

// showMessage converts a message. The reason of a failed answer is in validation, the only
// field of the contract for it.
func showMessage(m chat.Message) MessageBody {
	body := MessageBody{
		ID: m.ID, Role: m.Role, Content: m.Content, Citations: m.Citations, SeeAlso: m.Beside(), Validation: m.Validation,
		LatencyMS: m.LatencyMS, Model: m.Model, CreatedAt: respond.ShowTime(m.CreatedAt), Filters: filtersBody{m.Filters, respond.ShowDay(m.Filters.Date)}, Rating: respond.NonEmpty(m.Rating),
	}
	body.Certainty, body.Probability = m.Certainty.Fields()
	if body.Citations == nil {
		body.Citations = []law.Citation{}
	}
	if m.State == chat.Failed && (m.Validation == nil || m.Validation.Warning == nil) {
		body.Validation = &chat.Validation{Warning: &m.Error}
	}
	return body
}

type listConversationsInput struct {
	respond.Cursor
	Text string `query:"q" doc:"Cherche dans les titres et les messages, sans égard à la casse." example:"préavis"`
}

// listConversations serves GET /conversations. It shows the caller's conversations, newest first,
// by cursor; with q only those with it in their title or in a message.
func (s *Handlers) listConversations(c *fiber.Ctx, user postgres.User, input listConversationsInput) (reply respond.Listing[ConversationBody], _ error) {
	found, next, err := s.DB.SearchConversations(c.UserContext(), user.ID, input.Text, input.Before, input.Limit)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(found, next, showConversation), nil
}

// showConversation serves GET /conversations/:id. It shows one of the caller's conversations with
// all its messages.
func (s *Handlers) showConversation(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply WholeBody, _ error) {
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, input.ID)
	if err != nil {
		return reply, nameConversation(err)
	}
	return ShowWhole(conversation, messages), nil
}

// WholeBody is a conversation with all its messages.
type WholeBody struct {
	Conversation ConversationBody `json:"conversation"`
	Messages     []MessageBody    `json:"messages"`
}

// ShowWhole shows a conversation with all its messages.
func ShowWhole(c chat.Conversation, messages []chat.Message) WholeBody {
	return WholeBody{showConversation(c), respond.ShowAll(messages, showMessage)}
}

// nameConversation replaces the message of NotFound.
func nameConversation(err error) error {
	return respond.NotFound(err, "Conversation introuvable.")
}

// renameConversation serves PATCH /conversations/:id. It changes the title of a conversation of
// the caller.
func (s *Handlers) renameConversation(c *fiber.Ctx, user postgres.User, input struct {
	contract.ByID
	Title string `json:"title" minLength:"1" maxLength:"255" format:"title" example:"Préavis des cadres"`
}) (reply ConversationBody, _ error) {
	conversation, err := s.DB.RenameConversation(c.UserContext(), user.ID, input.ID, input.Title)
	if err != nil {
		return reply, nameConversation(err)
	}
	return showConversation(conversation), nil
}

// deleteConversation serves DELETE /conversations/:id. It deletes a conversation of the caller. If
// an answer is being written, its worker and its readers are notified; a failure is ignored, since
// both notice by the row a little later.
func (s *Handlers) deleteConversation(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	ctx := c.UserContext()
	running, err := s.DB.DeleteConversation(ctx, user.ID, input.ID)
	if err != nil {
		return reply, nameConversation(err)
	}
	for _, answer := range running {
		s.Relay.Publisher(ctx, answer.ID, answer.Attempt).End(ctx, chat.ErrorKind, chat.ErrorData(deletedText))
		if err := s.Relay.Cancel(ctx, answer.ID); err != nil {
			s.Log.WarnContext(ctx, "delete conversation: its worker is left to the row", "message_id", answer.ID, "error", err)
		}
	}
	return reply, nil
}

// exportConversation serves GET /conversations/:id/export. It downloads a conversation of the
// caller with its citations.
func (s *Handlers) exportConversation(c *fiber.Ctx, user postgres.User, input struct {
	contract.ByID
	Format string `query:"format" enum:"md,json,docx" default:"md" doc:"Markdown, JSON ou Word."`
}) (reply WholeBody, _ error) {
	conversation, messages, err := s.DB.Conversation(c.UserContext(), user.ID, input.ID)
	if err != nil {
		return reply, nameConversation(err)
	}
	if err := s.DB.Note(c.UserContext(), postgres.ConversationExported, input.ID.String(), nil); err != nil {
		return reply, err
	}
	var file bytes.Buffer
	switch input.Format {
	case "json":
		body, err := json.MarshalIndent(ShowWhole(conversation, messages), "", "  ")
		if err != nil {
			return reply, fmt.Errorf("httpapi: export %s: %w", input.ID, err)
		}
		file.Write(append(body, '\n'))
	case "docx":
		release, err := s.Papers.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
		if err != nil {
			return reply, err
		}
		defer release()
		day := country.Today[string](s.Now()) // files made on one day are the same
		p := paper.Paper{Title: conversation.Title, Foot: paper.Foot(law.WriteDate(day)), Made: day, Markdown: []byte(chat.Markdown(conversation, messages, s.BaseURL))}
		if err := paper.Docx(&file, p); err != nil {
			return reply, fmt.Errorf("httpapi: export %s: %w", input.ID, err)
		}
	default:
		file.WriteString(chat.Markdown(conversation, messages, s.BaseURL))
	}
	return reply, contract.Written(respond.Download(c, conversation.Title, input.Format, respond.ExportKinds[input.Format], file.Bytes()))
}

// giveFeedback serves POST /messages/:id/feedback. It stores the caller's rating of an answer,
// replacing an earlier one.
func (s *Handlers) giveFeedback(c *fiber.Ctx, user postgres.User, input struct {
	contract.ByID
	Rating  string `json:"rating" enum:"up,down"`
	Comment string `json:"comment,omitempty" maxLength:"2000" example:"L’article cité a été modifié depuis."`
}) (reply contract.None, _ error) {
	feedback := postgres.Feedback{Rating: input.Rating, Comment: input.Comment}
	return reply, respond.NotFound(s.DB.SetFeedback(c.UserContext(), user.ID, input.ID, feedback), "Réponse introuvable.")
}

// listModels serves GET /models. It lists the models that a question may name.
func (s *Handlers) listModels(*fiber.Ctx, postgres.User, contract.None) ([]Model, error) {
	return s.Models, nil
}

// ModelsOf returns the models that a question may name: the configured ones, of which the first is the default, and
// the extractive one.
func ModelsOf(names []string) (list []Model) {
	for i, name := range names {
		list = append(list, Model{ID: name, Label: name, Default: i == 0})
	}
	return append(list, Model{ID: extractive.Model, Label: "Extractif (passages cités, sans modèle)", Default: len(names) == 0})
}

// Model is a model that a question may name.
type Model struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Default bool   `json:"default"`
}
