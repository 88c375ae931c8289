package admin

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// ApiKeyBody is an API key as an administrator sees it, without its secret.
type ApiKeyBody struct {
	postgres.APIKey
	CreatedAt  string  `json:"created_at" format:"date-time"`
	ExpiresAt  string  `json:"expires_at" format:"date-time"`
	LastUsedAt *string `json:"last_used_at" format:"date-time" doc:"Le dernier appel, à la minute."`
	RevokedAt  *string `json:"revoked_at" format:"date-time"`
}

// NewApiKeyBody is a new key with its secret, which is shown only once.
type NewApiKeyBody struct {
	ApiKeyBody
	Key string `json:"key" doc:"La clé, montrée cette seule fois. Les six derniers caractères sont le CRC-32 de ce qui précède, en base 62."`
}

// ShowKey shows an API key without its secret.
func ShowKey(k postgres.APIKey) ApiKeyBody {
	return ApiKeyBody{k, respond.ShowTime(k.CreatedAt), respond.ShowTime(k.ExpiresAt), respond.MaybeTime(k.LastUsedAt), respond.MaybeTime(k.RevokedAt)}
}

// listKeys serves GET /admin/keys. It shows the keys, newest first, by cursor.
func (s *Handlers) listKeys(c *fiber.Ctx, _ postgres.User, input respond.Cursor) (reply respond.Listing[ApiKeyBody], _ error) {
	return respond.ByCursor(c, input, s.DB.Keys, ShowKey)
}

type apiKeyInput struct {
	Name      string    `json:"name" minLength:"1" maxLength:"100" format:"title"`
	Owner     uuid.UUID `json:"user_id"`
	Scopes    []string  `json:"scopes" enum:"chat,documents,ingest,mcp" minItems:"1" uniqueItems:"true"`
	PerMinute int       `json:"per_minute,omitempty" default:"60" minimum:"1" maximum:"6000"`
	PerDay    int       `json:"per_day,omitempty" default:"10000" minimum:"1" maximum:"10000000"`
	Days      int       `json:"expires_in_days,omitempty" default:"365" minimum:"1" maximum:"1830"`
}

// createKey serves POST /admin/keys. It creates a key for an account and shows its secret, which
// is never shown again.
func (s *Handlers) createKey(c *fiber.Ctx, _ postgres.User, input apiKeyInput) (reply NewApiKeyBody, _ error) {
	k := postgres.APIKey{ID: postgres.NewID(), Name: input.Name, Owner: input.Owner, Scopes: input.Scopes, PerMinute: input.PerMinute, PerDay: input.PerDay,
		ExpiresAt: s.Now().AddDate(0, 0, input.Days)}
	var key string
	var hash []byte
	key, k.Prefix, hash = auth.NewKey()
	made, err := s.DB.CreateKey(c.UserContext(), k, hash)
	switch {
	case errors.Is(err, postgres.ErrNoOwner):
		return reply, form.Refused("user_id", input.Owner, errs.Public(err))
	case errors.Is(err, postgres.ErrOwnerRole):
		return reply, form.Refused("scopes", input.Scopes, errs.Public(err))
	case err != nil:
		return reply, err
	}
	return NewApiKeyBody{ShowKey(made), key}, nil
}

// revokeKey serves DELETE /admin/keys/:id. It revokes a key at once.
func (s *Handlers) revokeKey(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.RevokeKey(c.UserContext(), input.ID), "Clé introuvable.")
}
