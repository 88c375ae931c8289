// Package respond writes what responses have in common: pages of lists, times, files with ranges, and
// entity tags by which clients revalidate them.
package respond

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/form"
)

// Page is a page of a list, with its position in the list.
type Page[T any] struct {
	Items    []T `json:"items"`
	Total    int `json:"total" doc:"Nombre exact de textes trouvés, toutes pages comprises."`
	Page     int `json:"page"`
	PageSize int `json:"page_size"`
}

// NewPage returns a page of a list of total items.
func NewPage[T any](items []T, total, page, size int) Page[T] {
	return Page[T]{items, total, page, size}
}

// ShowAll converts the items of a list by show. The result is never nil, so that an empty list is
// not null in JSON.
func ShowAll[R, T any](list []R, show func(R) T) []T {
	items := make([]T, 0, len(list))
	for _, one := range list {
		items = append(items, show(one))
	}
	return items
}

// Listing is one page of a list that is read by cursor.
type Listing[T any] struct {
	Items      []T     `json:"items"`
	NextBefore *string `json:"next_before" format:"date-time" doc:"Curseur de la page suivante, null après la dernière."`
}

// Numbered is the input of a list by pages.
type Numbered struct {
	Page     int `query:"page" default:"1" minimum:"1" doc:"Numéro de la page."`
	PageSize int `query:"page_size" default:"50" minimum:"1" maximum:"200" doc:"Éléments par page."`
}

// ByPage returns a page of the rows that read returns, converted by show.
func ByPage[R, T any](c *fiber.Ctx, input Numbered, read func(ctx context.Context, page, size int) ([]R, int, error), show func(R) T) (reply Page[T], _ error) {
	rows, total, err := read(c.UserContext(), min(input.Page, form.FarthestPage), input.PageSize)
	if err != nil {
		return reply, err
	}
	return Page[T]{ShowAll(rows, show), total, input.Page, input.PageSize}, nil
}

// All is a list that is read whole.
type All[T any] struct {
	Items []T `json:"items"`
}

// Cursor is the input of a list by cursor.
type Cursor struct {
	Before *time.Time `query:"before" format:"date-time" doc:"Curseur : seulement ce qui précède cet instant. C’est le next_before de la page d’avant. Ce qui n’est pas un instant avec fuseau donne 400."`
	Limit  int        `query:"limit" default:"50" minimum:"1" maximum:"200" doc:"Nombre d’éléments au plus."`
}

// NewListing returns a page of rows, converted by show, with the cursor of the next page.
func NewListing[R, T any](rows []R, next *time.Time, show func(R) T) Listing[T] {
	return Listing[T]{ShowAll(rows, show), MaybeTime(next)}
}

// Same shows rows as they are.
func Same[R any](row R) R { return row }

// ByCursor returns a page by cursor, newest first. read returns at most limit rows from before an instant, newest
// first, and the cursor of the next page, which is nil at the end.
func ByCursor[R, T any](c *fiber.Ctx, input Cursor, read func(ctx context.Context, cursor *time.Time, limit int) ([]R, *time.Time, error), show func(R) T) (page Listing[T], err error) {
	rows, next, err := read(c.UserContext(), input.Before, input.Limit)
	if err != nil {
		return page, err
	}
	return NewListing(rows, next, show), nil
}

// MaybeTime formats a time as ShowTime does; nil stays nil.
func MaybeTime(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(ShowTime(*t))
}

// timeLayout is the format of times: RFC 3339, UTC, microseconds.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// ShowTime formats a time for a response.
func ShowTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ShowDay formats a day as YYYY-MM-DD; nil stays nil.
func ShowDay(day *time.Time) *string {
	return NonEmpty(law.ISODay(day))
}

// NonEmpty returns a pointer to s, nil if s is empty.
func NonEmpty[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}

// NoDocument gives a NotFound error the message for a missing text.
func NoDocument(err error) error {
	return NotFound(err, "Document introuvable.")
}

// NotFound gives an error of the kind NotFound the sentence for people, and returns others
// unchanged.
func NotFound(err error, sentence string) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, sentence, err)
	}
	return err
}

// nameLimit is the maximum length of a file name in code points, without .pdf.
const nameLimit = 120

// Download responds with a file to be saved under its name.
func Download(c *fiber.Ctx, name, ending, kind string, body []byte) error {
	name = fileName(name)
	c.Set(fiber.HeaderContentDisposition,
		fmt.Sprintf(`attachment; filename="%[1]s.%[3]s"; filename*=UTF-8''%[2]s.%[3]s`, ascii(name), percent(name), ending))
	c.Set(fiber.HeaderContentType, kind)
	return c.Send(body)
}

// Disposition names the file after its title (RFC 6266): in ASCII for old clients, and in
// full.
func Disposition(title string) string {
	name := fileName(title)
	return fmt.Sprintf(`inline; filename="%s.pdf"; filename*=UTF-8''%s.pdf`, ascii(name), percent(name))
}

// fileName converts a title to a name that is valid on every system.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, title)
	runes := []rune(strings.Join(strings.Fields(name), " "))
	name = strings.Trim(string(runes[:min(len(runes), nameLimit)]), " .")
	if name == "" {
		return "document"
	}
	return name
}

// ascii replaces what is not ASCII by underscores.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || r == '%' {
			return '_'
		}
		return r
	}, name)
}

// percent encodes a value by RFC 8187.
func percent(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < 0x80 && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// DocxKind is the media type of a Word file.
const DocxKind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// ExportKinds are the media types of a text's export formats.
var ExportKinds = map[string]string{"md": "text/markdown; charset=utf-8", "json": fiber.MIMEApplicationJSON, "akn": "application/akn+xml; charset=utf-8", "docx": DocxKind}
