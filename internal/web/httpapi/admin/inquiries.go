package admin

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// InquiryBody is an inquiry as administrators see it.
type InquiryBody struct {
	SentInquiryBody
	UpdatedAt    string           `json:"updated_at" format:"date-time"`
	Notification notificationBody `json:"notification" doc:"Où en est l’e-mail qui annonce la demande."`
}

// SentInquiryBody is an inquiry as sent, with its status.
type SentInquiryBody struct {
	postgres.Inquiry
	CreatedAt string `json:"created_at" format:"date-time"`
}

// ShowSentInquiry shows an inquiry as it was sent.
func ShowSentInquiry(i postgres.Inquiry) SentInquiryBody {
	return SentInquiryBody{i, respond.ShowTime(i.CreatedAt)}
}

// notificationBody is the state of the e-mail.
type notificationBody struct {
	State         string                    `json:"state" enum:"queued,running,done"` // queued, running, done
	AttemptsCount int                       `json:"attempts_count"`
	Attempts      []notificationAttemptBody `json:"attempts" doc:"Les derniers essais, dans leur ordre."`                  // the latest, oldest first
	NextAt        *string                   `json:"next_at" format:"date-time" doc:"Pas d’autre essai avant cet instant."` // earliest time of the next attempt; null if there is none
}

type notificationAttemptBody struct {
	At      string  `json:"at" format:"date-time"`
	Outcome string  `json:"outcome" enum:"running,sent,failed,lost,released"` // running, sent, failed, lost, released
	Reason  *string `json:"reason"`
}

func (s *Handlers) showInquiry(i postgres.Inquiry, attempts []postgres.InquiryAttempt) InquiryBody {
	n := notificationBody{State: i.Notification.State, AttemptsCount: i.Notification.Attempt, Attempts: make([]notificationAttemptBody, 0, len(attempts))}
	for _, a := range attempts {
		n.Attempts = append(n.Attempts, notificationAttemptBody{respond.ShowTime(a.At), a.Outcome, respond.NonEmpty(a.Reason)})
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

type listInquiriesInput struct {
	respond.Cursor
	Status string `query:"status" enum:"new,read,answered,closed" doc:"Seulement celles-ci."`
}

// listInquiries serves GET /admin/inquiries. It shows inquiries, newest first, by cursor.
func (s *Handlers) listInquiries(c *fiber.Ctx, _ postgres.User, input listInquiriesInput) (reply respond.Listing[InquiryBody], _ error) {
	found, next, err := s.DB.Inquiries(c.UserContext(), input.Status, input.Before, input.Limit)
	if err != nil {
		return reply, err
	}
	shown, err := s.showInquiries(c, found...)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(shown, next, respond.Same), nil
}

type changeInquiryInput struct {
	contract.ByID
	Status string `json:"status" enum:"new,read,answered,closed"`
}

// changeInquiry serves PATCH /admin/inquiries/:id. It changes the status of an inquiry.
func (s *Handlers) changeInquiry(c *fiber.Ctx, _ postgres.User, input changeInquiryInput) (reply InquiryBody, _ error) {
	inquiry, err := s.DB.SetInquiryStatus(c.UserContext(), input.ID, input.Status)
	if err != nil {
		return reply, respond.NotFound(err, "Demande introuvable.")
	}
	shown, err := s.showInquiries(c, inquiry)
	if err != nil {
		return reply, err
	}
	return shown[0], nil
}
