package public

import (
	"context"
	"errors"
	"log/slog"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// Inquiries takes requests of visitors to the people who run the service.
type Inquiries struct {
	*guard.Guard

	Network *ratelimit.Limiter // accepted inquiries from one network
	All     *ratelimit.Limiter // accepted inquiries from everywhere
	Enqueue func(ctx context.Context, kind queue.Kind, id uuid.UUID) error
}

// Routes registers the route of inquiries.
func (s *Inquiries) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix).Tag("Rendez-vous")
	api.Post("/business/inquiry", "sendInquiry", "Demander un rendez-vous", contract.Open(s.sendInquiry)).Gives(201).Fails(403).Headers("Idempotency-Replayed")
}

type inquiryInput struct {
	guard.Once
	Company       string `json:"company" minLength:"2" maxLength:"255" format:"title" example:"Chambre de commerce d’Astrevalle"`
	ContactName   string `json:"contact_name" minLength:"2" maxLength:"255" format:"title" example:"Ilan Morvan"`
	Email         string `json:"email" format:"email" doc:"Un « @ », un point dans ce qui le suit, aucun blanc." example:"ilan.morvan@commerce.astrevalle.example"`
	Phone         string `json:"phone,omitempty" maxLength:"64"`
	UseCase       string `json:"use_case" minLength:"2" maxLength:"4000" doc:"Le besoin."`
	PreferredSlot string `json:"preferred_slot,omitempty" maxLength:"255" doc:"Le moment préféré, en toutes lettres."`
	TeamSize      string `json:"team_size,omitempty" enum:"1-10,11-50,51-200,200+"`
}

// inquiryReceived is the id of an inquiry that was accepted.
type inquiryReceived struct {
	ID uuid.UUID `json:"id"`
}

// sendInquiry serves POST /business/inquiry. It accepts a request for an appointment, without
// authentication.
func (s *Inquiries) sendInquiry(c *fiber.Ctx, input inquiryInput) (reply inquiryReceived, _ error) {
	inquiry := postgres.Inquiry{
		ID: postgres.NewID(), Company: input.Company, ContactName: input.ContactName, Email: input.Email, Phone: respond.NonEmpty(input.Phone), UseCase: input.UseCase,
		PreferredSlot: respond.NonEmpty(input.PreferredSlot), TeamSize: respond.NonEmpty(input.TeamSize), AddressHash: s.HashAddress(s.Address(c)),
	}
	ctx, previous, done, err := s.BeginOnce(c.UserContext(), c, inquiry.AddressHash, postgres.InquiryOnce, guard.SameBody(c))
	if err != nil {
		return reply, err
	}
	if !done {
		previous, done, err = guard.DoneMeanwhile(c, s.accept(ctx, c, inquiry))
	}
	if err != nil {
		return reply, err
	}
	if done {
		return inquiryReceived{previous}, s.showQuota(c)
	}
	transport.Note(c, slog.String("inquiry_id", inquiry.ID.String()))
	if err := s.Enqueue(c.UserContext(), queue.Notifications, inquiry.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint left to the sweep", "inquiry_id", inquiry.ID, "error", err)
	}
	return inquiryReceived{inquiry.ID}, nil
}

// inquiryKey distinguishes the keys of the limit on inquiries from the keys of other
// limits.
const inquiryKey = "inquiry"

// showQuota sets the headers of the limit for an inquiry that was accepted before: it is not
// counted, and its response is repeated even when the limit is reached.
func (s *Inquiries) showQuota(c *fiber.Ctx) error {
	place, err := s.BeginVisit(c, s.Network, inquiryKey)
	var full *ratelimit.Refused
	switch {
	case errors.As(err, &full):
		transport.SetQuota(c, full.Quota)
	case err != nil:
		return err
	default:
		transport.SetQuota(c, place.Quota())
		place.Forget(c.UserContext())
	}
	return nil
}

// accept stores an inquiry within the limit of its network. It is counted before the
// commit: an inquiry that cannot be counted is rejected.
func (s *Inquiries) accept(ctx context.Context, c *fiber.Ctx, inquiry postgres.Inquiry) error {
	place, err := s.BeginVisit(c, s.Network, inquiryKey)
	if err != nil {
		return err
	}
	all, err := s.All.Begin(ctx, guard.AllKey)
	if err != nil {
		place.Forget(ctx)
		return err
	}
	quota := place.Quota()
	err = s.DB.CreateInquiry(ctx, inquiry, func() (err error) {
		if _, err = all.Count(ctx); err == nil {
			quota, err = place.Count(ctx)
		}
		return err
	})
	if err != nil {
		place.Add(all)
		place.Forget(ctx)
		return err
	}
	transport.SetQuota(c, quota)
	return nil
}
