package mcp

import (
	"context"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/quote"
)

type verdict struct {
	Source
	Verdict     quote.Verdict      `json:"verdict"`
	Words       string             `json:"words,omitempty"` // the article's words that the citation renders
	Differences []quote.Difference `json:"differences"`
}

// verifyCitation compares quoted words with those of an article.
func (s *Service) verifyCitation(ctx context.Context, in citationArguments) (any, error) {
	d, a, err := s.article(ctx, in.articleArguments)
	if err != nil {
		return nil, err
	}
	found := quote.Compare(in.Quote, a.Text)
	out := verdict{Source: s.source(d.Document, d.Countries, &a.Article, on(in.Date)), Verdict: found.Verdict, Differences: found.Differences}
	if found.Verdict != quote.Absent {
		out.Words = strings.TrimSpace(a.Text[found.Start:found.End])
		out.Regions = law.Regions(a.Spans, found.Start, found.End)
	}
	return out, nil
}
