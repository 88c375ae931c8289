package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func (a *app) documentsSetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set ID CHAMP=VALEUR…", Short: "Corrige un texte du catalogue", Args: takes(2, 1<<10, "l’identifiant du texte et CHAMP=VALEUR"),
		Long: "Corrige un texte du catalogue, comme PATCH /admin/documents/{id} ; le journal d’audit le retient. Champs :\n" + fieldNames() + ",\n" +
			"statut (" + joined(law.Statuses()) + " ; vide : tel que le disent les autres textes),\n" +
			"abroge_par (identifiant d’un texte ; vide : aucun), remplace (identifiant d’une autre édition, dont il prend la place).",
		Example:               "  ingest documents set 0197… title=\"Code civil\" date_promulgation=2000-05-17\n  ingest documents set 0197… statut=abroge abroge_par=0198…",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error {
				return a.documentSet(c.Context(), db, d, args[1:])
			})
		},
	}
}

func (a *app) documentSet(ctx context.Context, db *postgres.DB, d law.Document, pairs []string) error {
	status, rest, err := statusOf(ctx, db, d.ID, pairs)
	if err != nil {
		return err
	}
	change, err := changeOf(ctx, db, setArgument, rest)
	if err != nil {
		return err
	}
	d, err = db.ChangeDocument(ctx, d.ID, change, status)
	if errs.Is(err, errs.NotFound) { // a better edition superseded the text, or it was deleted meanwhile
		return errs.Newf(errs.Conflict, "Ce texte n’est plus au catalogue : rien n’est corrigé.")
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, documentOf(d))
	}
	_, err = fmt.Fprintf(a.outcome(), "Corrigé : %s (%s, %s).\n", cleanLine(d.Title), law.Kind(d.Type, d.Nature), d.Status)
	return err
}

// statusOf extracts the status from the pairs. It follows the rules of the HTTP interface:
// a text with a repealing text is repealed, and no text repeals itself.
func statusOf(ctx context.Context, db *postgres.DB, id uuid.UUID, pairs []string) (s postgres.StatusChange, rest []string, err error) {
	given := map[string]bool{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if value = strings.TrimSpace(value); !ok || name != "statut" && name != "abroge_par" {
			rest = append(rest, pair)
			continue
		}
		if given[name] {
			return s, nil, usage("%s donne deux fois %s.", setArgument, name)
		}
		given[name] = true
		switch {
		case name == "statut" && value == "":
			s.Derive = true
		case name == "statut" && !slices.Contains(law.Statuses(), law.Status(value)):
			return s, nil, usage("statut ne peut pas valoir « %s » : %s.", cleanLine(value), joined(law.Statuses()))
		case name == "statut":
			s.Status = (*law.Status)(&value)
		case value == "":
			s.Unrepealed = true
		default:
			meant, err := typedID(texts, value)
			if err != nil {
				return s, nil, usage("abroge_par attend l’identifiant d’un autre texte, pas « %s ».", cleanLine(value))
			}
			by, err := meant.find(ctx, db)
			if err != nil {
				return s, nil, err
			}
			if by == id {
				return s, nil, usage("abroge_par attend l’identifiant d’un autre texte : « %s » est celui du texte lui-même.", cleanLine(value))
			}
			s.RepealedBy = &by
		}
	}
	s.Unrepealed = s.Unrepealed && !s.Derive && s.RepealedBy == nil
	return s, rest, checkRepeal(ctx, db, s)
}

// checkRepeal rejects a status that contradicts the repealing text.
func checkRepeal(ctx context.Context, db *postgres.DB, s postgres.StatusChange) error {
	if s.RepealedBy == nil {
		return nil
	}
	if s.Derive || s.Status != nil && *s.Status != law.Repealed {
		return usage("Un texte qu’un autre abroge a le statut « %s ».", law.Repealed)
	}
	_, err := db.Document(ctx, *s.RepealedBy)
	if errs.Is(err, errs.NotFound) {
		return notListed(*s.RepealedBy)
	}
	return err
}
