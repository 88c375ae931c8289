package conversations

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ratings are the ratings of an answer.
var ratings = []string{"up", "down"}

// giveFeedback serves POST /messages/:id/feedback. It stores the caller's rating of an answer,
// replacing an earlier one.
func (s *Handlers) giveFeedback(c *fiber.Ctx, user postgres.User) error {
	id, malformed := form.PathID(c, "id")
	feedback, err := readFeedback(c)
	if err := form.Join(malformed, err); err != nil {
		return err
	}
	return respond.NoContent(c, respond.NotFound(s.DB.SetFeedback(c.UserContext(), user.ID, id, feedback), "Réponse introuvable."))
}

func readFeedback(c *fiber.Ctx) (f postgres.Feedback, err error) {
	body := transport.ReadBody(c)
	switch raw, given := body.Fields["rating"]; {
	case !given:
		body.Faults.Missing(body.At("rating"))
	case string(raw) == "null":
		body.Faults.Choose(body.At("rating"), raw, ratings)
	default:
		f.Rating = body.One("rating", ratings)
	}
	f.Comment = body.Word("comment")
	body.Length("comment", body.Fields["comment"], f.Comment, 0, commentLimit)
	return f, body.Err()
}
