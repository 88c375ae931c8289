package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law/anonym"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// RatedBody is a rated question as a case of the evaluation: the fields that package judge reads, and what helps a
// person to find the right article. It has nothing that identifies who asked.
type RatedBody struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Question  string      `json:"question"`
	Before    []string    `json:"before,omitempty" doc:"Les questions d’avant, la plus ancienne d’abord."`
	Date      string      `json:"date,omitempty" format:"date"`
	Gold      []struct{}  `json:"gold" doc:"À écrire : où se trouve la réponse."`
	KeyFacts  []string    `json:"key_facts" doc:"À écrire : ce qu’elle doit dire."`
	Undecided bool        `json:"undecided"`
	Cited     []ratedCite `json:"cited"`
}

type ratedCite struct {
	Title   string `json:"title"`
	Article string `json:"article"`
}

// ratedMost is the maximum number of questions in one export.
const ratedMost = 5000

// errManyRated ends the reading of further ratings.
var errManyRated = errors.New("too many ratings")

type listRatedInput struct {
	Rating string     `query:"rating" enum:"down,up" doc:"L’avis ; sans lui, down."`
	From   *time.Time `query:"from" format:"moment" doc:"Les avis donnés depuis ce jour ou cet instant."`
}

// listRated serves GET /admin/rated. It exports questions whose answers were rated, the oldest rating first. If the
// export cannot be recorded, nothing is exported.
func (s *Handlers) listRated(c *fiber.Ctx, _ postgres.User, input listRatedInput) (reply respond.Listing[RatedBody], _ error) {
	rating, since := input.Rating, input.From
	if rating == "" {
		rating = "down"
	}
	if since == nil {
		since = &time.Time{}
	}
	ctx := c.UserContext()
	var list []postgres.Rated
	err := s.DB.EachRated(ctx, rating, *since, func(r postgres.Rated) error {
		if list = append(list, r); len(list) > ratedMost {
			return errManyRated
		}
		return nil
	})
	if errors.Is(err, errManyRated) {
		var f form.Faults
		f.Add("value_error", []any{"query", "from"}, nil, "Plus de %d réponses ont reçu un avis depuis ce jour. Donnez un jour plus récent.", ratedMost)
		return reply, f
	}
	if err != nil {
		return reply, err
	}
	if err := s.DB.Note(ctx, postgres.FeedbackExported, "", map[string]any{"rating": rating, "cases": len(list)}); err != nil {
		return reply, err
	}
	bodies := make([]RatedBody, len(list))
	for i, r := range list {
		if bodies[i], err = s.withoutNames(ctx, r); err != nil {
			return reply, err
		}
	}
	return respond.NewListing(bodies, nil, respond.Same), nil
}

// withoutNames converts a rated question to a case without what identifies the user.
func (s *Handlers) withoutNames(ctx context.Context, r postgres.Rated) (RatedBody, error) {
	said := append([]string{r.Question}, r.Before...)
	var words []string
	for _, text := range said {
		words = append(words, anonym.Words(text)...)
	}
	spoken, err := s.DB.KnownWords(ctx, words)
	if err != nil {
		return RatedBody{}, err
	}
	for i, text := range said {
		said[i] = anonym.Text(text, func(word string) bool { return spoken[word] })
	}
	sum := sha256.Sum256(r.Answer[:])
	out := RatedBody{ID: "avis-" + hex.EncodeToString(sum[:6]), Type: "avis", Question: said[0], Before: said[1:], Gold: []struct{}{}, KeyFacts: []string{}, Undecided: true, Cited: []ratedCite{}}
	if r.Filters.Date != nil {
		out.Date = r.Filters.Date.Format(time.DateOnly)
	}
	for _, c := range r.Citations {
		cite := ratedCite{Title: c.Title}
		if c.Article != nil {
			cite.Article = *c.Article
		}
		out.Cited = append(out.Cited, cite)
	}
	return out, nil
}
