package account

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// A program on a machine without the browser of its user signs in by a code that it shows and the user
// confirms on the page (the device flow of RFC 8628, in this interface's own form).

const (
	deviceLife  = 10 * time.Minute // that a program waits
	devicePause = 3 * time.Second  // between two questions of a program
	devicePage  = "/appareil?code="
	deviceName  = 100 // code points
	// codeLetters cannot be taken for each other and form no words (RFC 8628, 6.1); codeLength of them are
	// 2^34 codes.
	codeLetters = "BCDFGHJKLMNPQRSTVWXZ"
	codeLength  = 8
)

// DeviceBody is what a program tells its user, and the secret by which it asks for its session.
type DeviceBody struct {
	Secret   string `json:"secret"`
	Code     string `json:"code"`
	Address  string `json:"address"`
	Expires  int    `json:"expires_in"` // seconds
	Interval int    `json:"interval"`   // seconds between two questions
}

// beginDevice serves POST /auth/devices. It makes the code of a program that wants to sign in.
func (s *Handlers) beginDevice(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	d := postgres.DeviceSignIn{Name: body.Text("name", 1, deviceName), Code: newCode(), Expires: s.Now().Add(deviceLife)}
	if err := body.Err(); err != nil {
		return err
	}
	d.Name = strings.Map(printable, d.Name)
	var secret string
	secret, d.Hash = sealed.NewToken()
	if err := s.countRequest(c, "device", "", func() error { return s.DB.CreateDeviceSignIn(c.UserContext(), d) }); err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(DeviceBody{secret, d.Code, s.Base() + devicePage + d.Code, int(deviceLife / time.Second), int(devicePause / time.Second)})
}

// newCode returns a random code, with a hyphen in the middle.
func newCode() string {
	b := make([]byte, 0, codeLength+1)
	for one := make([]byte, 1); len(b) < codeLength+1; {
		if len(b) == codeLength/2 {
			b = append(b, '-')
		}
		_, _ = rand.Read(one) // never fails
		if n := int(one[0]); n < 256/len(codeLetters)*len(codeLetters) {
			b = append(b, codeLetters[n%len(codeLetters)])
		}
	}
	return string(b)
}

// deviceBody is a program that waits, as its user sees it.
type deviceBody struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
}

// noDevice is the message for a code of which nothing is known.
const noDevice = "Ce code est inconnu, a déjà servi ou a expiré. Relancez la connexion sur l’autre machine : elle en montre un nouveau."

// showDevice serves GET /auth/devices/:code. It shows the program that shows a code.
func (s *Handlers) showDevice(c *fiber.Ctx, _ postgres.User) error {
	d, err := s.DB.DeviceSignIn(c.UserContext(), typedCode(c))
	if err != nil {
		return respond.NotFound(err, noDevice)
	}
	return c.JSON(deviceBody{d.Name, respond.ShowTime(d.CreatedAt)})
}

// typedCode is the code of the path, as people type it.
func typedCode(c *fiber.Ctx) string {
	code := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(c.Params("code")))
	if len(code) != codeLength {
		return ""
	}
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}

// answerDevice serves POST /auth/devices/:code. It allows a program to sign in as the caller, or forbids it.
func (s *Handlers) answerDevice(c *fiber.Ctx, user postgres.User) error {
	body := transport.ReadBody(c)
	allowed := body.MustFlag("allowed")
	if err := body.Err(); err != nil {
		return err
	}
	return respond.NoContent(c, respond.NotFound(s.DB.AnswerDeviceSignIn(c.UserContext(), typedCode(c), user.ID, allowed), noDevice))
}

// takeDevice serves POST /auth/device-sessions. It gives a program its session once its user has allowed
// that, and responds with 202 as long as nobody has answered.
func (s *Handlers) takeDevice(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	secret := body.Secret("secret", 1, form.TokenLimit)
	if err := body.Err(); err != nil {
		return err
	}
	id, allowed, err := s.DB.TakeDeviceSignIn(c.UserContext(), sealed.HashToken(secret))
	if err != nil {
		return respond.NotFound(err, "Le délai pour confirmer la connexion est passé. Recommencez.")
	}
	if allowed == nil {
		return c.Status(fiber.StatusAccepted).JSON(struct {
			Interval int `json:"interval"`
		}{int(devicePause / time.Second)})
	}
	if !*allowed {
		return errs.New(errs.Forbidden, "La connexion a été refusée sur la page.")
	}
	user, err := s.DB.UserByID(c.UserContext(), id)
	if err != nil {
		return NameAccount(err)
	}
	if !user.Active {
		return errs.New(errs.Forbidden, "Ce compte est fermé.")
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	return s.beginSession(c, user, false)
}
