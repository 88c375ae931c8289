package mcp

import (
	"context"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/quote"
	"vigueur/internal/search/verify"
)

type verdict struct {
	Source
	Verdict     quote.Verdict      `json:"verdict"`
	Words       string             `json:"words,omitempty"` // words of the article that match the citation
	Differences []quote.Difference `json:"differences"`
}

// verifyCitation compares quoted words with those of an article.
func (s *Service) verifyCitation(ctx context.Context, in citationArguments) (any, error) {
	d, a, err := s.article(ctx, in.articleArguments)
	if err != nil {
		return nil, err
	}
	found, err := quote.Compare(ctx, in.Quote, a.Text)
	if err != nil {
		return nil, err
	}
	out := verdict{Source: s.source(d.Document, d.Countries, &a.Article, parseDay(in.Date)), Verdict: found.Verdict, Differences: found.Differences}
	if found.Verdict != quote.Absent {
		out.Words = strings.TrimSpace(a.Text[found.Start:found.End])
		out.Regions = law.Regions(a.Spans, found.Start, found.End)
	}
	return out, nil
}

// checkedText is the result of verify. It leaves out the text, which the client has.
type checkedText struct {
	Day        string             `json:"date"`
	Country    string             `json:"pays,omitempty"`
	References []verify.Reference `json:"references"`
	Quotations []checkedQuotation `json:"quotations"`
	More       bool               `json:"more"` // the text has more references or quotations than are checked
}

type checkedQuotation struct {
	Quote string `json:"quote"` // the quoted words, as they were read
	verify.Quotation
}

// verify checks the references and the quotations of a text.
func (s *Service) verify(ctx context.Context, in verifyArguments) (any, error) {
	if s.Turn != nil {
		release, err := s.Turn(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	r, err := verify.Check(ctx, s.DB, verify.Writing{Text: in.Text, Day: s.dayOf(parseDay(in.Date), parseCountry(in.Country)), Country: country.Code(parseCountry(in.Country)), BaseURL: s.BaseURL})
	if err != nil {
		return nil, err
	}
	out := checkedText{Day: r.Day, Country: r.Country, References: r.References, Quotations: make([]checkedQuotation, len(r.Quotations)), More: r.More}
	text := []rune(r.Text)
	for i, q := range r.Quotations {
		out.Quotations[i] = checkedQuotation{strings.TrimSpace(string(text[q.Start:q.End])), q}
	}
	return out, nil
}
