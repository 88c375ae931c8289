package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/anonym"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/queue"
)

// QueueStateBody is the backlog of one kind of job.
type QueueStateBody struct {
	Name    string   `json:"name"`
	Label   string   `json:"label" doc:"Ce qui attend, pour les personnes."` // for people, in French
	Queued  int      `json:"queued"`
	Running int      `json:"running"`
	Oldest  *float64 `json:"oldest_seconds" doc:"Âge de ce qui attend depuis le plus longtemps."`
	Failed  int      `json:"failed_24h"`
	Workers *int     `json:"workers" doc:"null tant que Redis ne peut le dire."` // null if Redis does not respond
}

// listQueues serves GET /admin/queues. It shows the backlog of each kind of job, on one page.
func (s *Handlers) listQueues(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply respond.Listing[QueueStateBody], _ error) {
	waiting, err := s.DB.Waiting(c.UserContext())
	if err != nil {
		return reply, err
	}
	return respond.NewListing(waiting, nil, func(w postgres.Waiting) QueueStateBody {
		body := QueueStateBody{Name: w.Class, Label: queue.KindOf(w.Class).Label, Queued: w.Queued, Running: w.Running, Failed: w.Failed}
		if w.Oldest != nil {
			body.Oldest = new(math.Round(w.Oldest.Seconds()*1000) / 1000)
		}
		n, err := s.Workers(w.Class)
		if err != nil {
			s.Log.WarnContext(c.UserContext(), "count workers", "queue", w.Class, "error", err)
			return body
		}
		body.Workers = &n
		return body
	}), nil
}

// WaitingCountsBody says how much waits for a person; Inquiries is nil for an editor, who does not see
// them.
type WaitingCountsBody struct {
	Files      map[string]int `json:"files" doc:"Les fichiers, par état ; un état qu’aucun n’a est absent."`
	Reviews    int            `json:"reviews" doc:"Textes à relire."`
	Amendments int            `json:"amendments" doc:"Modifications qu’une personne peut régler."`
	Inquiries  *int           `json:"inquiries" doc:"Demandes que personne n’a lues ; null pour un éditeur."`
	Ended      int            `json:"ended" doc:"Fichiers terminés depuis que le plus ancien de ceux qui sont en cours a été ajouté."`
	Left       *int64         `json:"seconds_left" doc:"Jusqu’à la fin de tous les fichiers en cours, à l’allure de ceux-là ; null si elle n’est pas connue."`
}

// countWaiting serves GET /admin/waiting. It shows how much waits in the lists of the
// administration.
func (s *Handlers) countWaiting(c *fiber.Ctx, user postgres.User, _ contract.None) (reply WaitingCountsBody, _ error) {
	w, err := s.DB.WaitingCounts(c.UserContext())
	if err != nil {
		return reply, err
	}
	body := WaitingCountsBody{Files: w.Files, Reviews: w.Reviews, Amendments: w.Amendments, Ended: w.Ended}
	if w.Left != nil {
		body.Left = new(int64(w.Left.Seconds()))
	}
	if user.Role == "admin" {
		body.Inquiries = &w.Inquiries
	}
	return body, nil
}

// DayStatsBody holds the figures of one day, UTC.
type DayStatsBody struct {
	Day       string       `json:"day" format:"date"`
	Questions int          `json:"questions"`
	Failed    int          `json:"failed"`
	Latency   latencyBody  `json:"latency_ms"`
	Feedback  FeedbackBody `json:"feedback"`
	Models    []UsageBody  `json:"models" doc:"Ce qui a été demandé aux modèles ce jour-là, aussi pour des réponses qui ont échoué ou ont été effacées depuis ; vide si aucun modèle n’a été interrogé."`
}

// UsageBody is the usage of a model on one of its servers; cost is in the currency of the
// configured prices.
type UsageBody struct {
	Model     string  `json:"model"`
	Server    string  `json:"server" doc:"L’hôte du serveur."`
	Requests  int     `json:"requests"`
	In        int     `json:"tokens_in" doc:"Jetons lus."`
	Out       int     `json:"tokens_out" doc:"Jetons écrits."`
	Estimated bool    `json:"estimated" doc:"Le serveur n’a pas toujours dit combien de jetons : une part est estimée."`
	Cost      float64 `json:"cost" doc:"Dans la monnaie de VIGUEUR_MODEL_PRICES ; zéro sans prix."`
}

// latencyBody holds the latencies of a day; it is null if the day has no answers.
type latencyBody struct {
	P50 *float64 `json:"p50"`
	P95 *float64 `json:"p95"`
}

// FeedbackBody counts the ratings of a day.
type FeedbackBody struct {
	Up   int `json:"up"`
	Down int `json:"down"`
}

// listStats serves GET /admin/stats. It shows questions, latencies, feedback and usage of models
// by day, oldest first, on one page. The parameters from and to, both inclusive, give the days;
// the default is the last thirty days.
func (s *Handlers) listStats(c *fiber.Ctx, _ postgres.User, input daysInput) (reply StatsPage, _ error) {
	first, last, err := s.statsRange(input)
	if err != nil {
		return reply, err
	}
	days, err := s.DB.Figures(c.UserContext(), first, last)
	if err != nil {
		return reply, err
	}
	amendments, err := s.DB.AmendmentFigures(c.UserContext())
	if err != nil {
		return reply, err
	}
	told, err := s.DB.AlertFigures(c.UserContext())
	if err != nil {
		return reply, err
	}
	return StatsPage{respond.Listing[DayStatsBody]{Items: respond.ShowAll(days, func(f postgres.DayFigures) DayStatsBody {
		return DayStatsBody{f.Day.Format(time.DateOnly), f.Questions, f.Failed, latencyBody{f.P50, f.P95}, FeedbackBody{f.Up, f.Down}, usageOf(f.Usage)}
	})}, AmendmentFiguresBody{amendments,
		respond.ShowAll(amendments.Reasons, func(r postgres.ReasonCount) ReasonBody { return ReasonBody{r.Reason, r.Reason.Sentence(), r.Count} })}, told}, nil
}

// daysInput are the days of figures.
type daysInput struct {
	From *time.Time `query:"from" format:"date" doc:"Premier jour ; sans lui, trente jours sont montrés."`
	To   *time.Time `query:"to" format:"date" doc:"Dernier jour, compris ; sans lui, aujourd’hui."`
}

// statsRange returns the first and the last day of figures.
func (s *Handlers) statsRange(input daysInput) (first, last time.Time, err error) {
	last = s.Now().UTC().Truncate(24 * time.Hour)
	if input.To != nil {
		last = *input.To
	}
	first = last.AddDate(0, 0, 1-statsDays)
	if input.From != nil {
		first = *input.From
	}
	var f form.Faults
	switch loc := []any{"query", "from"}; {
	case first.After(last):
		f.Add("value_error", loc, nil, "« from » ne peut pas être après « to ».")
	case last.Sub(first) >= statsDaysMost*24*time.Hour:
		f.Add("value_error", loc, nil, "Au plus %d jours.", statsDaysMost)
	}
	return first, last, f.Err()
}

// StatsPage is the figures by day, and those of the amendments and alerts now.
type StatsPage struct {
	respond.Listing[DayStatsBody]
	Amendments AmendmentFiguresBody  `json:"amendments" doc:"Les modifications de textes, à présent."`
	Alerts     postgres.AlertFigures `json:"alerts" doc:"Ce qui est suivi, ce qui a été annoncé en trente jours, et ce qui attend."`
}

// AmendmentFiguresBody says how much of the amendments is applied.
type AmendmentFiguresBody struct {
	postgres.AmendmentFigures
	Reasons []ReasonBody `json:"reasons"`
}

// ReasonBody is how many operations wait for a reason.
type ReasonBody struct {
	Reason   amend.Reason `json:"reason"`
	Sentence string       `json:"sentence"`
	Count    int          `json:"count"`
}

// usageOf converts usage for a response. The result is never nil, so that an empty list is
// not null in JSON.
func usageOf(used []postgres.Usage) []UsageBody {
	return respond.ShowAll(used, func(u postgres.Usage) UsageBody {
		return UsageBody{u.Model, u.Server, u.Requests, u.In, u.Out, u.Estimated, u.Cost}
	})
}

// UncertainQuestionBody is a question that was not surely answered.
type UncertainQuestionBody struct {
	Question string     `json:"question"`
	Asked    int        `json:"asked" doc:"Combien de fois sa réponse n’a pas été sûre."`
	Refused  int        `json:"refused" doc:"Dont : rien au catalogue ne répondait."`
	People   int        `json:"people" doc:"Comptes qui l’ont posée."`
	Last     string     `json:"last_at" format:"date-time"`
	Answer   *uuid.UUID `json:"answer_id" doc:"La dernière de ces réponses sur laquelle un avis a été donné ; null : aucune."`
}

type uncertainBody struct {
	Items   []UncertainQuestionBody `json:"items"`
	Unsure  int                     `json:"unsure" doc:"Réponses incertaines de ces jours, montrées ou non."`
	Refused int                     `json:"refused" doc:"Questions sans réponse de ces jours, montrées ou non."`
	Hidden  int                     `json:"hidden" doc:"Celles qui ne sont pas montrées."`
	Askers  int                     `json:"askers"`
}

// listUncertainQuestions serves GET /admin/questions. It shows the questions that were not surely
// answered, the most frequent first. The parameters from and to give the days, as of the figures.
func (s *Handlers) listUncertainQuestions(c *fiber.Ctx, _ postgres.User, input daysInput) (reply uncertainBody, _ error) {
	first, last, err := s.statsRange(input)
	if err != nil {
		return reply, err
	}
	found, err := s.DB.UncertainQuestions(c.UserContext(), first, last, s.Askers, questionsMost)
	if err != nil {
		return reply, err
	}
	return uncertainBody{respond.ShowAll(found.Items, func(q postgres.UncertainQuestion) UncertainQuestionBody {
		return UncertainQuestionBody{q.Text, q.Asked, q.Refused, q.People, respond.ShowTime(q.Last), q.Answer}
	}), found.Unsure, found.Refused, found.Hidden, s.Askers}, nil
}

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
