package main

import (
	"context"
	"errors"
	"fmt"

	"vigueur/internal/kit/errs"
)

// The exit codes, which --help documents.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitStore       = 3
	exitInterrupted = 130
)

const exitHelp = `Codes de sortie :
  0    tout va bien
  1    un fichier ou une réponse a échoué, ou ce qui est demandé n’existe pas ou n’est pas permis
  2    commande ou configuration incorrecte
  3    un service (PostgreSQL, Redis, dossier des fichiers) est arrêté ou refuse, ou la base n’est pas à jour
  130  interrompu (Ctrl-C)`

// quiet is the error of a command that has already reported its failure.
type quiet struct{ code int }

func (q quiet) Error() string { return fmt.Sprintf("exit %d", q.code) }

// usage returns an error in the command line.
func usage(format string, args ...any) error { return errs.Newf(errs.Invalid, format, args...) }

// exitCode returns the exit code for err.
func exitCode(ctx context.Context, err error) int {
	var q quiet
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &q):
		return q.code
	case ctx.Err() != nil, errs.Is(err, errs.Cancelled):
		return exitInterrupted
	case errs.Is(err, errs.Invalid):
		return exitUsage
	case errs.Is(err, errs.Unavailable):
		return exitStore
	}
	return exitFailed
}

// sentence returns the message of err for the operator. A defect is reported with its
// cause, because no log contains it.
func sentence(err error) string {
	if errs.Is(err, errs.Internal) {
		return "Erreur interne : " + err.Error()
	}
	return errs.Public(err)
}
