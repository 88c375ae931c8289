package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// modelsLimit is the longest list of models that is read, in bytes.
const modelsLimit = 4 << 20

// Names lists the models that the server says it has. A server that has no such list
// gives ok false; one that refuses the key an error that Rejected knows.
func (c *Client) Names(ctx context.Context) (names []string, ok bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.URL, "/")+"/models", http.NoBody)
	if err != nil {
		return nil, false, err
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	got, err := c.http().Do(request)
	if err != nil {
		return nil, false, err
	}
	defer got.Body.Close()
	switch {
	case got.StatusCode == http.StatusUnauthorized || got.StatusCode == http.StatusForbidden:
		return nil, false, &refusal{status: got.StatusCode}
	case got.StatusCode >= http.StatusInternalServerError:
		return nil, false, fmt.Errorf("openai: the server answers with status %d", got.StatusCode)
	case got.StatusCode != http.StatusOK:
		return nil, false, nil
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(got.Body, modelsLimit)).Decode(&list); err != nil || list.Data == nil {
		return nil, false, nil //nolint:nilerr // a server of another kind: it has no list
	}
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, true, nil
}

// Rejected tells whether a server answered that it does not take the key.
func Rejected(err error) bool {
	r, ok := err.(*refusal) //nolint:errorlint // Names gives it bare
	return ok && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden)
}
