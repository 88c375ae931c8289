package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/commandline"
	"vigueur/internal/kit/errs"
)

// run executes the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.err = a.renaming(a.err)
	root, screen := a.root(), a.err
	a.always = screen
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if !a.json { // an invalid option before --json keeps pflag from parsing --json
		a.json = slices.Contains(args, "--json")
	}
	if errors.Is(err, commandline.ErrHelpShown) {
		err = quiet{exitUsage}
	}
	if said := (quiet{}); err != nil && !errors.As(err, &said) {
		code := exitCode(ctx, err)
		a.sayError(err, code)
		a.closeLog(code, screen)
		return code
	}
	code := exitCode(ctx, err)
	a.closeLog(code, screen)
	return code
}

// sayError prints the error that ended the command on the standard error, so that readers
// of the standard output get only data.
func (a *app) sayError(err error, code int) {
	f := faultOf(err)
	if code == exitInterrupted {
		f = fault{errs.Cancelled.String(), "Interrompu."}
	}
	if a.json {
		_ = writeFault(a.always, f) // an error cannot be printed anywhere else
		return
	}
	fmt.Fprintln(a.always, f.Detail)
}

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   cmp.Or(a.name, programName),
		Short: "Vigueur : la commande de l’opérateur",
		Long:  cmp.Or(a.name, programName) + " est la commande de l’opérateur de Vigueur : elle ajoute des gazettes, pose des questions,\ngère les comptes et la base.\n\n" + exitHelp,
	}
	commandline.SetUp(root)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "écrit du JSON au lieu d’un tableau")
	root.PersistentFlags().BoolVarP(&a.silent, "quiet", "q", false, "ne dit rien si tout va bien")
	root.PersistentFlags().StringVar(&a.logPath, "log-file", "", "ajoute à `FICHIER` ce qui est dit, avec l’heure")
	root.PersistentFlags().StringVar(&a.profileName, "profile", "", "`PROFIL` de ingest login : le serveur où la commande travaille")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.outputs(c) }
	root.PersistentFlags().VisitAll(a.nameInHelp)
	for _, name := range slices.Sorted(maps.Keys(declarations())) {
		root.AddCommand(a.command(name, declarations()[name]))
	}
	return root
}
