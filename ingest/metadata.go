package main

import (
	"context"
	"slices"
	"strings"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
)

// field is a metadata field of a text: its name in the catalogue, and its short name for
// the command line.
type field struct{ name, short, help, propose string }

// published is the only field that belongs to the gazette, not to a text.
const published = "date_publication"

var fields = []field{
	{"title", "title", "`TITRE` du texte", ""},
	{"doc_type", "type", "`TYPE` du texte : " + joined(law.DocTypes()), "types"},
	{"nature", "nature", "`NATURE` : ce que le texte se dit, « Ordonnance », « Acte uniforme »…", ""},
	{"numero_officiel", "numero", "`NUMÉRO` officiel du texte", ""},
	{"domaine", "domaine", "`CODE` du domaine : travail, impots…", "domains"},
	{"date_promulgation", "date", "date de promulgation, `AAAA-MM-JJ`", ""},
	{"date_entree_vigueur", "vigueur", "premier jour en vigueur, `AAAA-MM-JJ`", ""},
	{published, "published", "date de la gazette, `AAAA-MM-JJ`", ""},
}

// metadata returns what was said of files, by the fields that the API has for it.
func (i *input) metadata() map[string]any {
	given := map[string]any{}
	for _, f := range fields {
		if i.Flags[f.short] != nil && i.text(f.short) != "" {
			given[f.name] = i.text(f.short)
		}
	}
	return given
}

// Names for the source of « field=value » pairs in error messages.
const (
	setOption   = "--set"
	setArgument = "documents set"
)

// references are fields whose value is the id of a text, and emptied those that an empty value takes back.
var references, emptied = []string{"remplace", "abroge_par"}, []string{"abroge_par", "statut"}

// changeOf parses « field=value » pairs and returns them as the API takes them. It accepts both names of a
// field. how is the source of the pairs, for error messages.
func (s *server) changeOf(ctx context.Context, how string, pairs []string) (map[string]any, error) {
	s.Name = nil // the fields are typed as the API names them
	change := map[string]any{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		value = strings.TrimSpace(value)
		if at := slices.IndexFunc(fields, func(f field) bool { return f.name != published && f.short == name }); at >= 0 {
			name = fields[at].name
		}
		known := slices.ContainsFunc(fields, func(f field) bool { return f.name != published && f.name == name })
		if !ok || !known && name != "remplace" && (how == setOption || name != "abroge_par" && name != "statut") {
			return nil, usage("%s attend CHAMP=VALEUR, pas « %s ». Champs : %s.", how, terminal.Line(pair), fieldNames())
		}
		if _, twice := change[name]; twice {
			return nil, usage("%s donne deux fois %s.", how, name)
		}
		switch {
		case value == "" && slices.Contains(emptied, name):
			change[name] = nil
		case slices.Contains(references, name):
			if _, err := typedID(texts, value); err != nil {
				return nil, usage("%s %s attend l’identifiant d’un texte, pas « %s ».", how, name, terminal.Line(value))
			}
			id, err := s.find(ctx, texts, value)
			if err != nil {
				return nil, err
			}
			change[name] = id
		default:
			change[name] = value
		}
	}
	return change, nil
}

// fieldNames lists the names that --set accepts.
func fieldNames() string {
	var names []string
	for _, f := range fields {
		if f.name != published {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ", ")
}
