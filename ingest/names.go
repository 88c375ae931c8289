package main

import (
	"context"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/admin"
)

// shortNamed returns the id of a short name of a text.
func shortNamed(ctx context.Context, s *server, name string) (string, error) {
	list, err := client.ListAll[admin.TextNameBody](ctx, s.Client, "/admin/names", nil)
	if err != nil {
		return "", err
	}
	for _, n := range list {
		if law.Fold(n.Name) == law.Fold(name) {
			return n.ID.String(), nil
		}
	}
	return "", usage("Aucun texte n’a reçu le nom « %s » : ingest names list.", terminal.Line(name))
}
