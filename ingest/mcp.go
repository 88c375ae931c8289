package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/mcp"
)

// mcp runs « mcp ».
func (a *app) mcp(ctx context.Context, in *input) error {
	base := in.text("base-url")
	if u, err := url.Parse(base); base != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return usage("--base-url attend une adresse comme https://droit.exemple.org, pas « %s ».", terminal.Line(base))
	}
	return a.withAsking(ctx, strings.TrimSuffix(base, "/"), func(s *server) error {
		return mcp.Forward(ctx, a.in, a.out, s.exchange)
	})
}

// exchange sends a message of the Model Context Protocol and returns the reply, empty if there is none.
func (s *server) exchange(ctx context.Context, version string, message []byte) (reply []byte, err error) {
	r, err := s.RequestTo(ctx, http.MethodPost, "/mcp", nil, json.RawMessage(message))
	if err != nil {
		return nil, err
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	var raw json.RawMessage
	err = s.Receive(r, &raw)
	return raw, err
}
