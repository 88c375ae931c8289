package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// modelsLimit is the maximum size of a list of models, in bytes.
const modelsLimit = 4 << 20

// Listed is a model in a server's list.
type Listed struct {
	Name   string
	Window int // context window in tokens; 0: the server does not report it
}

// ListModels lists the server's models. ok is false if the server has no such list; if it
// refuses the key, the error is one that Rejected recognizes.
func (c *Client) ListModels(ctx context.Context) (models []Listed, ok bool, err error) {
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
			ID  string `json:"id"`
			Max int    `json:"max_model_len"` // vLLM
			Own struct {
				Context int `json:"n_ctx"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(got.Body, modelsLimit)).Decode(&list); err != nil || list.Data == nil {
		return nil, false, nil //nolint:nilerr // another kind of server, without a list
	}
	for _, m := range list.Data {
		models = append(models, Listed{Name: m.ID, Window: max(m.Max, m.Own.Context, 0)})
	}
	return models, true, nil
}

// Rejected reports whether a server refused the key.
func Rejected(err error) bool {
	r, ok := err.(*refusal) //nolint:errorlint // Listed returns it unwrapped
	return ok && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden)
}
