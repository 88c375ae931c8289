package admin

import (
	"math"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/amend"
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
