package httpapi

import (
	"math"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
)

// The number of days of the figures: without the parameter from, and the maximum.
const (
	statsDays     = 30  // default without the parameter from
	statsDaysMost = 366 // maximum in one response
)

// queueBody is the backlog of one kind of job.
type queueBody struct {
	Name    string   `json:"name"`
	Queued  int      `json:"queued"`
	Running int      `json:"running"`
	Oldest  *float64 `json:"oldest_seconds"`
	Failed  int      `json:"failed_24h"`
	Workers *int     `json:"workers"` // null if Redis does not respond
}

// listQueues shows the backlog of each kind of job, on one page.
func (s *Server) listQueues(c *fiber.Ctx, _ postgres.User) error {
	waiting, err := s.DB.Waiting(c.UserContext())
	if err != nil {
		return err
	}
	return list(c, waiting, nil, func(w postgres.Waiting) queueBody {
		body := queueBody{Name: w.Class, Queued: w.Queued, Running: w.Running, Failed: w.Failed}
		if w.Oldest != nil {
			seconds := math.Round(w.Oldest.Seconds()*1000) / 1000
			body.Oldest = &seconds
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

// waitingCountsBody says how much waits for a person; Inquiries is nil for an editor, who does not see
// them.
type waitingCountsBody struct {
	Files      map[string]int `json:"files"`
	Reviews    int            `json:"reviews"`
	Amendments int            `json:"amendments"`
	Inquiries  *int           `json:"inquiries"`
}

// countWaiting shows how much waits in the lists of the administration.
func (s *Server) countWaiting(c *fiber.Ctx, user postgres.User) error {
	w, err := s.DB.WaitingCounts(c.UserContext())
	if err != nil {
		return err
	}
	body := waitingCountsBody{Files: w.Files, Reviews: w.Reviews, Amendments: w.Amendments}
	if user.Role == "admin" {
		body.Inquiries = &w.Inquiries
	}
	return c.JSON(body)
}

// statsBody holds the figures of one day, UTC.
type statsBody struct {
	Day       string       `json:"day"`
	Questions int          `json:"questions"`
	Failed    int          `json:"failed"`
	Latency   latencyBody  `json:"latency_ms"`
	Feedback  feedbackBody `json:"feedback"`
	Models    []usageBody  `json:"models"`
}

// usageBody is the usage of a model on one of its servers; cost is in the currency of the
// configured prices.
type usageBody struct {
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

type feedbackBody struct {
	Up   int `json:"up"`
	Down int `json:"down"`
}

// listStats shows questions, latencies, feedback and usage of models by day, oldest first,
// on one page. The parameters from and to, both inclusive, give the days; the default is
// the last thirty days.
func (s *Server) listStats(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	first, last := s.statsRange(&q)
	if err := q.err(); err != nil {
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
	return c.JSON(statsPage{listBody[statsBody]{Items: showAll(days, func(f postgres.DayFigures) statsBody {
		return statsBody{f.Day.Format(time.DateOnly), f.Questions, f.Failed, latencyBody{f.P50, f.P95}, feedbackBody{f.Up, f.Down}, usageOf(f.Usage)}
	})}, amendmentFiguresBody{amendments.Operations, amendments.Versions, amendments.Articles, amendments.Decided, amendments.Waiting,
		showAll(amendments.Reasons, func(r postgres.ReasonCount) reasonBody { return reasonBody{r.Reason, r.Reason.Sentence(), r.Count} })}, alertFiguresBody(told)})
}

// statsRange reads the days of figures.
func (s *Server) statsRange(q *query) (first, last time.Time) {
	last = s.Now().UTC().Truncate(24 * time.Hour)
	if to := q.day("to"); to != nil {
		last = *to
	}
	first = last.AddDate(0, 0, 1-statsDays)
	if from := q.day("from"); from != nil {
		first = *from
	}
	switch loc := []any{"query", "from"}; {
	case len(q.faults) > 0:
	case first.After(last):
		q.faults.add("value_error", loc, nil, "« from » ne peut pas être après « to ».")
	case last.Sub(first) >= statsDaysMost*24*time.Hour:
		q.faults.add("value_error", loc, nil, "Au plus %d jours.", statsDaysMost)
	}
	return first, last
}

// statsPage is the figures by day, and those of the amendments and alerts now.
type statsPage struct {
	listBody[statsBody]
	Amendments amendmentFiguresBody `json:"amendments"`
	Alerts     alertFiguresBody     `json:"alerts"`
}

// alertFiguresBody says what is followed, what was told in the last thirty days, and what waits.
type alertFiguresBody struct {
	Follows     int `json:"follows"`
	Followers   int `json:"followers"`
	Webhooks    int `json:"webhooks"`
	Disabled    int `json:"webhooks_off"`
	Failing     int `json:"webhooks_failing"`
	Changes     int `json:"changes"`
	Alerts      int `json:"alerts"`
	Failed      int `json:"deliveries_failed"`
	Unmatched   int `json:"changes_pending"`
	Unmailed    int `json:"alerts_pending"`
	Undelivered int `json:"deliveries_pending"`
}

// amendmentFiguresBody says how much of the amendments is applied.
type amendmentFiguresBody struct {
	Operations int          `json:"operations"`
	Versions   int          `json:"versions"`
	Articles   int          `json:"articles"`
	Decided    int          `json:"decided"`
	Waiting    int          `json:"waiting"`
	Reasons    []reasonBody `json:"reasons"`
}

// reasonBody is how many operations wait for a reason.
type reasonBody struct {
	Reason   amend.Reason `json:"reason"`
	Sentence string       `json:"sentence"`
	Count    int          `json:"count"`
}

// usageOf converts usage for a response. The result is never nil, so that an empty list is
// not null in JSON.
func usageOf(used []postgres.Usage) []usageBody {
	bodies := make([]usageBody, len(used))
	for i, u := range used {
		bodies[i] = usageBody{u.Model, u.Server, u.Requests, u.In, u.Out, u.Estimated, u.Cost}
	}
	return bodies
}

// day reads an optional day; nil if it is absent.
func (q *query) day(name string) *time.Time {
	value, given := q.get(name)
	if !given {
		return nil
	}
	day, err := time.Parse(time.DateOnly, value)
	if err != nil || day.Year() < 1 {
		q.faults.add("date_from_datetime_parsing", []any{"query", name}, quoted(value), "Une date de la forme AAAA-MM-JJ est attendue.")
		return nil
	}
	return &day
}

// questionsMost is how many questions without a sure answer are listed.
const questionsMost = 200

// uncertainQuestionBody is a question that was not surely answered.
type uncertainQuestionBody struct {
	Question string     `json:"question"`
	Asked    int        `json:"asked"`
	Refused  int        `json:"refused"`
	People   int        `json:"people"`
	Last     string     `json:"last_at"`
	Answer   *uuid.UUID `json:"answer_id"`
}

// listUncertainQuestions shows the questions that were not surely answered, the most frequent first. The
// parameters from and to give the days, as of the figures.
func (s *Server) listUncertainQuestions(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	first, last := s.statsRange(&q)
	if err := q.err(); err != nil {
		return err
	}
	found, err := s.DB.UncertainQuestions(c.UserContext(), first, last, questionsMost)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Items   []uncertainQuestionBody `json:"items"`
		Unsure  int                     `json:"unsure"`
		Refused int                     `json:"refused"`
		Hidden  int                     `json:"hidden"`
	}{showAll(found.Items, func(q postgres.UncertainQuestion) uncertainQuestionBody {
		return uncertainQuestionBody{q.Text, q.Asked, q.Refused, q.People, showTime(q.Last), q.Answer}
	}), found.Unsure, found.Refused, found.Hidden})
}
