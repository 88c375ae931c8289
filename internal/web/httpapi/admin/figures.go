package admin

import (
	"math"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/queue"
)

// QueueBody is the backlog of one kind of job.
type QueueBody struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"` // for people, in French
	Queued  int      `json:"queued"`
	Running int      `json:"running"`
	Oldest  *float64 `json:"oldest_seconds"`
	Failed  int      `json:"failed_24h"`
	Workers *int     `json:"workers"` // null if Redis does not respond
}

// listQueues serves GET /admin/queues. It shows the backlog of each kind of job, on one page.
func (s *Handlers) listQueues(c *fiber.Ctx, _ postgres.User) error {
	waiting, err := s.DB.Waiting(c.UserContext())
	if err != nil {
		return err
	}
	return respond.List(c, waiting, nil, func(w postgres.Waiting) QueueBody {
		body := QueueBody{Name: w.Class, Label: queue.KindOf(w.Class).Label, Queued: w.Queued, Running: w.Running, Failed: w.Failed}
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
	})
}

// WaitingCountsBody says how much waits for a person; Inquiries is nil for an editor, who does not see
// them.
type WaitingCountsBody struct {
	Files      map[string]int `json:"files"`
	Reviews    int            `json:"reviews"`
	Amendments int            `json:"amendments"`
	Inquiries  *int           `json:"inquiries"`
	Ended      int            `json:"ended"`
	Left       *int64         `json:"seconds_left"`
}

// countWaiting serves GET /admin/waiting. It shows how much waits in the lists of the
// administration.
func (s *Handlers) countWaiting(c *fiber.Ctx, user postgres.User) error {
	w, err := s.DB.WaitingCounts(c.UserContext())
	if err != nil {
		return err
	}
	body := WaitingCountsBody{Files: w.Files, Reviews: w.Reviews, Amendments: w.Amendments, Ended: w.Ended}
	if w.Left != nil {
		body.Left = new(int64(w.Left.Seconds()))
	}
	if user.Role == "admin" {
		body.Inquiries = &w.Inquiries
	}
	return c.JSON(body)
}

// StatsBody holds the figures of one day, UTC.
type StatsBody struct {
	Day       string       `json:"day"`
	Questions int          `json:"questions"`
	Failed    int          `json:"failed"`
	Latency   latencyBody  `json:"latency_ms"`
	Feedback  FeedbackBody `json:"feedback"`
	Models    []UsageBody  `json:"models"`
}

// UsageBody is the usage of a model on one of its servers; cost is in the currency of the
// configured prices.
type UsageBody struct {
	Model     string  `json:"model"`
	Server    string  `json:"server"`
	Requests  int     `json:"requests"`
	In        int     `json:"tokens_in"`
	Out       int     `json:"tokens_out"`
	Estimated bool    `json:"estimated"`
	Cost      float64 `json:"cost"`
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
func (s *Handlers) listStats(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	first, last := s.statsRange(&q)
	if err := q.Err(); err != nil {
		return err
	}
	days, err := s.DB.Figures(c.UserContext(), first, last)
	if err != nil {
		return err
	}
	amendments, err := s.DB.AmendmentFigures(c.UserContext())
	if err != nil {
		return err
	}
	told, err := s.DB.AlertFigures(c.UserContext())
	if err != nil {
		return err
	}
	return c.JSON(StatsPage{respond.Listing[StatsBody]{Items: respond.ShowAll(days, func(f postgres.DayFigures) StatsBody {
		return StatsBody{f.Day.Format(time.DateOnly), f.Questions, f.Failed, latencyBody{f.P50, f.P95}, FeedbackBody{f.Up, f.Down}, usageOf(f.Usage)}
	})}, AmendmentFiguresBody{amendments,
		respond.ShowAll(amendments.Reasons, func(r postgres.ReasonCount) ReasonBody { return ReasonBody{r.Reason, r.Reason.Sentence(), r.Count} })}, told})
}

// statsRange reads the days of figures.
func (s *Handlers) statsRange(q *form.Query) (first, last time.Time) {
	last = s.Now().UTC().Truncate(24 * time.Hour)
	if to := q.Day("to"); to != nil {
		last = *to
	}
	first = last.AddDate(0, 0, 1-statsDays)
	if from := q.Day("from"); from != nil {
		first = *from
	}
	switch loc := []any{"query", "from"}; {
	case len(q.Faults) > 0:
	case first.After(last):
		q.Faults.Add("value_error", loc, nil, "« from » ne peut pas être après « to ».")
	case last.Sub(first) >= statsDaysMost*24*time.Hour:
		q.Faults.Add("value_error", loc, nil, "Au plus %d jours.", statsDaysMost)
	}
	return first, last
}

// StatsPage is the figures by day, and those of the amendments and alerts now.
type StatsPage struct {
	respond.Listing[StatsBody]
	Amendments AmendmentFiguresBody  `json:"amendments"`
	Alerts     postgres.AlertFigures `json:"alerts"`
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
	Asked    int        `json:"asked"`
	Refused  int        `json:"refused"`
	People   int        `json:"people"`
	Last     string     `json:"last_at"`
	Answer   *uuid.UUID `json:"answer_id"`
}

// listUncertainQuestions serves GET /admin/questions. It shows the questions that were not surely
// answered, the most frequent first. The parameters from and to give the days, as of the figures.
func (s *Handlers) listUncertainQuestions(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	first, last := s.statsRange(&q)
	if err := q.Err(); err != nil {
		return err
	}
	found, err := s.DB.UncertainQuestions(c.UserContext(), first, last, s.Askers, questionsMost)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Items   []UncertainQuestionBody `json:"items"`
		Unsure  int                     `json:"unsure"`
		Refused int                     `json:"refused"`
		Hidden  int                     `json:"hidden"`
		Askers  int                     `json:"askers"`
	}{respond.ShowAll(found.Items, func(q postgres.UncertainQuestion) UncertainQuestionBody {
		return UncertainQuestionBody{q.Text, q.Asked, q.Refused, q.People, respond.ShowTime(q.Last), q.Answer}
	}), found.Unsure, found.Refused, found.Hidden, s.Askers})
}
