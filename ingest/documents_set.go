package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
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
			if err := checkIDs(texts, ids); err != nil { // before anything is changed
				return err
			}
			return a.withServer(c.Context(), func(s *server) error {
				change, err := s.changeOf(c.Context(), setArgument, pairs)
				if err != nil {
					return err
				}
				return a.several(c.Context(), ids, func(ctx context.Context, word string) (any, error) { return a.documentSet(ctx, s, word, change) })
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
func (a *app) documentSet(ctx context.Context, s *server, word string, change map[string]any) (any, error) {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return nil, err
	}
	var d law.Record
	if err := s.call(ctx, http.MethodPatch, "/admin/documents/"+id.String(), nil, change, &d); err != nil {
		return nil, notListed(err, id)
	}
	return d, a.say("Corrigé : %s (%s, %s).", cleanLine(d.Title), law.Kind(d.Type, d.Nature), d.Status)
}
