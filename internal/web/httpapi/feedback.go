package httpapi

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// commentLimit is the maximum length of a comment, in code points.
const commentLimit = 2000

// ratings are the ratings of an answer.
var ratings = []string{"up", "down"}

// giveFeedback stores the caller's rating of an answer, replacing an earlier one.
func (s *Server) giveFeedback(c *fiber.Ctx, user postgres.User) error {
	id, malformed := pathID(c, "id")
	feedback, err := readFeedback(c)
	if err := joinFaults(malformed, err); err != nil {
		return err
	}
	err = s.DB.SetFeedback(c.UserContext(), user.ID, id, feedback)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Réponse introuvable.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

func readFeedback(c *fiber.Ctx) (f postgres.Feedback, err error) {
	body, err := readBody(c)
	if err != nil {
		return f, err
	}
	switch raw, given := body.fields["rating"]; {
	case !given:
		body.faults.missing(body.at("rating"))
	case string(raw) == "null":
		body.faults.choose(body.at("rating"), raw, ratings)
	default:
		f.Rating = body.one("rating", ratings)
	}
	f.Comment = body.word("comment")
	body.length("comment", body.fields["comment"], f.Comment, 0, commentLimit)
	return f, body.err()
}
