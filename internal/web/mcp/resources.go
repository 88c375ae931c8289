package mcp

import (
	"context"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/export"
)

// scheme begins the addresses of resources.
const scheme = "vigueur://textes/"

// addResources adds texts and articles as resources with permanent addresses.
func (s *Service) addResources(server *sdk.Server) {
	for _, t := range []*sdk.ResourceTemplate{
		{Name: "texte", Title: "Un texte entier, en Markdown", URITemplate: scheme + "{document_id}", MIMEType: "text/markdown"},
		{Name: "article", Title: "Un article, tel qu’il est imprimé", URITemplate: scheme + "{document_id}/articles/{article_id}", MIMEType: "text/plain"},
	} {
		server.AddResourceTemplate(t, s.read)
	}
}

// read returns a text or an article.
func (s *Service) read(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	uri := r.Params.URI
	document, article, one := strings.Cut(strings.TrimPrefix(uri, scheme), "/articles/")
	id, err := uuid.Parse(document)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	contents := &sdk.ResourceContents{URI: uri, MIMEType: "text/plain"}
	if one {
		var within uuid.UUID
		if within, err = uuid.Parse(article); err != nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		contents.Text, err = s.articleText(ctx, id, within)
	} else {
		contents.MIMEType = "text/markdown"
		contents.Text, err = s.markdown(ctx, id)
	}
	if errs.Is(err, errs.NotFound) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, errs.New(errs.KindOf(err), errs.Public(err)) // without internals
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
}

func (s *Service) articleText(ctx context.Context, document, article uuid.UUID) (string, error) {
	a, err := s.DB.ReadArticle(ctx, document, article)
	return a.Text, err
}

// markdown returns a text of the catalogue; one in review must not be exported.
func (s *Service) markdown(ctx context.Context, id uuid.UUID) (string, error) {
	if _, err := s.DB.Document(ctx, id); err != nil {
		return "", err
	}
	t, err := s.DB.ExportedText(ctx, id, nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = export.Markdown(&out, t)
	return out.String(), err
}
