package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Ping checks that a server responds. A server that requires a key or has no list of models
// counts as available; a server that reports an internal error or an overload does not.
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
