package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) gazetteUndoCommand() *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "undo ID CORRECTION", Short: "Annule une correction", Args: takes(2, 2, "l’identifiant d’une ingestion ou d’une correction"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := typedID(edits, args[1]); err != nil {
				return err
			}
			return a.recut(c.Context(), o, args[0], func(s *server, row gazettes.IngestionBody) (*gazettes.EditBody, error) {
				edit, err := s.find(c.Context(), edits, args[1])
				if err != nil {
					return nil, err
				}
				err = s.call(c.Context(), http.MethodDelete, "/admin/ingestions/"+row.ID.String()+"/edits/"+edit.String(), nil, nil, nil)
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
			return a.recut(c.Context(), o, args[0], func(s *server, row gazettes.IngestionBody) (*gazettes.EditBody, error) {
				return nil, s.call(c.Context(), http.MethodPost, "/admin/ingestions/"+row.ID.String()+"/recut", nil, nil, nil)
			})
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	return c
}

// recut calls change, which queues a file to be segmented again, and follows the file.
func (a *app) recut(ctx context.Context, o addOptions, word string, change func(s *server, row gazettes.IngestionBody) (*gazettes.EditBody, error)) error {
	return a.withRecut(ctx, o, func(r *adding) error {
		row, err := r.server.file(ctx, word)
		if err != nil {
			return err
		}
		edit, err := change(r.server, row)
		if err != nil {
			return err
		}
		if row, err = r.server.file(ctx, row.ID.String()); err != nil {
			return err
		}
		f := &added{File: cleanLine(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedBody{}}
		r.files = append(r.files, f)
		r.take(f, row)
		f.base = f.PagesDone
		if a.json {
			return r.mended(ctx, edit)
		}
		if edit != nil {
			if err := a.say("Correction notée : %s.\nL’annuler : ingest gazette undo %s %s", cleanLine(editSentence(*edit)), row.ID, edit.ID); err != nil {
				return err
			}
		}
		return r.await(ctx)
	})
}

// mended follows the file and prints it, with the edit, as one JSON value.
func (r *adding) mended(ctx context.Context, edit *gazettes.EditBody) error {
	if !r.noWait {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	if err := writeJSON(r.out, struct {
		Edit *gazettes.EditBody `json:"edit"`
		File *added             `json:"file"`
	}{edit, r.files[0]}); err != nil {
		return err
	}
	if r.files[0].failed() {
		return quiet{exitFailed}
	}
	return nil
}
