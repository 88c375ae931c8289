package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// filesCopy runs « files copy ».
func (a *app) filesCopy(ctx context.Context, in *input) error {
	from, to := addressOf(in.text("from")), addressOf(in.text("to"))
	if from == to {
		return usage("Donnez --from ou --to, l’adresse de l’autre dépôt.")
	}
	return a.withDB(ctx, func(db *postgres.DB) error { return a.copyFiles(ctx, db, from, to) })
}

// addressOf returns the address of a store: a path of a folder becomes a file: address.
func addressOf(word string) string {
	if !filepath.IsAbs(word) && !strings.HasPrefix(word, ".") {
		return word
	}
	path, err := filepath.Abs(word)
	if err != nil { // the working folder is gone
		return word
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// copying is the printed result of « files copy ».
type copying struct {
	Copied int      `json:"copied"`
	There  int      `json:"there"` // number of files that the target already had
	Failed []string `json:"failed"`
}

func (a *app) copyFiles(ctx context.Context, db *postgres.DB, from, to string) error {
	source, err := a.filesAt(from)
	if err != nil {
		return err
	}
	target, err := a.filesAt(to)
	if err != nil {
		return err
	}
	// The list is read first, because copying may take longer than the timeout of a statement.
	var rows []postgres.Ingestion
	err = db.Files(ctx, func(i postgres.Ingestion) error {
		rows = append(rows, i)
		return nil
	})
	if err != nil {
		return err
	}
	done, err := a.copyAll(ctx, source, target, rows)
	if err != nil {
		return err
	}
	if a.json {
		err = writeJSON(a.out, done)
	} else {
		_, err = fmt.Fprintf(a.outcome(), "Copiés : %d. Déjà là : %d. En échec : %d.\n", done.Copied, done.There, len(done.Failed))
	}
	if err == nil && len(done.Failed) > 0 {
		return quiet{exitFailed}
	}
	return err
}

// filesAt opens the store at an address. If address is "", it opens the configured store.
func (a *app) filesAt(address string) (blobs.Store, error) {
	c, err := a.settings()
	if err != nil {
		return nil, err
	}
	if address == "" {
		return openFiles(c)
	}
	return blobs.Open(blobs.Settings{URL: address, Key: c.BlobsKey})
}

// copyAll copies the files one after another. It stops if a store is down, but continues if
// a single file cannot be copied.
func (a *app) copyAll(ctx context.Context, source, target blobs.Store, rows []postgres.Ingestion) (copying, error) {
	done := copying{Failed: []string{}}
	var shown *terminal.Bar
	if terminal.Width(a.err) > 0 && !a.json {
		shown = terminal.NewBar(a.err)
		defer shown.End()
	}
	for n, row := range rows {
		if shown != nil {
			shown.Draw(fmt.Sprintf("Copie %d/%d :", n+1, len(rows)), row.Filename, "", n, len(rows))
		}
		copied, err := blobs.Copy(ctx, source, target, row.SHA256)
		switch {
		case err == nil && copied:
			done.Copied++
		case err == nil:
			done.There++
		case errs.Is(err, errs.NotFound), errs.Is(err, errs.Conflict):
			done.Failed = append(done.Failed, row.SHA256)
			said := fmt.Sprintf("%s (%.12s…) : %s", terminal.Line(row.Filename), row.SHA256, errs.Public(err))
			if shown != nil {
				shown.Say(said)
			} else {
				fmt.Fprintln(a.always, said)
			}
		default:
			return done, err
		}
	}
	return done, nil
}
