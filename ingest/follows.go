package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/alerts"
)

// followAdd runs « follow add ».
func (a *app) followAdd(ctx context.Context, in *input) error {
	text, article := in.text("text"), in.text("article")
	scope := map[string]any{"kind": postgres.FollowScope}
	for name, option := range map[string]string{"q": "search", "doc_type": "type", "domaine": "domaine", "pays": "pays"} {
		if value := strings.TrimSpace(in.text(option)); value != "" {
			scope[name] = value
		}
	}
	if scope["q"] != nil {
		scope["kind"] = postgres.FollowSearch
	}
	switch {
	case text != "" && len(scope) > 1:
		return usage("--text ne va avec aucune autre option que --owner et --article.")
	case text == "" && article != "":
		return usage("--article ne va qu’avec --text.")
	case text == "" && len(scope) == 1:
		return usage("Il manque ce qui est à suivre : --text, --search, --domaine, --pays ou --type.")
	}
	return a.withServer(ctx, func(s *server) error {
		of, err := s.account(ctx, in.text("owner"))
		if err == nil && text != "" {
			scope, err = followed(ctx, s, text, article)
		}
		if err != nil {
			return err
		}
		var kept alerts.FollowBody
		if err := s.Call(ctx, http.MethodPost, "/admin/users/"+of.ID.String()+"/follows", nil, scope, &kept); err != nil {
			return err
		}
		return a.said(kept, "%s suit : %s", of.Email, terminal.Line(kept.Label))
	})
}

// followed returns the text, or the article of it, that is to be followed, as the API takes it.
func followed(ctx context.Context, s *server, text, number string) (map[string]any, error) {
	id, err := s.find(ctx, texts, text)
	if err != nil || number == "" {
		return map[string]any{"kind": postgres.FollowText, "document_id": id}, err
	}
	article, err := uuid.Parse(number)
	if err != nil {
		if article, err = articleNumbered(ctx, s, id, number); err != nil {
			return nil, err
		}
	}
	return map[string]any{"kind": postgres.FollowArticle, "document_id": id, "article_id": article}, nil
}
