package main

import (
	"context"
	"net/http"
	"strings"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
)

// documentsSet runs « documents set ».
func (a *app) documentsSet(ctx context.Context, in *input) error {
	ids, pairs := idsFirst(in.args)
	if len(pairs) == 0 {
		return usage("Il manque CHAMP=VALEUR : ce qui est à corriger.")
	}
	if err := checkIDs(texts, ids); err != nil { // before anything is changed
		return err
	}
	return a.withServer(ctx, func(s *server) error {
		change, err := s.changeOf(ctx, setArgument, pairs)
		if err != nil {
			return err
		}
		return a.several(ctx, ids, func(ctx context.Context, word string) (any, error) { return a.documentSet(ctx, s, word, change) })
	})
}

// idsFirst splits the arguments of « documents set »: the first and what follows it without =
// are ids.
func idsFirst(args []string) (ids, pairs []string) {
	n := 1
	for n < len(args) && !strings.Contains(args[n], "=") {
		if _, err := typedID(texts, args[n]); err != nil {
			break // a correction without its value, which is told as such
		}
		n++
	}
	return args[:n], args[n:]
}

// documentSet corrects a text, says so and returns its printed form.
func (a *app) documentSet(ctx context.Context, s *server, word string, change map[string]any) (any, error) {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return nil, err
	}
	var d law.Record
	if err := s.Call(ctx, http.MethodPatch, "/admin/documents/"+id.String(), nil, change, &d); err != nil {
		return nil, catalogued.orAbsent(err, id)
	}
	return d, a.say("Corrigé : %s (%s, %s).", terminal.Line(d.Title), law.Kind(d.Type, d.Nature), d.Status)
}
