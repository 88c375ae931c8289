// Package commandline has cobra speak French: help that fits the terminal, errors of the command line, and a manual page.
package commandline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vigueur/internal/kit/errs"
)

// ErrHelpShown is the error of a command that only has subcommands, where none was given. Its help is shown.
var ErrHelpShown = errors.New("commandline: help shown")

// SetUp has the help and the errors of a program and its commands be French. Options that several commands share are
// those of root.
func SetUp(root *cobra.Command) {
	addHelpFuncs()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions = cobra.CompletionOptions{DisableDefaultCmd: true}
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(usageTemplate)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return errs.New(errs.Invalid, flagFault(err)) })
	root.PersistentFlags().BoolP("help", "h", false, "affiche cette aide")
	Group(root)
	root.SetHelpCommand(helpCommand(root))
}

// helpCommand returns the command « ingest help COMMANDE ».
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMANDE]", Short: "Explique une commande",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return errs.Newf(errs.Invalid, "Commande inconnue : « %s ».", strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

// Group makes c a command that only has subcommands. Without a subcommand it shows its
// help; an unknown subcommand gets a French error message.
func Group(c *cobra.Command) *cobra.Command {
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		said := fmt.Sprintf("Commande inconnue : « %s %s ».", c.CommandPath(), args[0])
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			said += " Vouliez-vous dire « " + strings.Join(near, " », « ") + " » ?"
		}
		return errs.Newf(errs.Invalid, "%s « %s --help » donne la liste.", said, c.CommandPath())
	}
	c.SuggestionsMinimumDistance = 2
	c.RunE = func(c *cobra.Command, _ []string) error {
		c.SetOut(c.ErrOrStderr())
		if err := c.Help(); err != nil {
			return err
		}
		return ErrHelpShown
	}
	return c
}

// Takes returns a check of the number of arguments; what is their name in error messages.
func Takes(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return errs.Newf(errs.Invalid, "Il manque %s. Usage : %s", what, UseLine(c))
		case len(args) > most:
			return errs.Newf(errs.Invalid, "Argument en trop : « %s ». Usage : %s", args[most], UseLine(c))
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
