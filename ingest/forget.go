package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) forgetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "forget FICHIER|ID…", Short: "Oublie des fichiers en échec ou annulés, dont aucun texte n’est venu", Args: takes(1, 1<<20, "un fichier ou l’identifiant d’une ingestion"),
		Long: "Oublie des fichiers en échec ou annulés : leur ligne, leurs pages lues et leurs octets disparaissent, et ils\n" +
			"peuvent être ajoutés de nouveau comme s’ils n’avaient jamais été là. Un fichier se donne par l’identifiant de\n" +
			"son ingestion, par son chemin, ou par le nom sous lequel il a été ajouté. Un fichier en attente ou en cours, ou\n" +
			"qui a donné des textes, reste.",
		Example:               "  ingest forget 0197…\n  ingest forget coupe.pdf",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.forget(c.Context(), db, args) })
		},
	}
}

func (a *app) forget(ctx context.Context, db *postgres.DB, args []string) error {
	forgotten := []ingestionView{}
	for _, arg := range args {
		row, err := fileMeant(ctx, db, arg)
		if err != nil {
			return err
		}
		orphan, err := db.ForgetIngestion(ctx, row.ID)
		if errs.Is(err, errs.Conflict) {
			return errs.Newf(errs.Conflict, "%s reste. %s", cleanLine(row.Filename), errs.Public(err))
		}
		if errs.Is(err, errs.NotFound) { // a concurrent command deleted the file
			return noFile(arg)
		}
		if err != nil {
			return err
		}
		if err := a.dropFile(ctx, db, orphan); err != nil {
			return err
		}
		forgotten = append(forgotten, viewOf(row))
		if !a.json {
			fmt.Fprintf(a.outcome(), "Oublié : %s (%s).\n", cleanLine(row.Filename), stateName(row.State))
		}
	}
	if a.json {
		return writeList(a.out, forgotten, len(forgotten))
	}
	return nil
}

func noFile(arg string) error {
	return errs.Newf(errs.NotFound, "Aucun fichier « %s » à oublier. « ingest status --state failed » donne la liste.", cleanLine(arg))
}

// fileMeant returns the file that an argument means: a path to the same bytes, the name of
// a failed or cancelled file, or the id of its ingestion, which may be a prefix.
func fileMeant(ctx context.Context, db *postgres.DB, arg string) (row postgres.Ingestion, err error) {
	if sha, there := shaOf(arg); there {
		row, err = db.IngestionBySHA(ctx, sha)
		if errs.Is(err, errs.NotFound) {
			return row, noFile(arg)
		}
		return row, err
	}
	row, err = fileNamed(ctx, db, arg)
	meant, malformed := typedID(ingestions, arg)
	if !errs.Is(err, errs.NotFound) || malformed != nil {
		return row, err
	}
	id, err := meant.find(ctx, db)
	if err == nil {
		row, err = db.Ingestion(ctx, id)
	}
	if errs.Is(err, errs.NotFound) {
		return row, noFile(arg)
	}
	return row, err
}

// shaOf returns the hash of a file. ok is false if the file cannot be read.
func shaOf(path string) (sha string, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }() // the file was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
}

// fileNamed returns the only failed or cancelled file with a name.
func fileNamed(ctx context.Context, db *postgres.DB, name string) (postgres.Ingestion, error) {
	var found []postgres.Ingestion
	for _, state := range []string{"failed", "cancelled"} {
		rows, err := db.Ingestions(ctx, state, retried)
		if err != nil {
			return postgres.Ingestion{}, err
		}
		found = append(found, slices.DeleteFunc(rows, func(i postgres.Ingestion) bool { return i.Filename != name })...)
	}
	switch len(found) {
	case 0:
		return postgres.Ingestion{}, noFile(name)
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, i := range found {
		ids = append(ids, i.ID.String())
	}
	return postgres.Ingestion{}, usage("Plusieurs fichiers s’appellent « %s » : donnez l’identifiant de l’un d’eux (%s).", cleanLine(name), strings.Join(ids, ", "))
}
