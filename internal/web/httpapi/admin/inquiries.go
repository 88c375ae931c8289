package admin

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// InquiryBody is an inquiry as administrators see it.
type InquiryBody struct {
	SentInquiryBody
	UpdatedAt    string           `json:"updated_at"`
	Notification notificationBody `json:"notification"`
}

// SentInquiryBody is an inquiry as sent, with its status.
type SentInquiryBody struct {
	postgres.Inquiry
	CreatedAt string `json:"created_at"`
}

// ShowSentInquiry shows an inquiry as it was sent.
func ShowSentInquiry(i postgres.Inquiry) SentInquiryBody {
	return SentInquiryBody{i, respond.ShowTime(i.CreatedAt)}
}

// notificationBody is the state of the e-mail.
type notificationBody struct {
	State         string        `json:"state"` // queued, running, done
	AttemptsCount int           `json:"attempts_count"`
	Attempts      []attemptBody `json:"attempts"` // the latest, oldest first
	NextAt        *string       `json:"next_at"`  // earliest time of the next attempt; null if there is none
}

type attemptBody struct {
	At      string  `json:"at"`
	Outcome string  `json:"outcome"` // running, sent, failed, lost, released
	Reason  *string `json:"reason"`
}

func (s *Handlers) showInquiry(i postgres.Inquiry, attempts []postgres.InquiryAttempt) InquiryBody {
	n := notificationBody{State: i.Notification.State, AttemptsCount: i.Notification.Attempt, Attempts: make([]attemptBody, 0, len(attempts))}
	for _, a := range attempts {
		n.Attempts = append(n.Attempts, attemptBody{respond.ShowTime(a.At), a.Outcome, respond.NonEmpty(a.Reason)})
	}
	if n.State == "queued" && i.Notification.NextAt.After(s.Now()) {
		n.NextAt = new(respond.ShowTime(i.Notification.NextAt))
	}
	return InquiryBody{SentInquiryBody: ShowSentInquiry(i), UpdatedAt: respond.ShowTime(i.UpdatedAt), Notification: n}
}

// showInquiries shows inquiries with their attempts.
func (s *Handlers) showInquiries(c *fiber.Ctx, list ...postgres.Inquiry) ([]InquiryBody, error) {
	ids := make([]uuid.UUID, len(list))
	for i, one := range list {
		ids[i] = one.ID
	}
	attempts, err := s.DB.InquiryAttempts(c.UserContext(), ids, attemptsShown)
	if err != nil {
		return nil, err
	}
	shown := make([]InquiryBody, len(list))
	for i, one := range list {
		shown[i] = s.showInquiry(one, attempts[one.ID])
	}
	return shown, nil
}

// listInquiries serves GET /admin/inquiries. It shows inquiries, newest first, by cursor.
func (s *Handlers) listInquiries(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	limit := q.Number("limit", inquiriesDefault, 1, inquiriesMost)
	status := q.One("status", postgres.InquiryStatuses())
	if err := q.Err(); err != nil {
		return err
	}
	before, err := q.Cursor()
	if err != nil {
		return err
	}
	found, next, err := s.DB.Inquiries(c.UserContext(), status, before, limit)
	if err != nil {
		return err
	}
	shown, err := s.showInquiries(c, found...)
	if err != nil {
		return err
	}
	return respond.ListAll(c, shown, next)
}

// changeInquiry serves PATCH /admin/inquiries/:id. It changes the status of an inquiry.
func (s *Handlers) changeInquiry(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	body := transport.ReadBody(c)
	status := body.MustOne("status", postgres.InquiryStatuses())
	if err := body.Err(); err != nil {
		return err
	}
	inquiry, err := s.DB.SetInquiryStatus(c.UserContext(), id, status)
	if err != nil {
		return respond.NotFound(err, "Demande introuvable.")
	}
	shown, err := s.showInquiries(c, inquiry)
	if err != nil {
		return err
	}
	return c.JSON(shown[0])
}
