package guard

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

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
)

// Headers of idempotent requests (draft-ietf-httpapi-idempotency-key-header).
const (
	onceHeader     = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
)

// Once is part of the input of a request that may be idempotent; BeginOnce reads the header.
type Once struct {
	Key string `header:"Idempotency-Key" pattern:"^([A-Za-z0-9._~:+/=-]{1,255}|\"[ !#-\\[\\]-~]{1,255}\")$" doc:"Un nom que le client donne à sa requête, de préférence un UUID, avec ou sans guillemets : la même requête envoyée une deuxième fois sous ce nom n’est pas faite deux fois. Voir plus haut."`
}

// onceForm is the syntax of a key: plain text, as most clients send it, or, as in the
// draft, a string of structured fields (RFC 8941) without escapes.
var onceForm = regexp.MustCompile(`^(?:([A-Za-z0-9._~:+/=-]{1,255})|"([^"\\[:cntrl:]\x80-\x{10ffff}]{1,255})")$`)

// onceName returns the request's idempotency key, "" without one. Invalid if the header is
// malformed.
func onceName(c *fiber.Ctx) (string, error) {
	lines := c.Request().Header.PeekAll(onceHeader)
	if len(lines) == 0 {
		return "", nil
	}
	found := onceForm.FindSubmatch(lines[0])
	if found == nil || len(lines) > 1 {
		return "", errs.New(errs.Invalid, "L’en-tête Idempotency-Key doit être donné une fois, de 1 à 255 lettres, chiffres et signes -._~:+/=, ou une chaîne ASCII entre guillemets.")
	}
	return string(found[1]) + string(found[2]), nil // one of the two groups is empty
}

// BeginOnce makes a request idempotent, and returns the earlier result if it was executed
// before. The owner is an account's id, or the keyed hash of a network.
//
// If done is false, the caller must do the work under the returned context. done is always
// false without the header.
func (s *Guard) BeginOnce(ctx context.Context, c *fiber.Ctx, owner []byte, operation postgres.Operation, request ...[]byte) (_ context.Context, result uuid.UUID, done bool, err error) {
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

// DoneMeanwhile evaluates the error of the work. If the same request was executed
// concurrently, done is true and result is that request's result; otherwise it returns the
// error for the response.
func DoneMeanwhile(c *fiber.Ctx, err error) (result uuid.UUID, done bool, _ error) {
	var previous *postgres.AlreadyDone
	if errors.As(err, &previous) {
		c.Set(replayedHeader, "true")
		return previous.Result, true, nil
	}
	return uuid.Nil, false, onceFault(err)
}

// onceFault converts the error of a reused key to a fault of the header.
func onceFault(err error) error {
	if !errors.Is(err, postgres.ErrOtherRequest) {
		return err
	}
	var f form.Faults
	f.Add("value_error", []any{"header", onceHeader}, nil, "%s", errs.Public(err))
	return f
}

// onceHash returns the keyed hash of the parts of a request, and of the length of each. The
// hash is keyed, because the parts could be guessed from a plain one.
func (s *Guard) onceHash(parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, s.AddressSecret)
	mac.Write([]byte("idempotency"))
	for _, p := range parts {
		sum := sha256.Sum256(p)
		mac.Write(sum[:])
	}
	return mac.Sum(nil)
}

// SameBody normalizes a JSON body, so that equivalent bodies are equal: sorted fields, no
// white space.
func SameBody(c *fiber.Ctx) []byte {
	decoder := json.NewDecoder(bytes.NewReader(c.Request().Body()))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		if spelled, err := json.Marshal(value); err == nil {
			return spelled
		}
	}
	return bytes.Clone(c.Request().Body()) // not reached: the body was parsed before
}
