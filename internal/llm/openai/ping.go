package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Ping tells whether a server answers. What it answers says no more: a server
// that wants a key, or has no list of models, is there all the same; one that
// says that it is broken or overloaded is not.
func (c *Client) Ping(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.URL, "/")+"/models", http.NoBody)
	if err != nil {
		return err
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	got, err := c.http().Do(request)
	if err != nil {
		return err
	}
	if err := got.Body.Close(); err != nil {
		return err
	}
	if got.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("openai: the server answers with status %d", got.StatusCode)
	}
	return nil
}
