package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) reviewTruthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "truth", Short: "Écrit ce que des personnes ont réglé des fichiers, pour l’apprentissage", Args: takes(0, 0, ""),
		Long: "Écrit, en JSON, les textes des fichiers dont une personne a réglé quelque chose et dont plus rien n’attend, comme\n" +
			"le laboratoire lit la vérité sur les gazettes : groundtruth.json.",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				var truth json.RawMessage
				err := s.call(c.Context(), http.MethodGet, "/admin/reviews/truth", nil, nil, &truth)
				return a.passed(truth, err)
			})
		},
	}
}

func (a *app) reviewProposalsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "proposals ID", Short: "Montre ce que des décisions sur d’autres fichiers de la même maison proposent pour un fichier",
		Args: takes(1, 1, "l’identifiant d’une ingestion"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.reviewProposals(c.Context(), s, args[0]) })
		},
	}
}

func (a *app) reviewProposals(ctx context.Context, s *server, word string) error {
	row, err := s.file(ctx, word)
	if err != nil {
		return err
	}
	list, err := listAll[gazettes.ProposalBody](ctx, s, "/admin/ingestions/"+row.ID.String()+"/proposals", nil)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"CHAMP", "PROPOSÉ", "PAGE", "POUR", "D’APRÈS"}, omit: []string{"PAGE"}}
	for _, p := range list {
		page := ""
		if p.Page != nil {
			page = fmt.Sprint(*p.Page)
		}
		t.add(p.Field, value(p.Value), page, cut(cmp.Or(p.Words, "le fichier"), beginning), p.Filename)
	}
	return t.write(a.out, "Rien n’est proposé pour ce fichier.")
}

func (a *app) gazetteSayCommand() *cobra.Command {
	var o addOptions
	var kind, pays string
	c := &cobra.Command{
		Use: "say ID [--kind TYPE] [--pays CODE]", Short: "Dit ce qu’est un fichier, et de quel pays est son droit", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		Long: "Dit ce qu’est un fichier : " + joined(gazette.FileKinds()) + ", et de quel pays est son droit. Le fichier est découpé de nouveau.\n" +
			"« no_law » écarte ses textes qui attendent ; une valeur vide reprend ce qui a été dit.",
		Example:               "  ingest gazette say 0197… --kind no_law\n  ingest gazette say 0197… --pays cm",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			said := map[string]any{}
			for name, value := range map[string]string{"kind": kind, "pays": pays} {
				if c.Flags().Changed(name) {
					if said[name] = value; value == "" {
						said[name] = nil
					}
				}
			}
			if len(said) == 0 {
				return usage("Il manque --kind ou --pays.")
			}
			return a.recut(c.Context(), o, args[0], func(s *server, row gazettes.IngestionBody) (*gazettes.EditBody, error) {
				return nil, s.call(c.Context(), http.MethodPatch, "/admin/ingestions/"+row.ID.String(), nil, said, nil)
			})
		},
	}
	c.Flags().StringVar(&kind, "kind", "", "ce qu’est le fichier : un `TYPE`")
	c.Flags().StringVar(&pays, "pays", "", "`CODE` du pays")
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	return c
}
