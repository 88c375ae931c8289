package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/ops/observe"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	chatapi "vigueur/internal/web/httpapi/conversations"
)

// operator is the address of the account to which this machine's questions belong. The account is closed and
// its password hash is invalid, so nobody can sign in to it.
const operator = "operateur@localhost"

// askQuestion runs « ask ».
func (a *app) askQuestion(ctx context.Context, in *input) error {
	filters := map[string]string{}
	for name, option := range map[string]string{"date": "date", "domaine": "domaine", "pays": "pays", "doc_type": "type", "statut": "statut"} {
		if value := in.text(option); value != "" {
			filters[name] = value
		}
	}
	asked := question{Question: in.args[0], Filters: filters, Model: in.text("model")}
	return a.withAsking(ctx, "", func(s *server) error { return a.ask(ctx, s, asked, in.has("explain")) })
}

// question is a question as the API takes it.
type question struct {
	Question string            `json:"question"`
	Filters  map[string]string `json:"filters,omitempty"`
	Model    string            `json:"model,omitempty"`
}

// withAsking does what withServer does, for questions and texts that are checked as well. base is the address for links
// on this machine.
func (a *app) withAsking(ctx context.Context, base string, f func(s *server) error) error {
	return a.within(ctx, f, func(api *httpapi.Server, c config.Ingest) (user postgres.User, err error) {
		api.Models, api.BaseURL, api.ReadFile = chatapi.ModelsOf(c.Names), base, verify.Files{}.Read
		log := slog.New(slog.DiscardHandler) // important failures are reported in French
		if c.LogLevel == "debug" {
			log = observe.Logger(a.err, "ingest", c.LogLevel)
		}
		if api.Relay, err = relay.Open(c.RedisURL, log); err != nil {
			return user, err
		}
		return operatorOf(ctx, api.DB)
	})
}

// operatorOf returns the account of this machine's questions. It creates the account when it is first needed.
func operatorOf(ctx context.Context, db *postgres.DB) (postgres.User, error) {
	u, err := db.UserByEmail(ctx, operator)
	if !errs.Is(err, errs.NotFound) {
		return u, err
	}
	u = postgres.User{ID: postgres.NewID(), Email: operator, FullName: "Opérateur (ingest ask)", Role: "user", PasswordHash: ""}
	if err := db.CreateUser(ctx, u); err != nil && !errs.Is(err, errs.Conflict) {
		return u, fmt.Errorf("create %s: %w", operator, err)
	}
	return db.UserByEmail(ctx, operator) // a concurrent command may have created it
}

// ask asks a question and prints the answer while it is written.
func (a *app) ask(ctx context.Context, s *server, q question, explain bool) error {
	if s.ready != nil {
		if err := s.ready(ctx); err != nil {
			return err
		}
	}
	if err := s.checkDomain(ctx, q.Filters["domaine"]); err != nil {
		return err
	}
	q.Question = strings.TrimSpace(q.Question)
	l := &listening{app: a, server: s, asked: q, once: uuid.NewString()}
	if err := l.listen(ctx); err != nil {
		return err
	}
	out := l.answered()
	if explain {
		var told admin.ExplanationBody
		err := s.Call(ctx, http.MethodGet, "/admin/answers/"+l.message+"/why", nil, nil, &told)
		if err != nil && !errs.Is(err, errs.NotFound) { // a failed answer has none
			return err
		}
		if err == nil {
			out.Why = &told.Why
		}
	}
	if a.json {
		if err := writeJSON(a.out, out); err != nil {
			return err
		}
	} else if err := a.printSources(out); err != nil {
		return err
	}
	if out.State != chat.Done {
		if !a.json {
			fmt.Fprintln(a.always, out.Error)
		}
		return quiet{exitFailed}
	}
	if a.json || out.Why == nil {
		return nil
	}
	return writeJSON(a.out, out.Why)
}

// checkDomain rejects an unknown domain and lists the existing ones: the API answers that nothing is found in it.
func (s *server) checkDomain(ctx context.Context, code string) error {
	if code == "" {
		return nil
	}
	var list []catalogue.DomainBody
	if err := s.Call(ctx, http.MethodGet, "/domaines", nil, nil, &list); err != nil {
		return err
	}
	codes := make([]string, len(list))
	for i, d := range list {
		codes[i] = d.Code
	}
	if !slices.Contains(codes, code) {
		return usage("--domaine ne peut pas valoir « %s » : %s.", terminal.Line(code), strings.Join(codes, ", "))
	}
	return nil
}
