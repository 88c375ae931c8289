package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vigueur/internal/kit/errs"
)

// helpTemplate is cobra's template for help, in French. It contains the template of the
// usage, because cobra renders a usage into a buffer, which has no width.
const helpTemplate = "{{description .}}\n\n" + usageTemplate

// usageTemplate is cobra's template for the usage, in French.
const usageTemplate = `Usage :{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMANDE{{else}}
  {{useLine .}}{{end}}{{if .HasExample}}

Exemples :
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commandes :
{{commandList .}}{{end}}{{if .HasAvailableLocalFlags}}

Options :
{{flagUsages . .LocalFlags}}{{end}}{{if .HasAvailableInheritedFlags}}

Options communes :
{{flagUsages . .InheritedFlags}}{{end}}{{if .HasAvailableSubCommands}}

« {{.CommandPath}} COMMANDE --help » explique une commande.{{end}}
`

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
		Use:           cmp.Or(a.name, programName),
		Short:         "Vigueur : la commande de l’opérateur",
		Long:          cmp.Or(a.name, programName) + " est la commande de l’opérateur de Vigueur : elle ajoute des gazettes, pose des questions,\ngère les comptes et la base.\n\n" + exitHelp,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	addHelpFuncs()
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(usageTemplate)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%s", flagFault(err)) })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "écrit du JSON au lieu d’un tableau")
	root.PersistentFlags().BoolVarP(&a.silent, "quiet", "q", false, "ne dit rien si tout va bien")
	root.PersistentFlags().StringVar(&a.logPath, "log-file", "", "ajoute à `FICHIER` ce qui est dit, avec l’heure")
	root.PersistentFlags().StringVar(&a.profileName, "profile", "", "`PROFIL` de ingest login : le serveur où la commande travaille")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.outputs(c) }
	root.PersistentFlags().BoolP("help", "h", false, "affiche cette aide")
	root.PersistentFlags().VisitAll(a.nameInHelp)
	for _, name := range slices.Sorted(maps.Keys(declarations())) {
		root.AddCommand(a.command(name, declarations()[name]))
	}
	group(root)
	root.SetHelpCommand(helpCommand(root))
	return root
}

// helpCommand returns the command « ingest help COMMANDE ».
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMANDE]", Short: "Explique une commande",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage("Commande inconnue : « %s ».", strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

// group makes c a command that only has subcommands. Without a subcommand it shows its
// help; an unknown subcommand gets a French error message.
func group(c *cobra.Command) *cobra.Command {
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		said := fmt.Sprintf("Commande inconnue : « %s %s ».", c.CommandPath(), args[0])
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			said += " Vouliez-vous dire « " + strings.Join(near, " », « ") + " » ?"
		}
		return usage("%s « %s --help » donne la liste.", said, c.CommandPath())
	}
	c.SuggestionsMinimumDistance = 2
	c.RunE = func(c *cobra.Command, _ []string) error {
		c.SetOut(c.ErrOrStderr())
		if err := c.Help(); err != nil {
			return err
		}
		return quiet{exitUsage}
	}
	return c
}

// takes returns a check of the number of arguments; what is their name in error messages.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("Il manque %s. Usage : %s", what, useLine(c))
		case len(args) > most:
			return usage("Argument en trop : « %s ». Usage : %s", args[most], useLine(c))
		}
		return nil
	}
}

// flagFault translates an error of pflag into French.
func flagFault(err error) string {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return fmt.Sprintf("Option inconnue : « %s ».", withDashes(unknown.GetSpecifiedName()))
	case errors.As(err, &bare):
		return fmt.Sprintf("L’option « %s » attend une valeur.", withDashes(bare.GetSpecifiedName()))
	case errors.As(err, &bad):
		return fmt.Sprintf("L’option « --%s » ne peut pas valoir « %s ».", bad.GetFlag().Name, bad.GetValue())
	}
	return "Option incorrecte : " + err.Error()
}

func withDashes(name string) string {
	if len([]rune(name)) == 1 {
		return "-" + name
	}
	return "--" + name
}
