package httpapi

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// Headers of requests that are done once (draft-ietf-httpapi-idempotency-key-header).
const (
	onceHeader     = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
)

// onceForm is what a request may be called: plain, as most clients spell it, or as the
// draft does, a string of structured fields (RFC 8941) without escapes.
var onceForm = regexp.MustCompile(`^(?:([A-Za-z0-9._~:+/=-]{1,255})|"([^"\\[:cntrl:]\x80-\x{10ffff}]{1,255})")$`)

// onceName reads what the client calls its request, "" when it does not. Invalid when
// the header is anything else.
func onceName(c *fiber.Ctx) (string, error) {
	lines := c.Request().Header.PeekAll(onceHeader)
	if len(lines) == 0 {
		return "", nil
	}
	found := onceForm.FindSubmatch(lines[0])
	if found == nil || len(lines) > 1 {
		return "", errs.New(errs.Invalid, "L’en-tête Idempotency-Key doit être donné une fois, de 1 à 255 lettres, chiffres et signes -._~:+/=, ou une chaîne ASCII entre guillemets.")
	}
	return string(found[1]) + string(found[2]), nil // one of the two
}

// once tells that a request is to be done once, and gives what came of it when it
// was done before. The owner is an account's id, or the keyed hash of a network.
//
// The given context is the request's, under which the work is done once; done is false
// then, and always without the header.
func (s *Server) once(ctx context.Context, c *fiber.Ctx, owner []byte, operation postgres.Operation, request ...[]byte) (_ context.Context, result uuid.UUID, done bool, err error) {
	name, err := onceName(c)
	if err != nil || name == "" {
		return ctx, uuid.Nil, false, err
	}
	o := postgres.Once{Owner: owner, Operation: operation, Key: s.onceHash([]byte(name)), Fingerprint: s.onceHash(request...)}
	result, done, err = s.DB.DoneBefore(ctx, o)
	if done {
		c.Set(replayedHeader, "true")
	}
	return postgres.DoOnce(ctx, o), result, done, onceFault(err)
}

// doneMeanwhile gives what came of a request that was done while this one came, from
// the error of the work; otherwise the error as it is to be answered.
func doneMeanwhile(c *fiber.Ctx, err error) (result uuid.UUID, done bool, _ error) {
	var before *postgres.AlreadyDone
	if errors.As(err, &before) {
		c.Set(replayedHeader, "true")
		return before.Result, true, nil
	}
	return uuid.Nil, false, onceFault(err)
}

// onceFault makes another request under the same name a fault of the header.
func onceFault(err error) error {
	if !errors.Is(err, postgres.ErrOtherRequest) {
		return err
	}
	var f faults
	f.add("value_error", []any{"header", onceHeader}, nil, "%s", errs.Public(err))
	return f
}

// onceHash is the keyed hash of what a client sent: it could otherwise be guessed.
// Each part is told from the next by its length.
func (s *Server) onceHash(parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, s.AddressSecret)
	mac.Write([]byte("idempotency"))
	for _, p := range parts {
		sum := sha256.Sum256(p)
		mac.Write(sum[:])
	}
	return mac.Sum(nil)
}

// sameBody spells a JSON body so that two that say the same are the same: the fields
// of an object in one order, without white space between them.
func sameBody(c *fiber.Ctx) []byte {
	decoder := json.NewDecoder(bytes.NewReader(c.Request().Body()))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		if spelled, err := json.Marshal(value); err == nil {
			return spelled
		}
	}
	return bytes.Clone(c.Request().Body()) // it was read before, so this is not reached
}
