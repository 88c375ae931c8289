package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"os"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
)

// verifyRoute checks a text; a file is read piece by piece.
const verifyRoute = prefix + "/verify"

// isForm reports whether the body of a request is a form.
func isForm(c *fiber.Ctx) bool {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return err == nil && kind == fiber.MIMEMultipartForm
}

// verifyText checks the references and the quotations of a text or a file. Nothing of it is kept.
func (s *Server) verifyText(c *fiber.Ctx, user postgres.User) error {
	if isForm(c) {
		return s.verifyFile(c, user)
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	w := s.readWriting(body)
	w.Text = body.text("text", 1, verify.MostCharacters)
	if err := body.err(); err != nil {
		return err
	}
	return s.report(c, user, w, "")
}

// verifyFile checks a file, which is on disk meanwhile.
func (s *Server) verifyFile(c *fiber.Ctx, user postgres.User) error {
	leave, err := s.briefs.enter(user.ID, s.Uploads, 1)
	if err != nil {
		return err
	}
	defer leave()
	aside, err := os.CreateTemp("", "vigueur-verify-*")
	if err != nil {
		return errs.Wrap(errs.Unavailable, "", err)
	}
	defer func() {
		if err := errors.Join(aside.Close(), os.Remove(aside.Name())); err != nil {
			s.Log.Warn("verify: a temporary file is left behind", "error", err)
		}
	}()
	u := &upload{fields: map[string]json.RawMessage{}, aside: aside, most: verify.MostBytes, time: briefTime, full: verify.TooLarge}
	u.keep = u.takeAny
	if err := u.read(c); err != nil {
		return err
	}
	var f faults
	body := &object{fields: u.fields, loc: []any{"body"}, faults: &f}
	if !u.given {
		f.missing(body.at("file"))
	}
	w := s.readWriting(body)
	if err := body.err(); err != nil {
		return err
	}
	return s.report(c, user, w, aside.Name())
}

// takeAny writes a file of any kind to disk.
func (u *upload) takeAny(part *multipart.Part) error {
	n, err := io.Copy(disk{u.aside}, io.LimitReader(part, verify.MostBytes+1))
	if err == nil && n > verify.MostBytes {
		return verify.TooLarge()
	}
	return err
}

// readWriting reads the day and the country for which a text is checked.
func (s *Server) readWriting(body *object) verify.Writing {
	w := verify.Writing{Country: country.Code(body.country("pays")), BaseURL: strings.TrimRight(s.BaseURL, "/")}
	w.Day = country.Today(s.Now(), w.Country)
	if day := body.day("date"); day != nil {
		w.Day = *day
	}
	return w
}

// report checks a text, or that of the file at a path, and responds with the report.
func (s *Server) report(c *fiber.Ctx, user postgres.User, w verify.Writing, path string) error {
	ctx, leave := attended(c, verify.Longest)
	defer leave()
	release, err := s.checks.take(ctx, user.ID.String(), 1, false)
	if err != nil {
		return err
	}
	defer release()
	if path != "" {
		if w.Text, err = s.ReadFile(ctx, path); errs.Is(err, errs.Unprocessable) {
			var f faults
			f.add("value_error", []any{"body", "file"}, nil, "%s", errs.Public(err))
			return f
		}
		if err != nil {
			return err
		}
	}
	r, err := verify.Check(ctx, s.DB, w)
	if err != nil {
		return err
	}
	return c.JSON(r)
}
