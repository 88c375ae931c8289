package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
)

// field is a metadata field of a text: its name in the catalogue, and its short name for
// the command line.
type field struct{ name, short, help string }

// published is the only field that belongs to the gazette, not to a text.
const published = "date_publication"

var fields = []field{
	{"title", "title", "`TITRE` du texte"},
	{"doc_type", "type", "`TYPE` du texte : " + joined(law.DocTypes())},
	{"nature", "nature", "`NATURE` : ce que le texte se dit, « Ordonnance », « Acte uniforme »…"},
	{"numero_officiel", "numero", "`NUMÉRO` officiel du texte"},
	{"domaine", "domaine", "`CODE` du domaine : travail, impots…"},
	{"date_promulgation", "date", "date de promulgation, `AAAA-MM-JJ`"},
	{"date_entree_vigueur", "vigueur", "premier jour en vigueur, `AAAA-MM-JJ`"},
	{published, "published", "date de la gazette, `AAAA-MM-JJ`"},
}

// metadataFlags adds a flag for each field to a command.
func metadataFlags(c *cobra.Command) map[string]*string {
	said := map[string]*string{}
	for _, f := range fields {
		said[f.name] = c.Flags().String(f.short, "", f.help)
	}
	return said
}

// metadataOf checks the given metadata and encodes it for an ingestion; nil if there is
// none.
func metadataOf(ctx context.Context, db *postgres.DB, said map[string]*string) (json.RawMessage, error) {
	kept := map[string]string{}
	for _, f := range fields {
		value := said[f.name]
		if value == nil || *value == "" {
			continue
		}
		proper, err := f.check(ctx, db, "--"+f.short, *value)
		if err != nil {
			return nil, err
		}
		kept[f.name] = proper
	}
	return admission.Metadata{Title: kept["title"], Type: law.DocType(kept["doc_type"]), Nature: kept["nature"], OfficialNumber: kept["numero_officiel"], Domain: kept["domaine"],
		Promulgated: kept["date_promulgation"], EntersInForce: kept["date_entree_vigueur"], Published: kept[published]}.Spell()
}

// check validates a value of the field, by the rules of the HTTP interface, and returns the
// value without surrounding blanks. option is the name of the option in error messages.
func (f field) check(ctx context.Context, db *postgres.DB, option, value string) (string, error) {
	value = strings.TrimSpace(value)
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return "", usage("%s : ce texte n’est pas de l’UTF-8.", option)
	}
	switch n := utf8.RuneCountInString(value); {
	case f.name == "title" && (n < 1 || n > admission.MaxTitle):
		return "", usage("%s attend 1 à %d caractères.", option, admission.MaxTitle)
	case f.name == "numero_officiel" && n > admission.MaxNumber:
		return "", usage("%s attend %d caractères au plus.", option, admission.MaxNumber)
	case f.name == "nature" && n > law.NatureLimit:
		return "", usage("%s attend %d caractères au plus.", option, law.NatureLimit)
	case f.name == "doc_type" && !slices.Contains(law.DocTypes(), law.DocType(value)):
		return "", usage("%s ne peut pas valoir « %s » : %s.", option, cleanLine(value), joined(law.DocTypes()))
	case f.name == "domaine":
		return value, checkAnyDomain(ctx, db, option, value)
	case strings.HasPrefix(f.name, "date_"):
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return "", usage("%s attend une date de la forme AAAA-MM-JJ, pas « %s ».", option, cleanLine(value))
		}
	}
	return value, nil
}

// checkAnyDomain rejects an unknown domain; inactive ones are allowed.
func checkAnyDomain(ctx context.Context, db *postgres.DB, option, code string) error {
	domains, err := db.AllDomains(ctx)
	if err != nil {
		return err
	}
	return checkCode(option, code, domains)
}

// Names for the source of « field=value » pairs in error messages.
const (
	setOption   = "--set"
	setArgument = "documents set"
)

// changeOf parses « field=value » pairs and returns them as a change of a text. It accepts
// both names of a field. how is the source of the pairs, for error messages.
func changeOf(ctx context.Context, db *postgres.DB, how string, pairs []string) (c postgres.DocumentChange, err error) {
	given := map[string]string{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if name == "remplace" {
			meant, err := typedID(texts, value)
			if err != nil {
				return c, usage("%s remplace attend l’identifiant d’un texte, pas « %s ».", how, cleanLine(value))
			}
			id, err := meant.find(ctx, db)
			if err != nil {
				return c, err
			}
			c.Supersedes = &id
			continue
		}
		at := slices.IndexFunc(fields, func(f field) bool { return f.name != published && (f.name == name || f.short == name) })
		if !ok || at < 0 {
			return c, usage("%s attend CHAMP=VALEUR, pas « %s ». Champs : %s.", how, cleanLine(pair), fieldNames())
		}
		f := fields[at]
		if _, twice := given[f.name]; twice {
			return c, usage("%s donne deux fois %s.", how, f.name)
		}
		if given[f.name], err = f.check(ctx, db, how+" "+name, value); err != nil {
			return c, err
		}
	}
	supersedes := c.Supersedes
	c = changeFrom(given)
	c.Supersedes = supersedes
	return c, nil
}

// changeFrom converts checked values to a change.
func changeFrom(given map[string]string) (c postgres.DocumentChange) {
	said := func(name string) *string {
		if value, ok := given[name]; ok {
			return &value
		}
		return nil
	}
	day := func(name string) *time.Time {
		if value, ok := given[name]; ok {
			t, _ := time.Parse(time.DateOnly, value) // the value was checked before
			return &t
		}
		return nil
	}
	c.Title, c.Domain, c.OfficialNumber = said("title"), said("domaine"), said("numero_officiel")
	c.Type, c.Nature = (*law.DocType)(said("doc_type")), said("nature")
	c.Promulgated, c.EntersInForce = day("date_promulgation"), day("date_entree_vigueur")
	return c
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
