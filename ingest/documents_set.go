package main

import (
	"context"
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
		Use: "set ID… CHAMP=VALEUR…", Short: "Corrige des textes du catalogue", Args: takes(2, severalMost, "l’identifiant du texte et CHAMP=VALEUR"),
		Long: "Corrige des textes du catalogue, comme PATCH /admin/documents/{id} ; le journal d’audit le retient. " + severalHelp + " Champs :\n" + fieldNames() + ",\n" +
			"statut (" + joined(law.Statuses()) + " ; vide : tel que le disent les autres textes),\n" +
			"abroge_par (identifiant d’un texte ; vide : aucun), remplace (identifiant d’une autre édition, dont il prend la place).",
		Example: "  ingest documents set 0197… title=\"Code civil\" date_promulgation=2000-05-17\n  ingest documents set 0197… statut=abroge abroge_par=0198…\n" +
			"  ingest documents set 0197… 0198… domaine=travail",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			ids, pairs := idsFirst(args)
			if len(pairs) == 0 {
				return usage("Il manque CHAMP=VALEUR : ce qui est à corriger.")
			}
			if _, err := typedIDs(texts, ids); err != nil { // before anything is changed
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				// What is wrong with the corrections themselves is said once, before any is made.
				if _, _, err := correctionOf(c.Context(), db, uuid.Nil, pairs); err != nil {
					return err
				}
				return a.several(c.Context(), ids, func(ctx context.Context, word string) (any, error) {
					d, err := documentTyped(ctx, db, word)
					if err != nil {
						return nil, err
					}
					return a.documentSet(ctx, db, d, pairs)
				})
			})
		},
	}
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
func (a *app) documentSet(ctx context.Context, db *postgres.DB, d law.Document, pairs []string) (any, error) {
	change, status, err := correctionOf(ctx, db, d.ID, pairs)
	if err != nil {
		return nil, err
	}
	d, err = db.ChangeDocument(ctx, d.ID, change, status)
	if errs.Is(err, errs.NotFound) { // a better edition superseded the text, or it was deleted meanwhile
		return nil, errs.Newf(errs.Conflict, "Ce texte n’est plus au catalogue : rien n’est corrigé.")
	}
	if err != nil {
		return nil, err
	}
	return documentOf(d), a.say("Corrigé : %s (%s, %s).", cleanLine(d.Title), law.Kind(d.Type, d.Nature), d.Status)
}

// correctionOf reads what pairs correct in a text.
func correctionOf(ctx context.Context, db *postgres.DB, id uuid.UUID, pairs []string) (change postgres.DocumentChange, s postgres.StatusChange, err error) {
	s, rest, err := statusOf(ctx, db, id, pairs)
	if err != nil {
		return change, s, err
	}
	change, err = changeOf(ctx, db, setArgument, rest)
	return change, s, err
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
