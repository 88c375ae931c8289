package public

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// AddressesOf returns the addresses at which anybody can read the texts, by their ids.
func (s *Pages) AddressesOf(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if s == nil || len(ids) == 0 {
		return nil, nil
	}
	texts, err := s.DB.AddressedTexts(ctx, ids)
	by := make(map[uuid.UUID]string, len(texts))
	for _, t := range texts {
		if !s.HideIndividual || !law.Individual(t.Title) {
			by[t.ID] = s.Base() + t.Work().Full() // which redirects, and means no other text
		}
	}
	return by, err
}

// PublicAddress returns the address at which anybody can read a text; nil if nobody can.
func (s *Pages) PublicAddress(ctx context.Context, d law.Document, countries []string) (*string, error) {
	if s == nil || s.HideIndividual && law.Individual(d.Title) {
		return nil, nil
	}
	path, err := s.canonical(ctx, postgres.AddressedText{Document: d, Countries: countries}, nil)
	path = s.Base() + path
	return &path, err
}
