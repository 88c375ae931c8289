package public

import (
	"context"
	"errors"
	"log/slog"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
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
func (s *Inquiries) Routes(api fiber.Router) { api.Post("/business/inquiry", s.sendInquiry) }

// sendInquiry serves POST /business/inquiry. It accepts a request for an appointment, without
// authentication.
func (s *Inquiries) sendInquiry(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	inquiry := postgres.Inquiry{
		ID:            postgres.NewID(),
		Company:       body.Text("company", 2, 255),
		ContactName:   body.Text("contact_name", 2, 255),
		Email:         body.Email("email"),
		Phone:         body.UpTo("phone", 64),
		UseCase:       body.Text("use_case", 2, 4000),
		PreferredSlot: body.UpTo("preferred_slot", 255),
		TeamSize:      respond.NonEmpty(body.One("team_size", postgres.TeamSizes())),
		AddressHash:   s.HashAddress(s.Address(c)),
	}
	if err := body.Err(); err != nil {
		return err
	}
	ctx, previous, done, err := s.BeginOnce(c.UserContext(), c, inquiry.AddressHash, postgres.InquiryOnce, guard.SameBody(c))
	if err != nil {
		return err
	}
	if !done {
		previous, done, err = guard.DoneMeanwhile(c, s.accept(ctx, c, inquiry))
	}
	if err != nil {
		return err
	}
	if done {
		return s.inquiryAgain(c, previous)
	}
	transport.Note(c, slog.String("inquiry_id", inquiry.ID.String()))
	if err := s.Enqueue(c.UserContext(), queue.Notifications, inquiry.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint left to the sweep", "inquiry_id", inquiry.ID, "error", err)
	}
	return confirmInquiry(c, inquiry.ID)
}

func confirmInquiry(c *fiber.Ctx, id uuid.UUID) error {
	return c.Status(fiber.StatusCreated).JSON(struct {
		ID uuid.UUID `json:"id"`
	}{id})
}

// inquiryKey distinguishes the keys of the limit on inquiries from the keys of other
// limits.
const inquiryKey = "inquiry"

// inquiryAgain repeats the response to an inquiry that was accepted before. It is not
// counted, and works when the limit is reached; the headers have the current limit.
func (s *Inquiries) inquiryAgain(c *fiber.Ctx, id uuid.UUID) error {
	place, err := s.BeginVisit(c.UserContext(), s.Network, inquiryKey, s.Address(c))
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
	return confirmInquiry(c, id)
}

// accept stores an inquiry within the limit of its network. It is counted before the
// commit: an inquiry that cannot be counted is rejected.
func (s *Inquiries) accept(ctx context.Context, c *fiber.Ctx, inquiry postgres.Inquiry) error {
	place, err := s.BeginVisit(ctx, s.Network, inquiryKey, s.Address(c))
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
