package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
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
			ids, err := typedIDs(ingestions, args)
			if err != nil {
				return err
			}
			return a.withAdding(c.Context(), o, func(r *adding) error { return r.rerun(c.Context(), ids, all) })
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du traitement")
	c.Flags().BoolVar(&all, "all", false, "reprend tous les fichiers en échec ou lus en partie")
	o.said = metadataFlags(c)
	return c
}

// rerun queues files again and follows them.
func (r *adding) rerun(ctx context.Context, ids []typed, all bool) error {
	rows, err := r.findNamed(ctx, ids, all)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f := &added{File: cleanLine(row.Filename), SHA256: row.SHA256, Known: true, Documents: []postgres.IngestedDocument{}}
		r.files = append(r.files, f)
		err := r.again(ctx, &row)
		if errs.Is(err, errs.Conflict) {
			r.take(f, row)
			f.State, f.Reason = refused, errs.Public(err)
			continue
		}
		if err != nil {
			return r.interrupted(ctx, err)
		}
		r.take(f, row)
		f.base = f.PagesDone
		if err := r.queue.Enqueue(ctx, queue.Ingestions, row.ID); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	return r.await(ctx)
}

// findNamed reads the rows of the given files.
func (r *adding) findNamed(ctx context.Context, meant []typed, all bool) (rows []postgres.Ingestion, err error) {
	if all {
		every, err := r.db.Ingestions(ctx, "", retried)
		return slices.DeleteFunc(every, func(i postgres.Ingestion) bool {
			return i.State != "failed" && (i.Unread == 0 || !i.Ended() || i.State == "cancelled")
		}), err
	}
	ids, err := findAll(ctx, r.db, meant)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		row, err := r.db.Ingestion(ctx, id)
		if errs.Is(err, errs.NotFound) {
			return nil, ingestions.absent(id)
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}
