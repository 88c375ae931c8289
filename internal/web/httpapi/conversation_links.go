package httpapi

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// sharedPath is the screen of the page that a link opens. The token follows the #, so that
// neither a proxy's log nor a program that previews links has it.
const sharedPath = "/partage"

// linkBody is the link of a conversation; without one CreatedAt is nil and Questions 0.
type linkBody struct {
	CreatedAt *string `json:"created_at"`
	Questions int     `json:"questions"`
	Public    bool    `json:"public"` // whether links open without an account
}

// newLinkBody is a new link with its address, which is shown only once.
type newLinkBody struct {
	linkBody
	URL string `json:"url"`
}

func (s *Server) showLink(l *postgres.ConversationLink) linkBody {
	body := linkBody{Public: s.Public != nil}
	if l != nil {
		body.CreatedAt, body.Questions = maybeTime(&l.CreatedAt), l.Questions
	}
	return body
}

// shareConversation makes the link of a conversation of the caller; an earlier one ends.
func (s *Server) shareConversation(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	token, hash := sealed.NewToken()
	link, err := s.DB.ShareConversation(c.UserContext(), user.ID, id, hash)
	if err != nil {
		return noConversation(err)
	}
	return c.Status(fiber.StatusCreated).JSON(newLinkBody{s.showLink(&link), s.base() + sharedPath + "#jeton=" + token})
}

// showConversationLink says whether a conversation of the caller has a link.
func (s *Server) showConversationLink(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	link, err := s.DB.ConversationLink(c.UserContext(), user.ID, id)
	if err != nil {
		return noConversation(err)
	}
	return c.JSON(s.showLink(link))
}

// unshareConversation withdraws the link of a conversation of the caller.
func (s *Server) unshareConversation(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := s.DB.UnshareConversation(c.UserContext(), user.ID, id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// sharedTurnBody is a question and its answer as others may read them: nothing in it says whose
// they are, or what the owner thinks of them.
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

type sharedBody struct {
	SharedAt string           `json:"shared_at"`
	Turns    []sharedTurnBody `json:"turns"`
}

// readShared shows a conversation by its link: to signed-in users and, where the catalogue is
// public, to anybody.
func (s *Server) readShared(c *fiber.Ctx) error {
	c.Set("X-Robots-Tag", "noindex")
	if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
		return s.protected(s.few(func(c *fiber.Ctx, _ postgres.User) error { return s.showShared(c, false) }))(c)
	}
	release, err := s.admitReader(c)
	if err != nil {
		return err
	}
	defer release()
	return s.showShared(c, true)
}

func (s *Server) showShared(c *fiber.Ctx, guest bool) error {
	ctx := c.UserContext()
	messages, at, err := s.DB.SharedConversation(ctx, sealed.HashToken(c.Params("token")))
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Ce lien n’ouvre rien : il est mal recopié, ou son auteur l’a retiré.", err)
	}
	if err != nil {
		return err
	}
	var cited []uuid.UUID
	for _, m := range messages {
		for _, c := range m.Citations {
			cited = append(cited, c.DocumentID)
		}
	}
	addresses, err := s.addressesOf(ctx, cited)
	if err != nil {
		return err
	}
	body := sharedBody{showTime(at), []sharedTurnBody{}}
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

// showSharedTurn shows a turn. Guests do not get an answer about single persons where the
// operator keeps the texts about them from guests.
func (s *Server) showSharedTurn(question string, m chat.Message, addresses map[uuid.UUID]string, guest bool) sharedTurnBody {
	t := sharedTurnBody{Question: question, Date: showDay(m.Filters.Date), Citations: []sharedCitationBody{}, AnsweredAt: showTime(m.CreatedAt)}
	if m.Filters.Country != "" {
		t.Country = &m.Filters.Country
	}
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

// addressesOf returns the addresses at which anybody can read the texts, by their ids.
func (s *Server) addressesOf(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if s.Public == nil || len(ids) == 0 {
		return nil, nil
	}
	texts, err := s.DB.AddressedTexts(ctx, ids)
	by := make(map[uuid.UUID]string, len(texts))
	for _, t := range texts {
		if !s.Public.HideIndividual || !law.Individual(t.Title) {
			by[t.ID] = s.base() + t.Work().Full() // which redirects, and means no other text
		}
	}
	return by, err
}
