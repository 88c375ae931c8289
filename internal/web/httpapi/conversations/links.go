package conversations

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// SharedPath is the screen of the page that a link opens. The token follows the #, so that
// neither a proxy's log nor a program that previews links has it.
const SharedPath = "/partage"

// LinkBody is the link of a conversation; without one CreatedAt is nil and Questions 0.
type LinkBody struct {
	CreatedAt *string `json:"created_at"`
	Questions int     `json:"questions"`
	Public    bool    `json:"public"` // whether links open without an account
}

// NewLinkBody is a new link with its address, which is shown only once.
type NewLinkBody struct {
	LinkBody
	URL string `json:"url"`
}

// ShowLink shows the link of a conversation; nil: it has none.
func (s *Handlers) ShowLink(l *postgres.ConversationLink) LinkBody {
	body := LinkBody{Public: s.Public != nil}
	if l != nil {
		body.CreatedAt, body.Questions = respond.MaybeTime(&l.CreatedAt), l.Questions
	}
	return body
}

// shareConversation serves POST /conversations/:id/link. It makes the link of a conversation of
// the caller; an earlier one ends.
func (s *Handlers) shareConversation(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	token, hash := sealed.NewToken()
	link, err := s.DB.ShareConversation(c.UserContext(), user.ID, id, hash)
	if err != nil {
		return nameConversation(err)
	}
	return c.Status(fiber.StatusCreated).JSON(NewLinkBody{s.ShowLink(&link), s.Base() + SharedPath + "#jeton=" + token})
}

// showConversationLink serves GET /conversations/:id/link. It says whether a conversation of the
// caller has a link.
func (s *Handlers) showConversationLink(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	link, err := s.DB.ConversationLink(c.UserContext(), user.ID, id)
	if err != nil {
		return nameConversation(err)
	}
	return c.JSON(s.ShowLink(link))
}

// unshareConversation serves DELETE /conversations/:id/link. It withdraws the link of a
// conversation of the caller.
func (s *Handlers) unshareConversation(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, s.DB.UnshareConversation(c.UserContext(), user.ID, id))
}

// sharedTurnBody is a question and its answer as others may read them, without their owner and the
// owner's rating.
type sharedTurnBody struct {
	Question    string               `json:"question"`
	Country     *string              `json:"pays"`
	Date        *string              `json:"date"`
	Reserved    bool                 `json:"reserved"`
	Answer      string               `json:"answer"`
	Citations   []sharedCitationBody `json:"citations"`
	Validation  *chat.Validation     `json:"validation"`
	Certainty   *chat.Grade          `json:"certainty"`
	Probability *float64             `json:"probability"`
	AnsweredAt  string               `json:"answered_at"`
}

// sharedCitationBody is a citation with the address at which anybody can read the cited text.
type sharedCitationBody struct {
	law.Citation
	Address *string `json:"adresse"`
}

// SharedBody is a conversation as others read it by its link.
type SharedBody struct {
	SharedAt string           `json:"shared_at"`
	Turns    []sharedTurnBody `json:"turns"`
}

// readShared serves GET /shared/:token. It shows a conversation by its link: to signed-in users
// and, where the catalogue is public, to anybody.
func (s *Handlers) readShared(c *fiber.Ctx) error {
	c.Set("X-Robots-Tag", "noindex")
	if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
		return s.Protect(s.LimitConcurrency(func(c *fiber.Ctx, _ postgres.User) error { return s.showShared(c, false) }))(c)
	}
	release, err := s.Public.AdmitReader(c)
	if err != nil {
		return err
	}
	defer release()
	return s.showShared(c, true)
}

func (s *Handlers) showShared(c *fiber.Ctx, guest bool) error {
	ctx := c.UserContext()
	messages, moment, err := s.DB.SharedConversation(ctx, sealed.HashToken(c.Params("token")))
	if err != nil {
		return respond.NotFound(err, "Ce lien n’ouvre rien : il est mal recopié, ou son auteur l’a retiré.")
	}
	var cited []uuid.UUID
	for _, m := range messages {
		for _, c := range m.Citations {
			cited = append(cited, c.DocumentID)
		}
	}
	addresses, err := s.Public.AddressesOf(ctx, cited)
	if err != nil {
		return err
	}
	body := SharedBody{respond.ShowTime(moment), []sharedTurnBody{}}
	question := ""
	for _, m := range messages {
		if m.Role == chat.User {
			question = m.Content
			continue
		}
		body.Turns = append(body.Turns, s.showSharedTurn(question, m, addresses, guest))
	}
	return c.JSON(body)
}

// showSharedTurn shows a turn. Guests get no answer that cites measures about individuals, if the operator hides these
// from guests.
func (s *Handlers) showSharedTurn(question string, m chat.Message, addresses map[uuid.UUID]string, guest bool) sharedTurnBody {
	t := sharedTurnBody{Question: question, Country: respond.NonEmpty(m.Filters.Country), Date: respond.ShowDay(m.Filters.Date), Citations: []sharedCitationBody{}, AnsweredAt: respond.ShowTime(m.CreatedAt)}
	for _, one := range m.Citations {
		shown := sharedCitationBody{Citation: one}
		if address, public := addresses[one.DocumentID]; public {
			shown.Address = &address
		}
		t.Citations = append(t.Citations, shown)
		t.Reserved = t.Reserved || guest && s.Public.HideIndividual && law.Individual(one.Title)
	}
	if t.Reserved {
		t.Citations = []sharedCitationBody{}
		return t
	}
	whole := showMessage(m)
	t.Answer, t.Validation, t.Certainty, t.Probability = whole.Content, whole.Validation, whole.Certainty, whole.Probability
	return t
}
