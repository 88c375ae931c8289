package admin

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// KeyBody is an API key as an administrator sees it, without its secret.
type KeyBody struct {
	postgres.APIKey
	CreatedAt  string  `json:"created_at"`
	ExpiresAt  string  `json:"expires_at"`
	LastUsedAt *string `json:"last_used_at"`
	RevokedAt  *string `json:"revoked_at"`
}

// NewKeyBody is a new key with its secret, which is shown only once.
type NewKeyBody struct {
	KeyBody
	Key string `json:"key"`
}

// ShowKey shows an API key without its secret.
func ShowKey(k postgres.APIKey) KeyBody {
	return KeyBody{k, respond.ShowTime(k.CreatedAt), respond.ShowTime(k.ExpiresAt), respond.MaybeTime(k.LastUsedAt), respond.MaybeTime(k.RevokedAt)}
}

// listKeys serves GET /admin/keys. It shows the keys, newest first, by cursor.
func (s *Handlers) listKeys(c *fiber.Ctx, _ postgres.User) error {
	return respond.ListByCursor(c, s.DB.Keys, ShowKey)
}

// createKey serves POST /admin/keys. It creates a key for an account and shows its secret, which
// is never shown again.
func (s *Handlers) createKey(c *fiber.Ctx, _ postgres.User) error {
	body := transport.ReadBody(c)
	k := postgres.APIKey{
		ID:        postgres.NewID(),
		Name:      body.Text("name", 1, postgres.KeyName),
		Owner:     body.MustID("user_id"),
		Scopes:    body.Some("scopes", postgres.KeyScopes()),
		PerMinute: body.Number("per_minute", postgres.KeyPerMinute, 1, postgres.KeyPerMinuteMost),
		PerDay:    body.Number("per_day", postgres.KeyPerDay, 1, postgres.KeyPerDayMost),
	}
	days := body.Number("expires_in_days", postgres.KeyDays, 1, postgres.KeyDaysMost)
	if err := body.Err(); err != nil {
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
	return c.Status(fiber.StatusCreated).JSON(NewKeyBody{ShowKey(made), key})
}

// keyFault converts an error about a key's owner to a fault of the field.
func keyFault(body *form.Object, err error) error {
	for field, cause := range map[string]error{"user_id": postgres.ErrNoOwner, "scopes": postgres.ErrOwnerRole} {
		if errors.Is(err, cause) {
			body.Refuse(field, errs.Public(err))
		}
	}
	if faults := body.Err(); faults != nil {
		return faults
	}
	return err
}

// revokeKey serves DELETE /admin/keys/:id. It revokes a key at once.
func (s *Handlers) revokeKey(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.RevokeKey(c.UserContext(), id), "Clé introuvable."))
}
