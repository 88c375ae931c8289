package client

import (
	"context"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"vigueur/internal/web/httpapi/gazettes"
)

// pageMost is the largest page of a list that the API gives.
const pageMost = 200

// numberedMost is the largest numbered page that every such list of the API gives.
const numberedMost = 100

// ListAll returns every item of a list of the API.
func ListAll[T any](ctx context.Context, c *Client, path string, query url.Values) ([]T, error) {
	all, _, err := ListUpTo[T](ctx, c, path, query, math.MaxInt)
	return all, err
}

// ListUpTo returns the first items of a list of the API, at most most, and whether there may be more.
func ListUpTo[T any](ctx context.Context, c *Client, path string, query url.Values, most int) (all []T, more bool, err error) {
	q := url.Values{}
	maps.Copy(q, query)
	for all = []T{}; len(all) < most; {
		var page struct {
			Items []T     `json:"items"`
			Next  *string `json:"next_before"`
		}
		q.Set("limit", strconv.Itoa(min(pageMost, most-len(all))))
		if err := c.Call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
			return nil, false, err
		}
		all = append(all, page.Items...)
		if page.Next == nil {
			return all, false, nil
		}
		q.Set("before", *page.Next)
	}
	return all[:min(len(all), most)], true, nil // items of one moment come together
}

// Numbered returns the first items of a list of the API that has numbered pages, at most most, and the number of all.
func Numbered[T any](ctx context.Context, c *Client, path string, query url.Values, most int) (all []T, total int, err error) {
	size := min(numberedMost, most)
	for all = []T{}; len(all) < most; {
		var page struct {
			Items []T `json:"items"`
			Total int `json:"total"`
		}
		q := url.Values{}
		maps.Copy(q, query)
		q.Set("page", strconv.Itoa(len(all)/size+1))
		q.Set("page_size", strconv.Itoa(size))
		if err := c.Call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
			return nil, 0, err
		}
		all, total = append(all, page.Items...), page.Total
		if len(page.Items) < size {
			break
		}
	}
	return all[:min(len(all), most)], total, nil
}

// Whole returns a list of the API that comes whole.
func Whole[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	var list struct {
		Items []T `json:"items"`
	}
	err := c.Call(ctx, http.MethodGet, path, nil, nil, &list)
	return list.Items, err
}

// FileOf returns the file with these bytes, nil if there is none.
func (c *Client) FileOf(ctx context.Context, sha string) (*gazettes.IngestionBody, error) {
	list, err := ListAll[gazettes.IngestionBody](ctx, c, "/admin/ingestions", url.Values{"sha256": {sha}})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
