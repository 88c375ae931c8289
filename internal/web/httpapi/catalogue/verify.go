package catalogue

import (
	"io"
	"mime/multipart"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// VerifyRoute checks a text; a file is read piece by piece.
const VerifyRoute = transport.Prefix + "/verify"

// verifyText serves POST /verify. It checks the references and the quotations of a text or a file.
// Nothing of it is kept.
func (s *Handlers) verifyText(c *fiber.Ctx, user postgres.User) error {
	if transport.IsForm(c) {
		return s.verifyFile(c, user)
	}
	body := transport.ReadBody(c)
	w := s.readWriting(body)
	w.Text = body.Text("text", 1, verify.MostCharacters)
	if err := body.Err(); err != nil {
		return err
	}
	return s.report(c, user, w, "")
}

// verifyFile checks a file, which is on disk meanwhile.
func (s *Handlers) verifyFile(c *fiber.Ctx, user postgres.User) error {
	leave, err := s.briefs.Enter(user.ID, s.MostUploads, 1)
	if err != nil {
		return err
	}
	defer leave()
	u, discard, err := s.OpenUpload()
	if err != nil {
		return err
	}
	defer discard()
	u.Most, u.Time, u.Full, u.Keep = verify.MostBytes, briefTime, verify.TooLarge, keepBrief
	if err := u.Read(c); err != nil {
		return err
	}
	body := u.Body()
	w := s.readWriting(body)
	if err := body.Err(); err != nil {
		return err
	}
	return s.report(c, user, w, u.Path())
}

// keepBrief writes a file of any kind to disk.
func keepBrief(part *multipart.Part, disk io.Writer) error {
	n, err := io.Copy(disk, io.LimitReader(part, verify.MostBytes+1))
	if err == nil && n > verify.MostBytes {
		return verify.TooLarge()
	}
	return err
}

// readWriting reads the day and the country for which a text is checked.
func (s *Handlers) readWriting(body *form.Object) verify.Writing {
	w := verify.Writing{Country: country.Code(body.Country("pays")), BaseURL: s.Base()}
	w.Day = country.Today(s.Now(), w.Country)
	if day := body.Day("date"); day != nil {
		w.Day = *day
	}
	return w
}

// report checks a text, or that of the file at a path, and responds with the report.
func (s *Handlers) report(c *fiber.Ctx, user postgres.User, w verify.Writing, path string) error {
	ctx, leave := transport.WatchClient(c, verify.Longest)
	defer leave()
	release, err := s.Checks.Take(ctx, user.ID.String(), 1, false)
	if err != nil {
		return err
	}
	defer release()
	if path != "" {
		if w.Text, err = s.ReadFile(ctx, path); errs.Is(err, errs.Unprocessable) {
			var f form.Faults
			f.Add("value_error", []any{"body", "file"}, nil, "%s", errs.Public(err))
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
