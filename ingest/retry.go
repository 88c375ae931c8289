package main

import (
	"context"
	"slices"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/gazettes"
)

// retried is the maximum number of files of « retry --all ».
const retried = 100_000

// retryFiles runs « retry ».
func (a *app) retryFiles(ctx context.Context, in *input) error {
	all := in.has("all")
	if all == (len(in.args) > 0) {
		return usage("Donnez des identifiants d’ingestion, ou --all. « ingest status --state failed » donne la liste.")
	}
	if err := checkIDs(ingestions, in.args); err != nil {
		return err
	}
	return a.withAdding(ctx, in, func(r *adding) error { return r.rerun(ctx, in.args, all) })
}

// rerun queues files again and follows them.
func (r *adding) rerun(ctx context.Context, words []string, all bool) error {
	rows, err := r.findNamed(ctx, words, all)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f := &added{File: terminal.Line(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedBody{}}
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
		every, _, err := client.ListUpTo[gazettes.IngestionBody](ctx, r.server.Client, "/admin/ingestions", nil, retried)
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
