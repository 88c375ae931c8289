package main

import (
	"context"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/mcp"
	"vigueur/internal/work/queue"
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
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.mcp(c.Context(), db, strings.TrimSuffix(base, "/")) })
		},
	}
	c.Flags().StringVar(&base, "base-url", "http://127.0.0.1:8080", "`ADRESSE` publique de la page, pour les liens")
	return c
}

// mcp serves one client over the program's input and output.
func (a *app) mcp(ctx context.Context, db *postgres.DB, base string) error {
	s := &mcp.Service{DB: db, BaseURL: base, Version: version.Read().Version, Now: time.Now}
	s.Ask = func(ctx context.Context, q mcp.Question) (mcp.Answer, error) { return a.askAsTool(ctx, s, q) }
	return s.Serve(ctx, io.NopCloser(a.in), unclosed{a.out})
}

// askAsTool asks a question for a client, and prints nothing: the output is the client's.
func (a *app) askAsTool(ctx context.Context, s *mcp.Service, asked mcp.Question) (out mcp.Answer, err error) {
	quiet := *a
	quiet.json, quiet.out, quiet.err = true, io.Discard, io.Discard
	t := postgres.Turn{Question: strings.TrimSpace(asked.Question), Filters: asked.Filters()}
	err = quiet.withQueue(ctx, func(db *postgres.DB, q *queue.Client) error {
		m, err := quiet.answer(ctx, db, q, &t)
		if err != nil {
			return err
		}
		if m.State != chat.Done {
			return errs.New(errs.Unavailable, m.Error)
		}
		out = mcp.Answer{Text: m.Content, Abstained: abstained(m), Sources: s.Cited(m.Citations, t.Filters.Date)}
		if m.Validation != nil && m.Validation.Warning != nil {
			out.Warning = *m.Validation.Warning
		}
		return nil
	})
	return out, err
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
