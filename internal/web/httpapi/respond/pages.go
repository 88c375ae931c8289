// Package respond writes what responses have in common: pages of lists, times, files with ranges, and
// entity tags by which clients revalidate them.
package respond

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

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

// List responds with a page of rows, converted by show.
func List[R, T any](c *fiber.Ctx, rows []R, next *time.Time, show func(R) T) error {
	return c.JSON(Listing[T]{ShowAll(rows, show), MaybeTime(next)})
}

// ListAll responds with rows as they are, and the cursor of the next page.
func ListAll[R any](c *fiber.Ctx, rows []R, next *time.Time) error {
	return List(c, rows, next, func(r R) R { return r })
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
