package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
)

func (a *app) gazetteUndoCommand() *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "undo ID CORRECTION", ValidArgsFunction: a.editIDs, Short: "Annule une correction", Args: takes(2, 2, "l’identifiant d’une ingestion ou d’une correction"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := typedID(edits, args[1])
			if err != nil {
				return err
			}
			return a.recut(c.Context(), o, args[0], func(db *postgres.DB, row postgres.Ingestion) (*postgres.Edit, error) {
				edit, err := meant.find(c.Context(), db)
				if err != nil {
					return nil, err
				}
				err = db.UndoEdit(c.Context(), row.ID, edit)
				if errs.Is(err, errs.NotFound) {
					return nil, errs.Wrap(errs.NotFound, fmt.Sprintf("Ce fichier n’a pas de correction %s. « ingest gazette edits %s » donne la liste.", edit, row.ID), err)
				}
				return nil, err
			})
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	return c
}

func (a *app) gazetteRecutCommand() *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "recut ID", Short: "Découpe un fichier de nouveau, sans le relire", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.recut(c.Context(), o, args[0], func(db *postgres.DB, row postgres.Ingestion) (*postgres.Edit, error) {
				return nil, db.ResegmentIngestion(c.Context(), row.ID)
			})
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	return c
}

// recut calls change, which queues a file to be segmented again, and follows the file.
func (a *app) recut(ctx context.Context, o addOptions, id string, change func(db *postgres.DB, row postgres.Ingestion) (*postgres.Edit, error)) error {
	return a.withAdding(ctx, o, func(r *adding) error {
		row, err := findGazette(ctx, r.db, id)
		if err != nil {
			return err
		}
		edit, err := change(r.db, row)
		if err != nil {
			return err
		}
		if row, err = r.db.Ingestion(ctx, row.ID); err != nil {
			return err
		}
		f := &added{File: cleanLine(row.Filename), SHA256: row.SHA256, Known: true, Documents: []postgres.IngestedDocument{}}
		r.files = append(r.files, f)
		r.take(f, row)
		f.base = f.PagesDone
		if err := r.queue.Enqueue(ctx, queue.Ingestions, row.ID); err != nil {
			return r.interrupted(ctx, err)
		}
		if a.json {
			return r.mended(ctx, edit)
		}
		if edit != nil {
			view, err := editViewOf(*edit)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.outcome(), "Correction notée : %s.\nL’annuler : ingest gazette undo %s %s\n", cleanLine(editSentence(view.Edit)), row.ID, edit.ID)
		}
		return r.await(ctx)
	})
}

// mended follows the file and prints it, with the edit, as one JSON value.
func (r *adding) mended(ctx context.Context, edit *postgres.Edit) error {
	if !r.noWait {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	out := struct {
		Edit *editView `json:"edit"`
		File *added    `json:"file"`
	}{File: r.files[0]}
	if edit != nil {
		view, err := editViewOf(*edit)
		if err != nil {
			return err
		}
		out.Edit = &view
	}
	if err := writeJSON(r.out, out); err != nil {
		return err
	}
	if r.files[0].failed() {
		return quiet{exitFailed}
	}
	return nil
}
