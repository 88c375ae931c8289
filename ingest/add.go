package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) addCommand() *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "add FICHIER.pdf|DOSSIER…", Short: "Ajoute des gazettes et attend qu’elles soient au catalogue",
		Long: "Ajoute des fichiers PDF, et ceux des dossiers donnés (*.pdf, sous-dossiers compris), puis suit leur\n" +
			"traitement par les workers. Un fichier refusé n’empêche pas les autres. Un fichier dont les octets sont\n" +
			"déjà connus est signalé et n’est pas repris. Ctrl-C cesse d’attendre : le traitement continue, et la même\n" +
			"commande, relancée, ajoute ce qui manque encore et reprend l’attente.\n\n" +
			"Ce que l’on sait d’un fichier (--title, --type, --numero…) l’emporte sur ce qui y est imprimé, s’il ne\n" +
			"contient qu’un texte, et lève le doute.\n\n" + exitHelp,
		Example: "  ingest add jo-2023-04.pdf jo-2023-05.pdf\n  ingest add --no-wait ~/gazettes\n" +
			"  ingest add --dry-run ~/gazettes\n  ingest add --type decret --numero 2000-190 --date 2000-05-17 scan.pdf",
		Args: takes(1, 1<<20, "un fichier ou un dossier"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withAdding(c.Context(), o, func(r *adding) error { return r.run(c.Context(), args) })
		},
	}
	c.Flags().BoolVar(&o.noWait, "no-wait", false, "n’attend pas la fin du traitement")
	c.Flags().BoolVar(&o.retry, "retry", false, "reprend les fichiers connus en échec, annulés ou dont des pages n’ont pas été lues")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "dit ce qui serait ajouté, repris ou refusé, et ne change rien")
	o.said = metadataFlags(c)
	return c
}

type addOptions struct {
	noWait, retry, dryRun bool
	said                  map[string]*string // metadata by field name of the catalogue
}

// withAdding calls f with the server that takes files.
func (a *app) withAdding(ctx context.Context, o addOptions, f func(r *adding) error) error {
	return a.withServer(ctx, func(s *server) error {
		if s.ready != nil {
			if err := s.ready(ctx); err != nil {
				return err
			}
		}
		return f(&adding{app: a, addOptions: o, server: s, metadata: metadataOf(o.said)})
	})
}

// adding is one run of « ingest add ».
type adding struct {
	*app
	addOptions
	server   *server
	metadata map[string]any // the operator's metadata for every file
	files    []*added
	say      func(sentence string) // tells that the line was cut off; nil: nothing is told
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
func (r *adding) run(ctx context.Context, args []string) error {
	if err := r.admitAll(ctx, args); err != nil {
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
