package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/web/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	var base string
	c := &cobra.Command{
		Use: "mcp", Short: "Ouvre le catalogue à un assistant, par le Model Context Protocol", Args: takes(0, 0, ""),
		Long: "Sert un assistant de cette machine par le Model Context Protocol : il cherche, lit, vérifie des citations et pose\n" +
			"des questions. L’assistant lance lui-même cette commande ; elle lit ses messages à l’entrée, répond à la sortie,\n" +
			"et finit avec lui. docs/mcp.md dit comment le lui déclarer.",
		RunE: func(c *cobra.Command, _ []string) error {
			if u, err := url.Parse(base); base != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
				return usage("--base-url attend une adresse comme https://droit.exemple.org, pas « %s ».", cleanLine(base))
			}
			return a.withAsking(c.Context(), strings.TrimSuffix(base, "/"), func(s *server) error {
				return mcp.Forward(c.Context(), a.in, a.out, s.exchange)
			})
		},
	}
	c.Flags().StringVar(&base, "base-url", "http://127.0.0.1:8080", "`ADRESSE` publique de la page, pour les liens ; un serveur (--profile) connaît la sienne")
	return c
}

// exchange sends a message of the Model Context Protocol and returns the reply, empty if there is none.
func (s *server) exchange(ctx context.Context, version string, message []byte) (reply []byte, err error) {
	r, err := s.requestTo(ctx, http.MethodPost, "/mcp", nil, json.RawMessage(message))
	if err != nil {
		return nil, err
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	var raw json.RawMessage
	err = s.receive(r, &raw)
	return raw, err
}
