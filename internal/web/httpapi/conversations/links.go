package conversations

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
)

// SharedPath is the screen of the page that a link opens. The token follows the #, so that
// neither a proxy's log nor a program that previews links has it.
const SharedPath = "/partage"

// LinkBody is the link of a conversation; without one CreatedAt is nil and Questions 0.
type LinkBody struct {
	CreatedAt *string `json:"created_at" format:"date-time" doc:"Quand le lien a été fait ; null : il n’y en a pas."`
	Questions int     `json:"questions" doc:"Combien de questions le lien montre."`
	Public    bool    `json:"public" doc:"Un lien s’ouvre sans compte."`
}

// NewLinkBody is a new link with its address, which is shown only once.
type NewLinkBody struct {
	LinkBody
	URL string `json:"url" format:"uri" doc:"Qui l’a lit la conversation. Montrée une seule fois."`
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
func (s *Handlers) shareConversation(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply NewLinkBody, _ error) {
	token, hash := sealed.NewToken()
	link, err := s.DB.ShareConversation(c.UserContext(), user.ID, input.ID, hash)
	if err != nil {
		return reply, nameConversation(err)
	}
	return NewLinkBody{s.ShowLink(&link), s.Base() + SharedPath + "#jeton=" + token}, nil
}

// showConversationLink serves GET /conversations/:id/link. It says whether a conversation of the
// caller has a link.
func (s *Handlers) showConversationLink(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply LinkBody, _ error) {
	link, err := s.DB.ConversationLink(c.UserContext(), user.ID, input.ID)
	if err != nil {
		return reply, nameConversation(err)
	}
	return s.ShowLink(link), nil
}

// unshareConversation serves DELETE /conversations/:id/link. It withdraws the link of a
// conversation of the caller.
func (s *Handlers) unshareConversation(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, s.DB.UnshareConversation(c.UserContext(), user.ID, input.ID)
}

// OwnLinkBody is a conversation of the caller that has a link.
type OwnLinkBody struct {
	ID        uuid.UUID `json:"id"`
	Title     string    `json:"title" doc:"Le titre de la conversation."`
	CreatedAt string    `json:"created_at" format:"date-time"`
	Questions int       `json:"questions" doc:"Combien de questions le lien montre."`
}

// listOwnLinks serves GET /me/shared. It lists the conversations of the caller that have a link,
// the newest link first.
func (s *Handlers) listOwnLinks(c *fiber.Ctx, user postgres.User, _ contract.None) (reply respond.All[OwnLinkBody], _ error) {
	links, err := s.DB.OwnLinks(c.UserContext(), user.ID)
	if err != nil {
		return reply, err
	}
	return respond.All[OwnLinkBody]{Items: respond.ShowAll(links, func(l postgres.OwnLink) OwnLinkBody {
		return OwnLinkBody{l.Conversation, l.Title, respond.ShowTime(l.CreatedAt), l.Questions}
	})}, nil
}

// sharedTurnBody is a question and its answer as others may read them, without their owner and the
// owner's rating.
type sharedTurnBody struct {
	Question    string               `json:"question"`
	Country     *string              `json:"pays" doc:"Le pays dont le droit a été demandé."`
	Date        *string              `json:"date" format:"date" doc:"Le jour dont le droit a été demandé ; null : celui de la réponse."`
	Reserved    bool                 `json:"reserved" doc:"La réponse cite une mesure individuelle que le service ne montre pas sans compte : elle est laissée de côté."`
	Answer      string               `json:"answer"`
	Citations   []sharedCitationBody `json:"citations"`
	Validation  *chat.Validation     `json:"validation"`
	Certainty   *chat.Grade          `json:"certainty" enum:"sure,likely,unsure,refused"`
	Probability *float64             `json:"probability"`
	AnsweredAt  string               `json:"answered_at" format:"date-time"`
}

// sharedCitationBody is a citation with the address at which anybody can read the cited text.
type sharedCitationBody struct {
	law.Citation
	Address *string `json:"adresse" format:"uri" doc:"Où chacun peut lire le texte cité, sans compte ; null là où le catalogue n’est pas public."`
}

// SharedBody is a conversation as others read it by its link.
type SharedBody struct {
	SharedAt string           `json:"shared_at" format:"date-time"`
	Turns    []sharedTurnBody `json:"turns"`
}

type sharedInput struct {
	Token string `path:"token" minLength:"1" maxLength:"512" doc:"Ce qui suit #jeton= dans le lien."`
}

// letReadShared returns the handler of GET /shared/:token. It shows a conversation by its link: to signed-in users
// and, where the catalogue is public, to anybody.
func (s *Handlers) letReadShared() contract.Handler {
	reader := func(guest bool) contract.Handler {
		return contract.Open(func(c *fiber.Ctx, input sharedInput) (SharedBody, error) { return s.showShared(c, input.Token, guest) })
	}
	h := s.Signed(s.InTurn(reader(false)))
	if s.Public != nil {
		h = guard.SignedOr(h, reader(true), s.Public.AdmitReader)
	}
	serve := h.Serve
	h.Serve = func(c *fiber.Ctx, user postgres.User) error {
		c.Set("X-Robots-Tag", "noindex")
		return serve(c, user)
	}
	return h
}

func (s *Handlers) showShared(c *fiber.Ctx, token string, guest bool) (body SharedBody, _ error) {
	ctx := c.UserContext()
	messages, moment, err := s.DB.SharedConversation(ctx, sealed.HashToken(token))
	if err != nil {
		return body, respond.NotFound(err, "Ce lien n’ouvre rien : il est mal recopié, ou son auteur l’a retiré.")
	}
	var cited []uuid.UUID
	for _, m := range messages {
		for _, c := range m.Citations {
			cited = append(cited, c.DocumentID)
		}
	}
	addresses, err := s.Public.AddressesOf(ctx, cited)
	if err != nil {
		return body, err
	}
	body = SharedBody{respond.ShowTime(moment), []sharedTurnBody{}}
	question := ""
	for _, m := range messages {
		if m.Role == chat.User {
			question = m.Content
			continue
		}
		body.Turns = append(body.Turns, s.showSharedTurn(question, m, addresses, guest))
	}
	return body, nil
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
