// Package commandline has cobra speak French: help that fits the terminal, errors of the command line, and a manual page.
package commandline

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
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

// addHelpFuncs adds the functions of the help's templates to cobra, which keeps them for the
// whole process. They measure characters, not bytes, and wrap lines at the width of a
// terminal.
var addHelpFuncs = sync.OnceFunc(func() {
	cobra.AddTemplateFuncs(map[string]any{
		"useLine": UseLine, "description": description, "flagUsages": flagUsages, "commandList": commandList,
	})
})

// UseLine returns the usage of a command on one line. cobra adds « [flags] » to a usage that
// does not list the options.
func UseLine(c *cobra.Command) string {
	line, unlisted := strings.CutSuffix(c.UseLine(), " [flags]")
	if unlisted {
		line += " [options]"
	}
	return line
}

// description returns what a command does. On a terminal, its paragraphs are wrapped anew, except lists, whose lines begin
// with a blank.
func description(c *cobra.Command) string {
	paragraphs := strings.Split(strings.TrimSpace(cmp.Or(c.Long, c.Short)), "\n\n")
	for i, p := range paragraphs {
		if width := terminal.Width(c.OutOrStdout()); width > 0 && !strings.Contains(p, "\n ") {
			paragraphs[i] = terminal.Wrap(p, width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// pairs prints names with their explanations in two columns.
func pairs(c *cobra.Command, list [][2]string) string {
	indent := 0
	for _, p := range list {
		indent = max(indent, text.StringWidth(p[0])+5)
	}
	var b strings.Builder
	screen := terminal.Screen{Writer: &b, Width: func() int { return terminal.Width(c.OutOrStdout()) }}
	for _, p := range list {
		terminal.Field(screen, indent, "  "+p[0], p[1])
	}
	return strings.TrimRight(b.String(), "\n")
}

// flagUsages lists options with their explanations.
func flagUsages(c *cobra.Command, flags *pflag.FlagSet) string {
	var list [][2]string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		value, explanation := pflag.UnquoteUsage(f)
		if value != "" {
			name += " " + value
		}
		list = append(list, [2]string{name, explanation})
	})
	return pairs(c, list)
}

// commandList lists the subcommands with their explanations.
func commandList(c *cobra.Command) string {
	var list [][2]string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, [2]string{sub.Name(), sub.Short})
		}
	}
	return pairs(c, list)
}

// Manual returns a page of troff with the help of a program and all its commands. title is its heading.
func Manual(root *cobra.Command, title string) string {
	var b strings.Builder
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		var help strings.Builder
		c.SetOut(&help)
		_ = c.Help() // a Builder takes everything
		fmt.Fprintf(&b, ".SS %s\n.nf\n", escapeRoff(c.CommandPath()))
		for line := range strings.SplitSeq(strings.TrimSpace(help.String()), "\n") {
			b.WriteString(escapeRoff(line) + "\n")
		}
		b.WriteString(".fi\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n.SH NOM\n%s \\- %s\n.SH COMMANDES\n", strings.ToUpper(root.Name()), title, root.Name(), escapeRoff(root.Short))
	walk(root)
	return b.String()
}

// escapeRoff returns a line as troff prints it.
func escapeRoff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
