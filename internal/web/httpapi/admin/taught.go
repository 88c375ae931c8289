package admin

import (
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// TextNameBody is a short name that was given to a text.
type TextNameBody = postgres.TextName

// listTextNames serves GET /admin/names. It shows the short names that operators have given to texts.
func (s *Handlers) listTextNames(c *fiber.Ctx, _ postgres.User) error {
	list, err := s.DB.TextNames(c.UserContext())
	if err != nil {
		return err
	}
	return respond.ListAll(c, list, nil)
}

// nameText serves POST /admin/names. It gives a text a short name, by which questions and searches find it.
func (s *Handlers) nameText(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	n := postgres.TextName{Name: body.Text("name", 2, textNameLimit), Means: body.Text("means", 1, textMeansLimit), Country: body.Country("pays")}
	if n.Means != "" {
		if _, ok := question.Stands(naming.Given{Means: n.Means}); !ok {
			body.Refuse("means", "Ce n’est ni le numéro ni le titre d’un texte : écrivez « loi n° 70-03 » ou « code de la famille ».")
		}
	}
	if err := body.Err(); err != nil {
		return err
	}
	made, err := s.DB.NameText(c.UserContext(), n)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(errs.Conflict, "Ce nom est déjà donné.", err)
	}
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(made)
}

// unnameText serves DELETE /admin/names/:id. It takes a short name back.
func (s *Handlers) unnameText(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.UnnameText(c.UserContext(), id), "Ce nom n’est pas donné."))
}

// PinBody is a question with the article that answers it, as a person has decided.
type PinBody struct {
	ID       uuid.UUID `json:"id"`
	Question string    `json:"question"`
	Country  string    `json:"pays"`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  string    `json:"article"`
	Since    time.Time `json:"created_at"`
	State    string    `json:"state"` // pinned, repealed or gone
	Ended    *string   `json:"ended_on"`
}

func showPin(p postgres.Pin) PinBody {
	b := PinBody{p.ID, p.Question, p.Country, p.Document, p.Title, p.Article, p.Since, "pinned", nil}
	switch {
	case p.Law:
	case p.Ended != nil:
		b.State, b.Ended = "repealed", respond.ShowDay(p.Ended)
	default:
		b.State = "gone"
	}
	return b
}

// listPins serves GET /admin/pinned. It shows the pinned answers, those that answer no more first, and what readers propose.
func (s *Handlers) listPins(c *fiber.Ctx, _ postgres.User) error {
	pins, err := s.DB.Pins(c.UserContext(), country.Today(s.Now(), ""))
	if err != nil {
		return err
	}
	meant, err := s.DB.MeantArticles(c.UserContext())
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": respond.ShowAll(pins, showPin), "proposed": meant})
}

// pinAnswer serves POST /admin/pinned. It pins an article to a question: questions of the same words, from the same country,
// are answered by it.
func (s *Handlers) pinAnswer(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	p := postgres.Pin{Question: body.Text("question", 1, pinnedQuestionLimit), Document: body.MustID("document_id"), Article: body.Text("article", 1, articleNumberLimit), Country: body.Country("pays")}
	terms := question.Key(p.Question)
	if len(terms) == 0 && strings.TrimSpace(p.Question) != "" {
		body.Refuse("question", "Cette question n’a que des mots que toutes ont : « le », « de », « est »…")
	}
	if err := body.Err(); err != nil {
		return err
	}
	id, err := s.DB.PinAnswer(c.UserContext(), p, terms)
	if err != nil {
		return respond.NotFound(err, "Le catalogue n’a pas cet article.")
	}
	pins, err := s.DB.Pins(c.UserContext(), country.Today(s.Now(), ""))
	if err != nil {
		return err
	}
	at := slices.IndexFunc(pins, func(p postgres.Pin) bool { return p.ID == id })
	if at < 0 {
		return errs.New(errs.Conflict, "Une autre personne vient de répondre à cette question.")
	}
	return c.Status(fiber.StatusCreated).JSON(showPin(pins[at]))
}

// unpinAnswer serves DELETE /admin/pinned/:id. It takes a pinned answer back.
func (s *Handlers) unpinAnswer(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.UnpinAnswer(c.UserContext(), id), "Cette réponse n’est pas épinglée."))
}

// judgedGold says which article answers a judged question.
type judgedGold struct {
	Jurisdiction string `json:"jurisdiction"`
	Text         string `json:"text"`
	Number       string `json:"number"`
	Article      string `json:"article"`
}

// JudgedBody is a pinned answer as a judged question.
type JudgedBody struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Question string       `json:"question"`
	Gold     []judgedGold `json:"gold"`
	KeyFacts []string     `json:"key_facts"`
}

// listJudged serves GET /admin/judged. It shows the pinned answers as judged questions, for evaluations.
func (s *Handlers) listJudged(c *fiber.Ctx, _ postgres.User) error {
	pins, err := s.DB.Pins(c.UserContext(), country.Today(s.Now(), ""))
	if err != nil {
		return err
	}
	pins = slices.DeleteFunc(pins, func(p postgres.Pin) bool { return !p.Law })
	return respond.List(c, pins, nil, func(p postgres.Pin) JudgedBody {
		return JudgedBody{"pin-" + p.ID.String(), "epingle", p.Question, []judgedGold{{p.Country, p.Title, p.Number, p.Article}}, []string{}}
	})
}
