package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/netip"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/work/queue"
)

// sendInquiry accepts a request for an appointment, without authentication.
func (s *Server) sendInquiry(c *fiber.Ctx) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	inquiry := postgres.Inquiry{
		ID:            postgres.NewID(),
		Company:       body.text("company", 2, 255),
		ContactName:   body.text("contact_name", 2, 255),
		Email:         body.email("email"),
		Phone:         body.upTo("phone", 64),
		UseCase:       body.text("use_case", 2, 4000),
		PreferredSlot: body.upTo("preferred_slot", 255),
		AddressHash:   s.hashAddress(s.address(c)),
	}
	if size := body.one("team_size", postgres.TeamSizes()); size != "" {
		inquiry.TeamSize = &size
	}
	if err := body.err(); err != nil {
		return err
	}
	ctx, before, done, err := s.once(c.UserContext(), c, inquiry.AddressHash, postgres.InquiryOnce, sameBody(c))
	if err != nil {
		return err
	}
	if !done {
		before, done, err = doneMeanwhile(c, s.accept(ctx, c, inquiry))
	}
	if err != nil {
		return err
	}
	if done {
		return s.inquiryAgain(c, before)
	}
	note(c, slog.String("inquiry_id", inquiry.ID.String()))
	if err := s.Queue.Enqueue(c.UserContext(), queue.Notifications, inquiry.ID); err != nil {
		s.Log.WarnContext(c.UserContext(), "hint left to the sweep", "inquiry_id", inquiry.ID, "error", err)
	}
	return inquiryTaken(c, inquiry.ID)
}

func inquiryTaken(c *fiber.Ctx, id uuid.UUID) error {
	return c.Status(fiber.StatusCreated).JSON(struct {
		ID uuid.UUID `json:"id"`
	}{id})
}

// inquiryKey distinguishes the keys of the limit on inquiries from the keys of other
// limits.
const inquiryKey = "inquiry"

// inquiryAgain repeats the response to an inquiry that was accepted before. It is not
// counted, and works when the limit is reached; the headers have the current limit.
func (s *Server) inquiryAgain(c *fiber.Ctx, id uuid.UUID) error {
	place, err := s.beginIn(c.UserContext(), s.Inquiries, inquiryKey, s.address(c))
	var full *ratelimit.Refused
	switch {
	case errors.As(err, &full):
		setQuota(c, full.Quota)
	case err != nil:
		return err
	default:
		setQuota(c, place.Quota())
		place.forget(c.UserContext(), s)
	}
	return inquiryTaken(c, id)
}

// accept stores an inquiry within the limit of its network. It is counted before the
// commit: an inquiry that cannot be counted is rejected.
func (s *Server) accept(ctx context.Context, c *fiber.Ctx, inquiry postgres.Inquiry) error {
	place, err := s.beginIn(ctx, s.Inquiries, inquiryKey, s.address(c))
	if err != nil {
		return err
	}
	all, err := s.AllInquiries.Begin(ctx, allKey)
	if err != nil {
		place.forget(ctx, s)
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
		append(place, all).forget(ctx, s)
		return err
	}
	setQuota(c, quota)
	return nil
}

// hashAddress returns the keyed hash of an address; for IPv6, that of its /64 network.
func (s *Server) hashAddress(a netip.Addr) []byte {
	mac := hmac.New(sha256.New, s.AddressSecret)
	if a.Is4() {
		mac.Write([]byte(a.String()))
	} else {
		mac.Write([]byte(network(a).String()))
	}
	return mac.Sum(nil)
}
