package alerts

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/egress"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

const (
	// ResponseLimit is how long a receiver may take for its whole response. Standard Webhooks
	// recommends 15 to 30 seconds.
	ResponseLimit = 15 * time.Second
	// bodyLimit is how much of a response is read, in bytes; its content is ignored.
	bodyLimit = 16 << 10
	// secretBytes is the length of a secret; Standard Webhooks asks for 24 to 64.
	secretBytes = 32
	// secretPrefix begins a secret that is shown.
	secretPrefix = "whsec_"
)

// Backoff is the delay after a number of failures (1 or more), as Standard Webhooks
// recommends: ten attempts within about three days.
func Backoff(failures int) time.Duration {
	steps := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
	return steps[min(max(failures, 1), len(steps))-1]
}

// NewSecret generates a secret, and the form in which its owner sees it.
func NewSecret() (secret []byte, shown string) {
	secret = make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the process instead
	return secret, secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// Sign returns the signature of a message as Standard Webhooks 1.0 defines it: HMAC-SHA256
// over id, time in seconds and body, separated by dots.
func Sign(secret []byte, id string, moment time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, moment.Unix(), body) // never fails
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Sender sends deliveries to webhooks. Its fields are set once.
type Sender struct {
	DB      *postgres.DB
	Off     bool     // whether nothing is sent: the deployment wants no webhooks
	BaseURL string   // public address of the service, without a slash at the end
	Allowed []string // hosts with port that need not be public
	Now     func() time.Time
	Log     *slog.Logger
	// Concurrency is the number of deliveries that a process sends at once; 0: one.
	Concurrency int
	// Limit is how long a receiver may take; 0: ResponseLimit.
	Limit time.Duration
	// Delay returns the delay after a number of failures; nil: Backoff.
	Delay func(failures int) time.Duration
}

// Plan describes the deliveries. Tries is 0: RetryDelivery decides when one is given up.
func (s *Sender) Plan() work.Plan {
	delay := s.Delay
	if delay == nil {
		delay = Backoff
	}
	return work.Plan{Kind: queue.Webhooks, Concurrency: s.Concurrency, Poll: work.BackgroundPoll, Backoff: delay, Log: s.Log}
}

// Due selects deliveries that no worker holds.
func (s *Sender) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	if s.Off {
		return nil, nil
	}
	return s.DB.DueDeliveries(ctx, limit)
}

// Lease begins an attempt at a delivery.
func (s *Sender) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	shipment, err := s.DB.LeaseDelivery(ctx, id)
	if err != nil {
		return nil, err
	}
	return &delivery{Leased: work.Leased{Lease: shipment.Leased}, sender: s, row: shipment}, nil
}

// delivery is one attempt at one delivery.
type delivery struct {
	work.Leased
	sender *Sender
	row    postgres.Shipment
	status *int // of the response; nil: there was none
	took   time.Duration
}

// Work sends the delivery.
func (j *delivery) Work(ctx context.Context) error {
	began := time.Now()
	status, err := j.sender.send(ctx, j.row)
	j.took = time.Since(began)
	if status != 0 {
		j.status = &status
	}
	return err
}

// Conclude writes how the attempt ended.
func (j *delivery) Conclude(ctx context.Context, end work.End) error {
	db := j.sender.DB
	switch end.Outcome {
	case work.Done:
		return db.FinishDelivery(ctx, j.row, *j.status, j.took)
	case work.PutBack:
		disabled, err := db.RetryDelivery(ctx, j.row, j.status, errs.Public(end.Err), j.took, end.After)
		if disabled {
			j.sender.Log.WarnContext(ctx, "webhook turned off", "webhook", j.row.Webhook)
		}
		return err
	default:
		return j.Lease.Release(ctx)
	}
}

// Attrs returns the attributes of the attempt's log record. The address is not among them: it
// may have a token.
func (j *delivery) Attrs() []slog.Attr {
	return []slog.Attr{slog.String("delivery", j.row.ID.String()), slog.String("webhook", j.row.Webhook.String())}
}

// message is what a webhook is sent.
type message struct {
	Type string      `json:"type"`      // law. and the kind of the change, or test
	At   time.Time   `json:"timestamp"` // of the change
	Data messageData `json:"data"`
}

type messageData struct {
	Follows  []string   `json:"follows"` // labels of what the account follows
	Document *uuid.UUID `json:"document_id"`
	Title    string     `json:"title"`
	Type     string     `json:"doc_type"`
	Domain   string     `json:"domaine"`
	Country  []string   `json:"pays"`
	Articles []string   `json:"articles"` // empty: the whole text
	Article  *uuid.UUID `json:"article_id"`
	Act      *uuid.UUID `json:"act_id"`
	ActTitle string     `json:"act_title"`
	From     *string    `json:"from"` // first day of the change
	To       *string    `json:"to"`
	Gone     bool       `json:"gone"`
	Sentence string     `json:"sentence"`
	URL      string     `json:"url"`
}

// compose returns the body of a delivery. All attempts have the same.
func (s *Sender) compose(row postgres.Shipment) ([]byte, error) {
	m := message{Type: "test", At: row.CreatedAt.UTC(), Data: messageData{Follows: []string{}, Country: []string{}, Articles: []string{}, URL: s.BaseURL, Sentence: "Ceci est un essai."}}
	if c := row.Change; c != nil {
		day := func(t *time.Time) *string {
			if t == nil {
				return nil
			}
			return new(t.Format(time.DateOnly))
		}
		m.Type, m.At = "law."+c.Kind, c.At.UTC()
		m.Data = messageData{Follows: append([]string{}, row.Labels...), Document: &c.Document, Title: c.Title, Type: string(c.Type), Domain: c.Domain,
			Country: append([]string{}, c.Countries...), Articles: append([]string{}, c.Articles...), Article: c.Article, Act: c.Act, ActTitle: c.ActTitle,
			From: day(c.From), To: day(c.To), Gone: c.Gone, Sentence: c.Sentence(), URL: s.BaseURL + c.Path()}
	}
	return json.Marshal(m)
}

// send sends a delivery and returns the status of the response, 0 if there was none. Errors are
// Unavailable, with a French sentence for the webhook's owner.
func (s *Sender) send(ctx context.Context, row postgres.Shipment) (status int, err error) {
	failed := func(why string, err error) (int, error) { return status, errs.Wrap(errs.Unavailable, why, err) }
	if err := egress.Check(row.URL, s.Allowed); err != nil {
		return failed(errs.Public(err), err)
	}
	body, err := s.compose(row)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, row.URL, bytes.NewReader(body))
	if err != nil {
		return failed("L’adresse ne peut pas être lue.", err)
	}
	now, id := s.Now(), "msg_"+row.ID.String()
	for name, value := range map[string]string{"Content-Type": "application/json", "User-Agent": "vigueur-webhook/1",
		"webhook-id": id, "webhook-timestamp": strconv.FormatInt(now.Unix(), 10), "webhook-signature": Sign(row.Secret, id, now, body)} {
		request.Header.Set(name, value)
	}
	limit := s.Limit
	if limit == 0 {
		limit = ResponseLimit
	}
	response, err := egress.Client(s.Allowed, limit).Do(request)
	if err != nil {
		return failed(reason(err), err)
	}
	defer func() { _ = response.Body.Close() }()
	status = response.StatusCode
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, bodyLimit)); err != nil {
		return failed("La réponse s’est interrompue, ou n’est pas venue à temps.", err)
	}
	switch {
	case status >= 200 && status < 300:
		return status, nil
	case status >= 300 && status < 400:
		return failed(fmt.Sprintf("L’adresse renvoie ailleurs (%d) ; les renvois ne sont pas suivis.", status), fmt.Errorf("alerts: status %d", status))
	}
	return failed(fmt.Sprintf("L’adresse a répondu par une erreur (%d).", status), fmt.Errorf("alerts: status %d", status))
}

// reason says in French why there was no response, without details of the network.
func reason(err error) string {
	var unknown *net.DNSError
	var waited net.Error
	switch {
	case errors.Is(err, egress.ErrPrivate):
		return "Cette adresse est celle d’un réseau privé : rien n’y est envoyé."
	case errors.As(err, &waited) && waited.Timeout():
		return "L’adresse n’a pas répondu à temps."
	case errors.As(err, &unknown):
		return "Le nom de l’hôte est inconnu."
	}
	return "La connexion a échoué."
}
