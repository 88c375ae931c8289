package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/gazettes"
)

// forget runs « forget ».
func (a *app) forget(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error { return a.forgetFiles(ctx, s, in.args) })
}

// forgetFiles forgets files, each for itself, until one is refused.
func (a *app) forgetFiles(ctx context.Context, s *server, args []string) error {
	forgotten := []gazettes.IngestionBody{}
	for _, arg := range args {
		row, err := s.fileMeant(ctx, arg)
		if err != nil {
			return err
		}
		err = s.Call(ctx, http.MethodDelete, "/admin/ingestions/"+row.ID.String(), nil, nil, nil)
		if errs.Is(err, errs.Conflict) {
			return errs.Newf(errs.Conflict, "%s reste. %s", terminal.Line(row.Filename), errs.Public(err))
		}
		if errs.Is(err, errs.NotFound) { // a concurrent command deleted the file
			return noFile(arg)
		}
		if err != nil {
			return err
		}
		forgotten = append(forgotten, row)
		if err := a.say("Oublié : %s (%s).", terminal.Line(row.Filename), stateName(row.State)); err != nil {
			return err
		}
	}
	if a.json {
		return writeList(a.out, forgotten, len(forgotten))
	}
	return nil
}

func noFile(arg string) error {
	return errs.Newf(errs.NotFound, "Aucun fichier « %s » à oublier. « ingest status --state failed » donne la liste.", terminal.Line(arg))
}

// fileMeant returns the file that an argument means: a path to the same bytes, the name of
// a failed or cancelled file, or the id of its ingestion, which may be a prefix.
func (s *server) fileMeant(ctx context.Context, arg string) (row gazettes.IngestionBody, err error) {
	if sha, there := shaOf(arg); there {
		found, err := s.FileOf(ctx, sha)
		if err == nil && found == nil {
			err = noFile(arg)
		}
		if err != nil {
			return row, err
		}
		return *found, nil
	}
	row, err = s.fileNamed(ctx, arg)
	if _, malformed := typedID(ingestions, arg); !errs.Is(err, errs.NotFound) || malformed != nil {
		return row, err
	}
	if row, err = s.file(ctx, arg); errs.Is(err, errs.NotFound) {
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
func (s *server) fileNamed(ctx context.Context, name string) (row gazettes.IngestionBody, err error) {
	var found []gazettes.IngestionBody
	for _, state := range []string{"failed", "cancelled"} {
		rows, _, err := client.ListUpTo[gazettes.IngestionBody](ctx, s.Client, "/admin/ingestions", url.Values{"state": {state}, "q": {name}}, retried)
		if err != nil {
			return row, err
		}
		found = append(found, slices.DeleteFunc(rows, func(i gazettes.IngestionBody) bool { return i.Filename != name })...)
	}
	switch len(found) {
	case 0:
		return row, noFile(name)
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, i := range found {
		ids = append(ids, i.ID.String())
	}
	return row, usage("Plusieurs fichiers s’appellent « %s » : donnez l’identifiant de l’un d’eux (%s).", terminal.Line(name), strings.Join(ids, ", "))
}
