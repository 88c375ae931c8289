package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/ingestion"
)

func (a *app) reviewTruthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "truth", Short: "Écrit ce que des personnes ont réglé des fichiers, pour l’apprentissage", Args: takes(0, 0, ""),
		Long: "Écrit, en JSON, les textes des fichiers dont une personne a réglé quelque chose et dont plus rien n’attend, comme\n" +
			"le laboratoire lit la vérité sur les gazettes : groundtruth.json.",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				truth := map[string]ingestion.Truth{}
				err := db.ReviewedFiles(c.Context(), func(f postgres.ReviewedFile) error {
					name, entry := ingestion.TruthOf(f)
					truth[name] = entry
					return nil
				})
				if err != nil {
					return err
				}
				return writeJSON(a.out, truth)
			})
		},
	}
}

func (a *app) reviewProposalsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "proposals ID", Short: "Montre ce que des décisions sur d’autres fichiers de la même maison proposent pour un fichier",
		Args: takes(1, 1, "l’identifiant d’une ingestion"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewProposals(c.Context(), db, args[0]) })
		},
	}
}

func (a *app) reviewProposals(ctx context.Context, db *postgres.DB, id string) error {
	row, err := findGazette(ctx, db, id)
	if err != nil {
		return err
	}
	list, err := ingestion.Proposals(ctx, db, row.ID)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, append([]ingestion.Proposal{}, list...), len(list))
	}
	t := table{head: []string{"CHAMP", "PROPOSÉ", "PAGE", "POUR", "D’APRÈS"}, omit: []string{"PAGE"}}
	for _, p := range list {
		page := ""
		if p.Page > 0 {
			page = fmt.Sprint(p.Page)
		}
		t.add(p.Field, p.Value, page, cut(cmp.Or(p.Words, "le fichier"), beginning), p.From.Filename)
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
			var said [2]*string
			if c.Flags().Changed("kind") {
				said[0] = &kind
			}
			if c.Flags().Changed("pays") {
				said[1] = &pays
			}
			code, known := country.Parse(pays)
			switch {
			case said[0] == nil && said[1] == nil:
				return usage("Il manque --kind ou --pays.")
			case kind != "" && !slices.Contains(kindsOfFiles(), kind):
				return usage("--kind ne peut pas valoir « %s » : %s.", cleanLine(kind), joined(gazette.FileKinds()))
			case pays != "" && (!known || string(code) != pays):
				return usage("--pays attend un code de pays en deux lettres, comme « bf ».")
			}
			return a.recut(c.Context(), o, args[0], func(db *postgres.DB, row postgres.Ingestion) (*postgres.Edit, error) {
				return nil, db.SayOfFile(c.Context(), row.ID, said[0], said[1], kind == string(gazette.FileOfNoLaw))
			})
		},
	}
	c.Flags().StringVar(&kind, "kind", "", "ce qu’est le fichier : un `TYPE`")
	c.Flags().StringVar(&pays, "pays", "", "`CODE` du pays")
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	return c
}

// kindsOfFiles lists what a file may be said to be.
func kindsOfFiles() (names []string) {
	for _, k := range gazette.FileKinds() {
		names = append(names, string(k))
	}
	return names
}
