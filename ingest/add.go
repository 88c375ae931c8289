package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/gazettes"
)

// add runs « add ».
func (a *app) add(ctx context.Context, in *input) error {
	return a.withAdding(ctx, in, func(r *adding) error { return r.run(ctx) })
}

// withAdding calls f with the server that takes files.
func (a *app) withAdding(ctx context.Context, in *input, f func(r *adding) error) error {
	return a.withServer(ctx, func(s *server) error {
		if s.ready != nil {
			if err := s.ready(ctx); err != nil {
				return err
			}
		}
		given := func(name string) bool { return in.Flags[name] != nil && in.has(name) }
		return f(&adding{app: a, input: in, noWait: given("no-wait"), retry: given("retry"), dryRun: given("dry-run"), server: s, metadata: in.metadata()})
	})
}

// adding is one run of « ingest add ».
type adding struct {
	*app
	*input
	noWait, retry, dryRun bool
	server                *server
	metadata              map[string]any // the operator's metadata for every file
	files                 []*added
	say                   func(sentence string) // tells that the line was cut off; nil: nothing is told
}

// added is the state of one file.
type added struct {
	File       string                  `json:"file"`
	SHA256     string                  `json:"sha256,omitempty"`
	Ingestion  *uuid.UUID              `json:"ingestion_id"`
	Known      bool                    `json:"known"` // whether its bytes were added before
	State      string                  `json:"state"`
	PagesDone  int                     `json:"pages_done"`
	PagesTotal int                     `json:"pages_total"`
	Articles   int                     `json:"articles"`
	Reason     string                  `json:"reason"`
	Documents  []gazettes.IngestedBody `json:"documents"`

	size    int64
	sent    bool // whether this run began to send it
	stage   string
	updated string // when the row changed last, by the server's clock
	texts   int
	base    int // number of pages that were done before this run began to follow the file
}

// pending reports whether a worker has not finished the file yet.
func (f *added) pending() bool { return f.State == "queued" || f.State == "running" }

// failed reports whether the file requires exit code 1.
func (f *added) failed() bool {
	return f.State == refused || f.State == "failed" || f.State == "cancelled"
}

// take copies the row into f. It keeps the texts only if they will be printed, because a
// folder may have thousands of files.
func (r *adding) take(f *added, i gazettes.IngestionBody) {
	f.Ingestion, f.State, f.stage, f.updated = &i.ID, i.State, i.Stage, i.UpdatedAt
	f.PagesDone, f.PagesTotal, f.Articles, f.texts = i.PagesDone, i.PagesTotal, articlesOf(i), len(i.Documents)
	if r.json {
		f.Documents = append([]gazettes.IngestedBody{}, i.Documents...)
	}
	if i.Error != nil || !f.Known {
		f.Reason = value(i.Error)
	}
}

// value returns what s points to, "" for nil.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// run adds the files, follows them and prints a summary.
func (r *adding) run(ctx context.Context) error {
	if err := r.admitAll(ctx, r.args); err != nil {
		return r.interrupted(ctx, err)
	}
	return r.await(ctx)
}

// await follows the files to their end, if requested, and prints a summary.
func (r *adding) await(ctx context.Context) error {
	if !r.noWait && !r.dryRun {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	if err := r.summary(); err != nil {
		return err
	}
	for _, f := range r.files {
		if f.failed() {
			return quiet{exitFailed}
		}
	}
	return nil
}

// interrupted reports on Ctrl-C that the jobs go on.
func (r *adding) interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	going := 0
	for _, f := range r.files {
		if f.pending() {
			going++
		}
	}
	if going == 0 {
		return err
	}
	fmt.Fprintf(r.err, "Interrompu. Le traitement continue sans vous (%s) ; suivez-le : ingest status\n"+
		"La même commande, relancée, reprend où elle en était.\n", count(going, "fichier"))
	return quiet{exitInterrupted}
}
