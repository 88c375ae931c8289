package conversations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// everyCountry is the value of filters.pays for the law of every country, whatever the country
// of the account.
const everyCountry = "tous"

// questionLimit is the maximum length of a question in code points.
const questionLimit = 4000

// QuestionFilters limit the answer to a question.
type QuestionFilters struct {
	_        struct{}    `additionalProperties:"false"`
	Domain   string      `json:"domaine,omitempty" doc:"Code d’un domaine ; s’il n’existe pas, rien n’est trouvé." example:"travail"`
	Country  string      `json:"pays,omitempty" format:"country" or:"tous" doc:"Le pays dont le droit est demandé. Seuls répondent ses textes, ceux des unions dont il est membre et ceux dont le pays n’est pas connu. Un pays que la question nomme l’emporte. Un code inconnu est refusé. Sans ce filtre, le pays du compte (PATCH /me) le remplace si ni la question ni ce dont elle dépend n’en nomme ; tous demande le droit de tous les pays." example:"bj"`
	Type     law.DocType `json:"doc_type,omitempty" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Status   law.Status  `json:"statut,omitempty" enum:"en_vigueur,abroge,modifie"`
	Date     *time.Time  `json:"date,omitempty" format:"date" doc:"Le jour dont le droit répond." example:"2024-03-01"`
	Document *uuid.UUID  `json:"document_id,omitempty"`
}

// limit limits a turn to the filters.
func (f QuestionFilters) limit(turn *asked) {
	turn.Filters = law.Filters{Domain: f.Domain, Country: f.Country, Type: f.Type, Status: f.Status, Date: f.Date, DocumentID: f.Document}
	if turn.everywhere = f.Country == everyCountry; turn.everywhere {
		turn.Filters.Country = ""
	}
}

// Question is a question of an account.
type Question struct {
	guard.Once
	Question     string          `json:"question" minLength:"1" maxLength:"4000" example:"Combien de temps dure le préavis d’un cadre qui démissionne ?"`
	Conversation *uuid.UUID      `json:"conversation_id,omitempty" doc:"La conversation à poursuivre ; sans elle, une autre est commencée."`
	Filters      QuestionFilters `json:"filters,omitempty" doc:"Ce qui peut être cité. Un champ inconnu est refusé : il élargirait la question sans le dire."`
	Model        *string         `json:"model,omitempty" doc:"L’un de ceux de /api/v1/models."`
}

// asked is a question as it was read.
type asked struct {
	postgres.NewTurn
	everywhere bool // the asker wants the law of every country
}

// ask serves POST /chat-rag/stream. It accepts a question and streams its answer; a question that
// was sent before under the same Idempotency-Key keeps its answer. The order matters: subscribing
// to the relay comes before adding the row, so that a Redis that is down is an ordinary 503 and
// leaves no answer behind, and so that no event is missed; the hint to the workers comes last.
func (s *Handlers) ask(c *fiber.Ctx, user postgres.User, input Question) (reply contract.Sent, _ error) {
	model, err := s.model(input.Model)
	if err != nil {
		return reply, err
	}
	turn := asked{NewTurn: postgres.NewTurn{UserID: user.ID, Backlog: s.Backlog, Question: input.Question, ConversationID: input.Conversation, Model: model}}
	input.Filters.limit(&turn)
	if err := s.narrowToHome(c.UserContext(), user.ID, user.Country, &turn); err != nil {
		return reply, err
	}
	ctx, previous, done, err := s.BeginOnce(c.UserContext(), c, user.ID[:], postgres.QuestionOnce, guard.SameBody(c))
	if err != nil {
		return reply, err
	}
	if done {
		return reply, s.replay(c, user, previous, 0)
	}
	streamOf, err := s.begin(ctx, turn.NewTurn)
	if err != nil {
		if previous, done, err = guard.DoneMeanwhile(c, err); done {
			return reply, s.replay(c, user, previous, 0)
		}
		return reply, err
	}
	streamOf.session = guard.SessionFor(c, user, "user")
	s.stream(c, streamOf)
	return reply, nil
}

// model returns the model that a question names, or the default one. The error is a fault if there is no such model.
func (s *Handlers) model(name *string) (string, error) {
	var ids []string
	for _, m := range s.Models {
		if ids = append(ids, m.ID); name == nil && m.Default {
			name = &m.ID
		}
	}
	if name == nil { // there is none
		return "", nil
	}
	if slices.Contains(ids, *name) {
		return *name, nil
	}
	var f form.Faults
	f.Choose([]any{"body", "model"}, form.Quote(*name), ids)
	return "", f
}

// begin stores a question and returns the stream of its answer, without its session.
func (s *Handlers) begin(ctx context.Context, turn postgres.NewTurn) (answer streamOf, err error) {
	turn.MessageID = postgres.NewID()
	sub, err := s.Relay.Subscribe(ctx, turn.MessageID, 0)
	if err != nil {
		return answer, err
	}
	if s.Tokens > 0 && !turn.Guest && turn.Model != "" && turn.Model != extractive.Model {
		turn.Tokens = &postgres.Tokens{Most: s.Tokens}
	}
	answer.message, answer.sub, answer.tokens = turn.MessageID, sub, turn.Tokens
	if answer.conversation, _, err = s.DB.CreateTurn(ctx, turn); err != nil {
		sub.Close()
		if errors.Is(err, postgres.ErrTokensSpent) {
			err = ratelimit.Refuse(s.quotaOf(postgres.Tokens{Most: s.Tokens}), fmt.Sprintf("Les %d jetons de modèles de votre compte pour aujourd’hui sont dépensés. Ils reviennent à minuit (UTC). "+
				"Le modèle « %s » répond sans eux.", s.Tokens, extractive.Model))
		}
		return answer, s.addRetryAfter(err)
	}
	if err := s.Enqueue(ctx, queue.Answers, turn.MessageID); err != nil {
		s.Log.WarnContext(ctx, "enqueue answer: left to the sweep", "message_id", turn.MessageID, "error", err)
	}
	return answer, nil
}

// quotaOf returns the quota of an account's tokens.
func (s *Handlers) quotaOf(t postgres.Tokens) ratelimit.Quota {
	now := s.Now().UTC()
	return ratelimit.Quota{Limit: t.Most, Remaining: max(t.Left, 0), Reset: now.Truncate(ratelimit.DayWindow).Add(ratelimit.DayWindow).Sub(now)}
}

// showTokens sets the headers of the quota of an answer's asker, unless those of an API key are set.
func (s *Handlers) showTokens(c *fiber.Ctx, a streamOf) {
	if a.tokens != nil && postgres.KeyOf(c.UserContext()) == uuid.Nil {
		transport.SetQuota(c, s.quotaOf(*a.tokens))
	}
}

// addRetryAfter adds a Retry-After to the error for too many waiting questions, derived from
// the maximum time that questions may wait. It returns other errors unchanged.
func (s *Handlers) addRetryAfter(err error) error {
	if !errors.Is(err, postgres.ErrBacklogged) {
		return err
	}
	return transport.ErrLater(err, min(max(s.Backlog.Wait/4, 5*time.Second), time.Minute))
}

// subscribe subscribes to an answer's relay; the subscription is nil if there is an error.
func (s *Handlers) subscribe(ctx context.Context, id uuid.UUID, cursor int64) (subscription, error) {
	sub, err := s.Relay.Subscribe(ctx, id, cursor)
	if err != nil {
		return nil, err // returns a nil interface, not one with a nil pointer
	}
	return sub, nil
}

// resume serves GET /chat-rag/stream/:message_id. It streams an answer from after the last event
// that the client received.
func (s *Handlers) resume(c *fiber.Ctx, user postgres.User, input struct {
	byMessage
	Last string `header:"Last-Event-ID" doc:"Numéro du dernier événement reçu. Ce qui n’est pas un numéro vaut le début." example:"2"`
}) (reply contract.Sent, _ error) {
	return reply, s.replay(c, user, input.Message, lastEventID(input.Last))
}

// byMessage is the input of a route to an answer.
type byMessage struct {
	Message uuid.UUID `path:"message_id" doc:"Identifiant de la réponse (l’en-tête X-Message-Id)."`
}

// replay streams an answer of the caller from after the event with that number.
func (s *Handlers) replay(c *fiber.Ctx, user postgres.User, id uuid.UUID, cursor int64) error {
	ctx := c.UserContext()
	m, err := s.DB.Answer(ctx, user.ID, id)
	if err != nil {
		return respond.NotFound(err, "Réponse introuvable.")
	}
	answer := streamOf{session: guard.SessionFor(c, user, "user"), conversation: m.ConversationID, message: id, after: cursor}
	if !m.State.Ended() { // an ended answer is served from its row, with or without Redis
		// Without the relay, the stream waits for the end of the answer in its row.
		if answer.sub, err = s.subscribe(ctx, id, answer.after); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelWarn, "resume without the relay", slog.Any("message_id", id), slog.Any("error", err))
		}
	}
	s.stream(c, answer)
	return nil
}

// cancel serves POST /chat-rag/stream/:message_id/cancel. It requests that an answer stop. A
// worker that has not begun finds the request in the row; the worker that is writing receives it
// from the relay at once.
func (s *Handlers) cancel(c *fiber.Ctx, user postgres.User, input byMessage) (reply contract.None, _ error) {
	return reply, s.cancelAnswer(c.UserContext(), user.ID, input.Message)
}

func (s *Handlers) cancelAnswer(ctx context.Context, user, id uuid.UUID) error {
	running, err := s.DB.RequestCancel(ctx, user, id)
	if err != nil {
		return respond.NotFound(err, "Réponse introuvable.")
	}
	if running {
		if err := s.Relay.Cancel(ctx, id); err != nil {
			s.Log.LogAttrs(ctx, slog.LevelWarn, "cancel: left to the row", slog.Any("message_id", id), slog.Any("error", err))
		}
	}
	return nil
}

// narrowToHome narrows a question to the law of the asker's own country, "" if there is none. It does
// nothing if the question or what it depends on names a country, the asker chose one or a text,
// or nothing is asked.
func (s *Handlers) narrowToHome(ctx context.Context, user uuid.UUID, home string, turn *asked) error {
	if f := turn.Filters; home == "" || turn.everywhere || f.Country != "" || f.DocumentID != nil {
		return nil
	}
	var previous question.Conversation
	for _, t := range turn.Earlier {
		previous.Asked, previous.Answers = append(previous.Asked, t.Question), append(previous.Answers, t.Answer)
	}
	if turn.ConversationID != nil {
		history, err := s.DB.History(ctx, user, *turn.ConversationID)
		if err != nil {
			return err
		}
		previous.Asked, previous.Answers = chat.Contents(history, chat.User), chat.Contents(history, chat.Assistant)
	}
	q := question.Read(turn.Question, previous)
	if q.Empty || q.Courtesy != question.NoCourtesy || len(q.AskedCountries()) > 0 {
		return nil
	}
	turn.Filters.Country = home
	return nil
}

// GuestQuestion is a question of somebody without an account.
type GuestQuestion struct {
	_        struct{}        `additionalProperties:"false"`
	Question string          `json:"question" minLength:"1" maxLength:"4000" example:"Combien de temps dure le préavis d’un cadre qui démissionne ?"`
	Filters  QuestionFilters `json:"filters,omitempty"`
}

// askAsGuest serves POST /guest/questions. It streams the answer to a question of somebody without
// an account, by quotations, where the operator allows it. The question belongs to no account and
// to no conversation: nobody can read it again, and it is deleted after postgres.GuestLife.
func (s *Handlers) askAsGuest(c *fiber.Ctx, _ postgres.User) (reply contract.Sent, _ error) {
	if c.Get(fiber.HeaderAuthorization) != "" {
		if _, err := s.Admit(c); err != nil {
			return reply, err
		}
		return reply, errs.New(errs.Conflict, "Vous avez un compte : posez votre question par POST /api/v1/chat-rag/stream.")
	}
	if s.GuestQuestions == nil {
		return reply, errs.New(errs.Unauthorized, "Connectez-vous pour poser une question.")
	}
	if err := transport.CheckJSON(c); err != nil { // a page of another site can send everything else
		return reply, err
	}
	who, err := uuid.Parse(c.Cookies(guestCookie))
	if err != nil {
		who = uuid.New()
	}
	event, err := s.beginGuest(c, who)
	if err != nil {
		return reply, err
	}
	var input GuestQuestion
	if err := contract.Read(c, &input); err != nil {
		// Reading the request took time, so a faulty one counts as a question.
		if _, failed := event.Count(c.UserContext()); failed != nil {
			return reply, failed
		}
		return reply, err
	}
	turn := asked{NewTurn: postgres.NewTurn{Guest: true, Question: input.Question, Model: extractive.Model, Backlog: s.Backlog}}
	input.Filters.limit(&turn)
	streamOf, err := s.begin(c.UserContext(), turn.NewTurn)
	if err != nil {
		event.Forget(c.UserContext())
		return reply, err
	}
	streamOf.guest = true
	s.SetCookie(c, guestCookie, guestCookiePath, who.String(), s.GuestQuestions.Window)
	// A question that was accepted and cannot be counted is answered: the place stays reserved for a while.
	if quota, err := event.Count(c.UserContext()); err == nil {
		transport.SetQuota(c, quota)
	}
	s.stream(c, streamOf)
	return reply, nil
}

// The cookie that tells the guests of one network apart. Its value is a random number, which
// the service keeps nowhere but as the key of a count, for as long as the count lasts.
const (
	guestCookie     = "vigueur_guest"
	guestCookiePath = transport.Prefix + "/guest"
)

// beginGuest reserves a question of the guest's own and of the network's, which has as many times
// more as a wider network has: hundreds of phones share an address, and whoever drops the cookie is
// bounded by it.
func (s *Handlers) beginGuest(c *fiber.Ctx, who uuid.UUID) (*guard.Visit, error) {
	event, err := s.BeginVisit(c, s.GuestQuestions.Wider(1), "")
	var full *ratelimit.Refused
	if errors.As(err, &full) {
		return nil, ratelimit.Refuse(full.Quota, "Les questions du jour de votre réseau sont posées. Connectez-vous pour en poser d’autres.")
	}
	if err != nil {
		return nil, err
	}
	own, err := s.GuestQuestions.Begin(c.UserContext(), s.Key("guest", who.String()))
	if err != nil {
		event.Forget(c.UserContext())
		if errors.As(err, &full) {
			return nil, ratelimit.Refuse(full.Quota, "Vous avez posé vos questions du jour. Connectez-vous pour en poser d’autres.")
		}
		return nil, err
	}
	event.Add(own)
	return event, nil
}
