package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
)

// retried is the maximum number of files of « retry --all ».
const retried = 100_000

func (a *app) retryCommand() *cobra.Command {
	var o addOptions
	var all bool
	c := &cobra.Command{
		Use: "retry ID…|--all", Short: "Reprend des fichiers en échec, annulés ou lus en partie, et attend leur fin",
		Long: "Reprend des fichiers dont le traitement a échoué ou a été annulé, ou dont des pages n’ont pas pu être lues.\n" +
			"Les pages déjà lues ne sont pas relues, et ce qu’une personne a dit des textes reste.\n" +
			"--all reprend ceux qui ont échoué et ceux dont des pages manquent. Ce que l’on dit d’un fichier (--type, --numero…) remplace ce qui en avait\n" +
			"été dit.\n\n" + exitHelp,
		Example: "  ingest retry 0197…\n  ingest retry --all --no-wait",
		Args:    takes(0, 1<<20, ""), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return usage("Donnez des identifiants d’ingestion, ou --all. « ingest status --state failed » donne la liste.")
			}
			if err := checkIDs(ingestions, args); err != nil {
				return err
			}
			return a.withAdding(c.Context(), o, func(r *adding) error { return r.rerun(c.Context(), args, all) })
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du traitement")
	c.Flags().BoolVar(&all, "all", false, "reprend tous les fichiers en échec ou lus en partie")
	o.said = metadataFlags(c)
	return c
}

// rerun queues files again and follows them.
func (r *adding) rerun(ctx context.Context, words []string, all bool) error {
	rows, err := r.findNamed(ctx, words, all)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f := &added{File: cleanLine(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedBody{}}
		r.files = append(r.files, f)
		err := r.again(ctx, f, row.ID)
		if errs.Is(err, errs.Conflict) {
			r.take(f, row)
			f.State, f.Reason = refused, errs.Public(err)
			continue
		}
		if err != nil {
			return r.interrupted(ctx, err)
		}
		f.base = f.PagesDone
	}
	return r.await(ctx)
}

// findNamed reads the rows of the given files.
func (r *adding) findNamed(ctx context.Context, words []string, all bool) (rows []gazettes.IngestionBody, err error) {
	if all {
		every, _, err := listUpTo[gazettes.IngestionBody](ctx, r.server, "/admin/ingestions", nil, retried)
		return slices.DeleteFunc(every, func(i gazettes.IngestionBody) bool {
			return i.State != "failed" && (i.Unread == 0 || !endedState(i.State) || i.State == "cancelled")
		}), err
	}
	for _, word := range words {
		row, err := r.server.file(ctx, word)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}
