package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/netip"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/postgres"
	"vigueur/internal/queue"
	"vigueur/internal/ratelimit"
)

// sendInquiry takes a request for an appointment, from anybody.
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
		return s.inquiryAgain(c, inquiry.AddressHash, before)
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

// inquiryAgain answers one that was accepted before as it was then. It counts for
// nothing, and is answered when the limit is reached too; the headers tell of the
// limit as it is now.
func (s *Server) inquiryAgain(c *fiber.Ctx, address []byte, id uuid.UUID) error {
	place, err := s.Inquiries.Begin(c.UserContext(), hex.EncodeToString(address))
	var full *ratelimit.Refused
	switch {
	case errors.As(err, &full):
		setQuota(c, full.Quota)
	case err != nil:
		return err
	default:
		setQuota(c, place.Quota())
		s.forget(c.UserContext(), place.Forget)
	}
	return inquiryTaken(c, id)
}

// accept stores an inquiry within the limit of its address. It is counted before
// the commit: an inquiry that cannot be counted is not accepted.
func (s *Server) accept(ctx context.Context, c *fiber.Ctx, inquiry postgres.Inquiry) error {
	place, err := s.Inquiries.Begin(ctx, hex.EncodeToString(inquiry.AddressHash))
	if err != nil {
		return err
	}
	quota := place.Quota()
	err = s.DB.CreateInquiry(ctx, inquiry, func() (err error) {
		quota, err = place.Count(ctx)
		return err
	})
	if err != nil {
		s.forget(ctx, place.Forget)
		return err
	}
	setQuota(c, quota)
	return nil
}

// hashAddress is what is kept of an address: the same for the same one, of IPv6
// for the same /64, and nothing without the key.
func (s *Server) hashAddress(a netip.Addr) []byte {
	mac := hmac.New(sha256.New, s.AddressSecret)
	if a.Is4() {
		mac.Write([]byte(a.String()))
	} else {
		mac.Write([]byte(network(a).String()))
	}
	return mac.Sum(nil)
}
