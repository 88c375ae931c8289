package main

import (
	"context"
	"net/http"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/catalogue"
)

// joined returns the values of a flag as a list for people.
func joined[T ~string](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	return strings.Join(parts, ", ")
}

// documentText is a text of the catalogue with its place in its file.
type documentText struct {
	law.Record
	place catalogue.DocumentDetailsBody
}

// document returns the text of the catalogue, or the one that a better edition superseded, that a
// typed id means.
func (s *server) document(ctx context.Context, word string) (d documentText, err error) {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return d, err
	}
	if err := s.Call(ctx, http.MethodGet, "/documents/"+id.String(), nil, nil, &d.Record); err != nil {
		return d, catalogued.orAbsent(err, id)
	}
	err = s.Call(ctx, http.MethodGet, "/documents/"+id.String()+"/details", nil, nil, &d.place)
	return d, err
}
