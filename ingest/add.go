package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/blobs"
	"vigueur/internal/postgres"
	"vigueur/internal/queue"
)

func (a *app) addCommand() *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "add FICHIER.pdf|DOSSIER…", Short: "Ajoute des gazettes et attend qu’elles soient au catalogue",
		Long: "Ajoute des fichiers PDF, et ceux des dossiers donnés (*.pdf, sous-dossiers compris), puis suit leur\n" +
			"traitement par les workers. Un fichier refusé n’empêche pas les autres. Un fichier dont les octets sont\n" +
			"déjà connus est signalé et n’est pas repris. Ctrl-C cesse d’attendre : le traitement continue.\n\n" + exitHelp,
		Example: "  ingest add jo-2023-04.pdf jo-2023-05.pdf\n  ingest add --no-wait ~/gazettes",
		Args:    takes(1, 1<<20, "un fichier ou un dossier"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withQueue(c.Context(), func(db *postgres.DB, q *queue.Client) error {
				settings, err := a.settings()
				if err != nil {
					return err
				}
				store, err := blobs.Open(settings.BlobsURL)
				if err != nil {
					return err
				}
				return (&adding{app: a, addOptions: o, db: db, queue: q, store: store}).run(c.Context(), args)
			})
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du traitement")
	c.Flags().BoolVar(&o.retry, "retry", false, "reprend les fichiers connus dont le traitement a échoué ou a été annulé")
	return c
}

type addOptions struct {
	noWait, retry bool
}

// adding is one run of « ingest add ».
type adding struct {
	*app
	addOptions
	db    *postgres.DB
	queue *queue.Client
	store blobs.Store
	files []*added
}

// added is what became of one file.
type added struct {
	File       string                      `json:"file"`
	SHA256     string                      `json:"sha256,omitempty"`
	Ingestion  *uuid.UUID                  `json:"ingestion_id"`
	Known      bool                        `json:"known"` // its bytes were there before
	State      string                      `json:"state"`
	PagesDone  int                         `json:"pages_done"`
	PagesTotal int                         `json:"pages_total"`
	Articles   int                         `json:"articles"`
	Reason     string                      `json:"reason"`
	Documents  []postgres.IngestedDocument `json:"documents"`

	stage string
	base  int // pages that were done before this run began to follow
}

// pending tells whether a worker has still to do with the file.
func (f *added) pending() bool { return f.State == "queued" || f.State == "running" }

// failed tells whether the exit code must be 1 for the file's sake.
func (f *added) failed() bool {
	return f.State == refused || f.State == "failed" || f.State == "cancelled"
}

// take copies the row into f.
func (f *added) take(i postgres.Ingestion) {
	f.Ingestion, f.State, f.stage = &i.ID, i.State, i.Stage
	f.PagesDone, f.PagesTotal, f.Articles = i.PagesDone, i.PagesTotal, articlesOf(i)
	f.Documents = append([]postgres.IngestedDocument{}, i.Documents...)
	if i.Error != "" || !f.Known {
		f.Reason = i.Error
	}
}

// run takes the files in, follows them and sums up.
func (r *adding) run(ctx context.Context, args []string) error {
	if err := r.admitAll(ctx, args); err != nil {
		return r.interrupted(ctx, err)
	}
	if !r.noWait {
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

// interrupted says on Ctrl-C that what was begun goes on.
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
	fmt.Fprintf(r.err, "Interrompu. Le traitement continue sans vous (%s) ; suivez-le : ingest status\n", count(going, "fichier"))
	return quiet{exitInterrupted}
}

// summary prints a line a file.
func (r *adding) summary() error {
	if r.json {
		return writeJSON(r.out, append([]*added{}, r.files...))
	}
	t := table{head: []string{"FICHIER", "ÉTAT", "PAGES", "TEXTES", "ARTICLES", "REMARQUE"}}
	ends := map[string]int{}
	for _, f := range r.files {
		t.add(f.File, stateName(f.State), fmt.Sprintf("%d/%d", f.PagesDone, f.PagesTotal), len(f.Documents), f.Articles, f.Reason)
		ends[f.State]++
	}
	if err := t.write(r.out, "Aucun fichier."); err != nil {
		return err
	}
	var parts []string
	for _, s := range states {
		if ends[s[0]] > 0 {
			parts = append(parts, fmt.Sprintf("%s : %d", s[1], ends[s[0]]))
		}
	}
	_, err := fmt.Fprintf(r.out, "%s (%s).\n", count(len(r.files), "fichier"), strings.Join(parts, ", "))
	return err
}
