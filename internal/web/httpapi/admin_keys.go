package httpapi

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
)

// keyBody is an API key as an administrator sees it, without its secret.
type keyBody struct {
	ID         uuid.UUID `json:"id"`
	Name       string    `json:"name"`
	Prefix     string    `json:"prefix"`
	UserID     uuid.UUID `json:"user_id"`
	UserEmail  string    `json:"user_email"`
	Scopes     []string  `json:"scopes"`
	PerMinute  int       `json:"per_minute"`
	PerDay     int       `json:"per_day"`
	CreatedAt  string    `json:"created_at"`
	ExpiresAt  string    `json:"expires_at"`
	LastUsedAt *string   `json:"last_used_at"`
	RevokedAt  *string   `json:"revoked_at"`
}

// newKeyBody is a new key with its secret, which is shown only once.
type newKeyBody struct {
	keyBody
	Key string `json:"key"`
}

func showKey(k postgres.APIKey) keyBody {
	return keyBody{ID: k.ID, Name: k.Name, Prefix: k.Prefix, UserID: k.Owner, UserEmail: k.OwnerEmail, Scopes: k.Scopes,
		PerMinute: k.PerMinute, PerDay: k.PerDay, CreatedAt: showTime(k.CreatedAt), ExpiresAt: showTime(k.ExpiresAt),
		LastUsedAt: maybeTime(k.LastUsedAt), RevokedAt: maybeTime(k.RevokedAt)}
}

func maybeTime(t *time.Time) *string {
	if t == nil {
		return nil
	}
	shown := showTime(*t)
	return &shown
}

// listKeys shows the keys, newest first, by cursor.
func (s *Server) listKeys(c *fiber.Ctx, _ postgres.User) error {
	return listed(c, s.DB.Keys, showKey)
}

// createKey creates a key for an account and shows its secret, which is never shown again.
func (s *Server) createKey(c *fiber.Ctx, _ postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	k := postgres.APIKey{
		ID:        postgres.NewID(),
		Name:      body.text("name", 1, postgres.KeyName),
		Owner:     body.mustID("user_id"),
		Scopes:    body.some("scopes", postgres.KeyScopes()),
		PerMinute: body.number("per_minute", postgres.KeyPerMinute, 1, postgres.KeyPerMinuteMost),
		PerDay:    body.number("per_day", postgres.KeyPerDay, 1, postgres.KeyPerDayMost),
	}
	days := body.number("expires_in_days", postgres.KeyDays, 1, postgres.KeyDaysMost)
	if err := body.err(); err != nil {
		return err
	}
	k.ExpiresAt = s.Now().Add(time.Duration(days) * 24 * time.Hour)
	var key string
	var hash []byte
	key, k.Prefix, hash = auth.NewKey()
	made, err := s.DB.CreateKey(c.UserContext(), k, hash)
	if err != nil {
		return keyFault(body, err)
	}
	return c.Status(fiber.StatusCreated).JSON(newKeyBody{showKey(made), key})
}

// keyFault converts an error about a key's owner to a fault of the field.
func keyFault(body *object, err error) error {
	for field, cause := range map[string]error{"user_id": postgres.ErrNoOwner, "scopes": postgres.ErrOwnerRole} {
		if errors.Is(err, cause) {
			body.refuse(field, errs.Public(err))
		}
	}
	if faults := body.err(); faults != nil {
		return faults
	}
	return err
}

// revokeKey revokes a key at once.
func (s *Server) revokeKey(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	err = s.DB.RevokeKey(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Clé introuvable.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// some reads a required list of at least one text, without duplicates; each must be in
// allowed.
func (o *object) some(name string, allowed []string) (list []string) {
	raw, given := o.fields[name]
	if !given {
		o.faults.missing(o.at(name))
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || items == nil {
		o.faults.add("list_type", o.at(name), raw, "Une liste est attendue.")
		return nil
	}
	for i, item := range items {
		var value string
		switch {
		case json.Unmarshal(item, &value) != nil || !slices.Contains(allowed, value):
			o.faults.choose(append(o.at(name), i), item, allowed)
		case slices.Contains(list, value):
			o.refuse(name, "Une valeur est donnée deux fois.")
		default:
			list = append(list, value)
		}
	}
	if len(items) == 0 {
		o.refuse(name, "Au moins une valeur est attendue.")
	}
	return list
}

// number reads an optional whole number from least to most; it returns otherwise if the
// field is absent.
func (o *object) number(name string, otherwise, least, most int) int {
	raw, given := o.optional(name)
	if !given {
		return otherwise
	}
	n, whole := wholeNumber(raw)
	switch {
	case !whole:
		o.faults.add("int_type", o.at(name), raw, "Un nombre entier est attendu.")
	case n < least:
		o.faults.add("greater_than_equal", o.at(name), raw, "La valeur doit être au moins %d.", least)
	case n > most:
		o.faults.add("less_than_equal", o.at(name), raw, "La valeur doit être au plus %d.", most)
	}
	return n
}
