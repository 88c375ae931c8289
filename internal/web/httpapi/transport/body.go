package transport

import (
	"mime"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/form"
)

// ReadBody reads the JSON object in the request's body. If there is none, the error of the result is TooLarge,
// Unsupported, or the faults of a body that is not a JSON object, or has too many values.
func ReadBody(c *fiber.Ctx) *form.Object {
	body, err := ReadJSON(c)
	if err != nil {
		return form.Unread(err)
	}
	var f form.Faults
	if o := form.ParseObject(body, &f); o != nil {
		return o
	}
	return form.Unread(f)
}

// ReadJSON returns the bytes of a JSON body of at most mostValues values.
func ReadJSON(c *fiber.Ctx) ([]byte, error) {
	if c.Request().Header.ContentLength() > BodyLimit {
		return nil, fiber.ErrRequestEntityTooLarge
	}
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return nil, errs.New(errs.Unsupported, "Le corps de la requête doit être du JSON (Content-Type: application/json).")
	}
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return nil, errs.New(errs.Unsupported, "Le corps de la requête ne doit pas être compressé.")
	}
	if err := Gather(c); err != nil {
		return nil, err
	}
	body := c.Request().Body()
	if !hasFewValues(body) {
		var f form.Faults
		f.Add("value_error", []any{"body"}, nil, "Le corps de la requête a plus de %d valeurs.", mostValues)
		return nil, f
	}
	return body, nil
}

// hasFewValues reports whether JSON has at most mostValues values: a comma or an opening bracket
// outside of strings comes before each but the first.
func hasFewValues(body []byte) bool {
	values, inside := 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inside = !inside
		case inside && c == '\\':
			i++
		case !inside && (c == ',' || c == '{' || c == '['):
			if values++; values > mostValues {
				return false
			}
		}
	}
	return true
}
