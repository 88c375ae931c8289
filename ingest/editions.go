package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) reviewEditionsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "editions", Short: "Liste les textes qu’une meilleure édition a remplacés", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.reviewEditions(c.Context(), s) })
		},
	}
}

func (a *app) reviewEditions(ctx context.Context, s *server) error {
	list, err := listAll[gazettes.EditionBody](ctx, s, "/admin/editions", nil)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"PROMULGATION", "NATURE", "NUMÉRO", "TITRE", "ID", "REMPLACÉ PAR"},
		omit: []string{"NATURE", "PROMULGATION"}}
	var ids []uuid.UUID
	for _, e := range list {
		d := e.Document
		ids = append(ids, d.ID, e.By)
		t.add(d.Promulgated, law.Kind(d.Type, d.Nature), d.OfficialNumber, d.Title, d.ID, e.By)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Aucun texte n’a été remplacé.")
}

func (a *app) reviewRestoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore ID", Short: "Remet au catalogue un texte remplacé, à côté de l’autre édition", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				id, err := s.find(c.Context(), texts, args[0])
				if err != nil {
					return err
				}
				d, err := s.settle(c.Context(), id, "accept", nil)
				if errs.Is(err, errs.NotFound) {
					return errs.Newf(errs.NotFound, "Aucune édition n’a remplacé de texte %s. « ingest review editions » donne la liste.", id)
				}
				if err != nil {
					return err
				}
				return a.said(d.Record, "De nouveau au catalogue : %s (%s).", cleanLine(d.Title), id)
			})
		},
	}
}

func (a *app) reviewRelationsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "relations", Short: "Liste les abrogations et modifications dont la cible est incertaine", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.reviewRelations(c.Context(), s) })
		},
	}
}

func (a *app) reviewRelations(ctx context.Context, s *server) error {
	list, err := listAll[gazettes.UncertainBody](ctx, s, "/admin/relations", nil)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.out, "Aucune relation n’est incertaine.")
		return err
	}
	var own, candidates []uuid.UUID
	for _, r := range list {
		own = append(own, r.ID)
		for _, c := range r.Candidates {
			candidates = append(candidates, c.ID)
		}
	}
	short, shortTexts := a.shortened(own), a.shortened(candidates)
	for _, r := range list {
		fmt.Fprintln(a.out, shortOf(short, r.ID))
		printField(a.out, 2, "", cleanLine(fmt.Sprintf("%s, article %s", r.Title, r.Number)))
		printField(a.out, 2, "", cleanLine(fmt.Sprintf("%s : %s, le %s", r.Type, targetOf(r), r.Date)))
		for _, c := range r.Candidates {
			printField(a.out, 4, "", cleanLine(shortOf(shortTexts, c.ID)+"  "+c.Date+"  "+c.Title))
		}
	}
	_, err = fmt.Fprintf(a.out, "%s. Régler : ingest review relation ID --target ID_DU_TEXTE, ou --none\n", count(len(list), "relation"))
	return err
}

// targetOf names the text that a relation means, in the words of the relation.
func targetOf(r gazettes.UncertainBody) string {
	t := r.Target
	named := strings.TrimSpace(string(t.Type) + " " + t.Number)
	if t.Number == "" {
		named = t.Title
	}
	if t.Date != nil {
		named += " du " + *t.Date
	}
	if len(t.Articles) > 0 {
		named += ", articles " + strings.Join(t.Articles, ", ")
	}
	return named
}

func (a *app) reviewRelationCommand() *cobra.Command {
	var target string
	var none bool
	c := &cobra.Command{
		Use: "relation ID --target ID_DU_TEXTE|--none", Short: "Dit quel texte une relation vise, ou qu’elle n’en vise aucun", Args: takes(1, 1, "l’identifiant de la relation"),
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if none == (target != "") {
				return usage("Donnez --target ou --none.")
			}
			return a.withServer(c.Context(), func(s *server) error { return a.reviewRelation(c.Context(), s, args[0], target) })
		},
	}
	c.Flags().StringVar(&target, "target", "", "`ID` du texte visé")
	c.Flags().BoolVar(&none, "none", false, "aucun texte du catalogue n’est visé")
	return c
}

func (a *app) reviewRelation(ctx context.Context, s *server, word, target string) error {
	relation, err := s.find(ctx, relations, word)
	if err != nil {
		return err
	}
	said := struct {
		Decision string     `json:"decision"`
		Document *uuid.UUID `json:"document_id"`
	}{Decision: "reject"}
	if target != "" {
		id, err := s.find(ctx, texts, target)
		if err != nil {
			return err
		}
		said.Decision, said.Document = "accept", &id
	}
	if err := s.call(ctx, http.MethodPost, "/admin/relations/"+relation.String(), nil, said, nil); err != nil {
		return relations.orAbsent(err, relation)
	}
	return a.said(map[string]any{"id": relation, "target": said.Document}, "C’est noté ; les statuts ont suivi.")
}
