package catalogue

import (
	"io"
	"mime/multipart"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// VerifyRoute checks a text; a file is read piece by piece.
const VerifyRoute = transport.Prefix + "/verify"

// WritingInput is the day and the country for which a text is checked.
type WritingInput struct {
	Country string     `json:"pays,omitempty" format:"country"`
	Day     *time.Time `json:"date,omitempty" format:"date" doc:"Le jour dont le droit vaut ; sans lui, aujourd’hui."`
}

type verifyInput struct {
	WritingInput
	Text string `json:"text" minLength:"1" maxLength:"500000"`
}

// verifyForm is the form of a file that is checked.
type verifyForm struct {
	WritingInput
	File string `json:"file" format:"binary"`
}

// verifyText serves POST /verify. It checks the references and the quotations of a text or a file.
// Nothing of it is kept.
func (s *Handlers) verifyText(c *fiber.Ctx, user postgres.User) (reply verify.Report, _ error) {
	if transport.IsForm(c) {
		return s.verifyFile(c, user)
	}
	var input verifyInput
	if err := contract.Read(c, &input); err != nil {
		return reply, err
	}
	w := s.writing(input.WritingInput)
	w.Text = input.Text
	return s.report(c, user, w, "")
}

// verifyFile checks a file, which is on disk meanwhile.
func (s *Handlers) verifyFile(c *fiber.Ctx, user postgres.User) (reply verify.Report, _ error) {
	leave, err := s.briefs.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Most: s.MostUploads, Each: 1})
	if err != nil {
		return reply, err
	}
	defer leave()
	u, discard, err := s.OpenUpload()
	if err != nil {
		return reply, err
	}
	defer discard()
	u.Most, u.Time, u.Full, u.Keep = verify.MostBytes, briefTime, verify.TooLarge, keepBrief
	if err := u.Read(c); err != nil {
		return reply, err
	}
	var input WritingInput
	if err := u.ReadFields(c, &input); err != nil {
		return reply, err
	}
	return s.report(c, user, s.writing(input), u.Path())
}

// keepBrief writes a file of any kind to disk.
func keepBrief(part *multipart.Part, disk io.Writer) error {
	n, err := io.Copy(disk, io.LimitReader(part, verify.MostBytes+1))
	if err == nil && n > verify.MostBytes {
		return verify.TooLarge()
	}
	return err
}

// writing is what is checked, without its text.
func (s *Handlers) writing(input WritingInput) verify.Writing {
	w := verify.Writing{Country: country.Code(input.Country), BaseURL: s.Base()}
	if w.Day = country.Today(s.Now(), w.Country); input.Day != nil {
		w.Day = *input.Day
	}
	return w
}

// report checks a text, or that of the file at a path, and responds with the report.
func (s *Handlers) report(c *fiber.Ctx, user postgres.User, w verify.Writing, path string) (reply verify.Report, _ error) {
	ctx, leave := transport.WatchClient(c, verify.Longest)
	defer leave()
	release, err := s.Checks.Take(ctx, transport.Turn{Who: user.ID.String(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
	if err != nil {
		return reply, err
	}
	defer release()
	if path != "" {
		if w.Text, err = s.ReadFile(ctx, path); errs.Is(err, errs.Unprocessable) {
			var f form.Faults
			f.Add("value_error", []any{"body", "file"}, nil, "%s", errs.Public(err))
			return reply, f
		}
		if err != nil {
			return reply, err
		}
	}
	return verify.Check(ctx, s.DB, w)
}
