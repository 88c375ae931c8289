package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
	"vigueur/internal/web/httpapi/transport"
)

// Client calls the API of a server.
type Client struct {
	Base string // without a slash at the end
	HTTP *http.Client
	// Bearer returns the token for a request; nil: none is needed.
	Bearer func(ctx context.Context) (string, error)
	// Name returns what messages call a field of the API; nil: its name.
	Name func(field string) string
	// Fault returns what the server logged of its last failure; nil for another machine.
	Fault func() string
}

// answerMost is the maximum size of a response that is not a file, in bytes.
const answerMost = 64 << 20

// Call sends a request of the API, with in as JSON unless it is nil, and decodes the response into out
// unless that is nil. A refusal is an error of its kind with the sentence of the API.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, in, out any) error {
	if c.Bearer != nil { // a person may sign in meanwhile, which takes longer than a request
		if _, err := c.Bearer(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := c.Request(ctx, method, path, query, in)
	if err != nil {
		return err
	}
	return c.Receive(r, out)
}

// Receive sends a request and decodes the response into out unless that is nil.
func (c *Client) Receive(r *http.Request, out any) error {
	r.Header.Set("Accept", "application/json")
	response, err := c.Send(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost+1))
	switch {
	case err != nil:
		return c.Away(r.Context(), err)
	case len(raw) > answerMost:
		return errs.Newf(errs.Unavailable, "La réponse de %s dépasse %d Mo.", c.Base, answerMost>>20)
	case out == nil || response.StatusCode == http.StatusNoContent || len(raw) == 0 && response.StatusCode == http.StatusAccepted:
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return c.foreign(response, raw)
	}
	return nil
}

// Request returns a request of the API, with in as JSON unless it is nil.
func (c *Client) Request(ctx context.Context, method, path string, query url.Values, in any) (*http.Request, error) {
	return c.RequestTo(ctx, method, transport.Prefix+path, query, in)
}

// RequestTo returns a request of any route, with in as JSON unless it is nil.
func (c *Client) RequestTo(ctx context.Context, method, path string, query url.Values, in any) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	address := c.Base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err == nil && in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

// Send sends a request with the token. A response with another status than 2xx is an error.
func (c *Client) Send(r *http.Request) (*http.Response, error) {
	if c.Bearer != nil {
		token, err := c.Bearer(r.Context())
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.HTTP.Do(r) //nolint:gosec // the operator names the server
	if err != nil {
		return nil, c.Away(r.Context(), err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost))
	if err != nil {
		return nil, c.Away(r.Context(), err)
	}
	return nil, c.refused(response, raw)
}

// Bytes returns the file that a route of the API responds with.
func (c *Client) Bytes(ctx context.Context, path string, query url.Values) ([]byte, error) {
	r, err := c.Request(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.Send(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, c.Away(ctx, err)
	}
	return all, nil
}

// At returns the API at an address, without a token. It follows no redirect, which could take the token elsewhere. next
// sends requests; nil: the default.
func At(address string, next http.RoundTripper) *Client {
	return &Client{Base: address, HTTP: &http.Client{Transport: agent{next}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// agent names this program and this machine to servers, which show them in the list of sessions.
type agent struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (g agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", fmt.Sprintf("ingest/%s (%s)", version.Read().Version, HostName()))
	return cmp.Or[http.RoundTripper](g.next, http.DefaultTransport).RoundTrip(r)
}

// HostName returns the name of this machine, as far as it may stand in a header.
func HostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == '(' || r == ')' }) {
		return "machine sans nom"
	}
	return name
}
