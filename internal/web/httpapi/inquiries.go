package httpapi

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// Page size of the list of inquiries, and the number of attempts shown for each.
const (
	inquiriesDefault = 50
	inquiriesMost    = 200
	attemptsShown    = 20
)

// inquiryBody is an inquiry as administrators see it.
type inquiryBody struct {
	sentInquiryBody
	UpdatedAt    string           `json:"updated_at"`
	Notification notificationBody `json:"notification"`
}

// sentInquiryBody is an inquiry as sent, with its status.
type sentInquiryBody struct {
	ID            uuid.UUID `json:"id"`
	Company       string    `json:"company"`
	ContactName   string    `json:"contact_name"`
	Email         string    `json:"email"`
	Phone         *string   `json:"phone"`
	TeamSize      *string   `json:"team_size"`
	UseCase       string    `json:"use_case"`
	PreferredSlot *string   `json:"preferred_slot"`
	Status        string    `json:"status"`
	CreatedAt     string    `json:"created_at"`
}

func showSentInquiry(i postgres.Inquiry) sentInquiryBody {
	return sentInquiryBody{
		ID: i.ID, Company: i.Company, ContactName: i.ContactName, Email: i.Email, Phone: i.Phone, TeamSize: i.TeamSize,
		UseCase: i.UseCase, PreferredSlot: i.PreferredSlot, Status: i.Status, CreatedAt: showTime(i.CreatedAt),
	}
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

func (s *Server) showInquiry(i postgres.Inquiry, attempts []postgres.InquiryAttempt) inquiryBody {
	n := notificationBody{State: i.Notification.State, AttemptsCount: i.Notification.Attempt, Attempts: make([]attemptBody, 0, len(attempts))}
	for _, a := range attempts {
		shown := attemptBody{At: showTime(a.At), Outcome: a.Outcome}
		if a.Reason != "" {
			shown.Reason = &a.Reason
		}
		n.Attempts = append(n.Attempts, shown)
	}
	if n.State == "queued" && i.Notification.NextAt.After(s.Now()) {
		next := showTime(i.Notification.NextAt)
		n.NextAt = &next
	}
	return inquiryBody{sentInquiryBody: showSentInquiry(i), UpdatedAt: showTime(i.UpdatedAt), Notification: n}
}

// showInquiries shows inquiries with their attempts.
func (s *Server) showInquiries(c *fiber.Ctx, list ...postgres.Inquiry) ([]inquiryBody, error) {
	ids := make([]uuid.UUID, len(list))
	for i, one := range list {
		ids[i] = one.ID
	}
	attempts, err := s.DB.InquiryAttempts(c.UserContext(), ids, attemptsShown)
	if err != nil {
		return nil, err
	}
	shown := make([]inquiryBody, len(list))
	for i, one := range list {
		shown[i] = s.showInquiry(one, attempts[one.ID])
	}
	return shown, nil
}

// listInquiries shows inquiries, newest first, by cursor.
func (s *Server) listInquiries(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	limit := q.number("limit", inquiriesDefault, 1, inquiriesMost)
	status := q.one("status", postgres.InquiryStatuses())
	if err := q.err(); err != nil {
		return err
	}
	before, err := q.cursor()
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
	return list(c, shown, next, func(i inquiryBody) inquiryBody { return i })
}

// changeInquiry changes the status of an inquiry.
func (s *Server) changeInquiry(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	status := body.choice("status", postgres.InquiryStatuses())
	if err := body.err(); err != nil {
		return err
	}
	inquiry, err := s.DB.SetInquiryStatus(c.UserContext(), id, status)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Demande introuvable.", err)
	}
	if err != nil {
		return err
	}
	shown, err := s.showInquiries(c, inquiry)
	if err != nil {
		return err
	}
	return c.JSON(shown[0])
}
