// Package commandline has cobra speak French: help that fits the terminal, errors of the command line, and a manual page.
package commandline

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

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

// description returns what a command does. On a terminal, its paragraphs are wrapped anew;
// lines that begin with a blank, such as those of a list, are kept.
func description(c *cobra.Command) string {
	text := strings.TrimSpace(cmp.Or(c.Long, c.Short))
	width := terminal.Width(c.OutOrStdout())
	if width == 0 {
		return text
	}
	var lines []string
	paragraph := ""
	end := func() {
		if paragraph != "" {
			lines = append(lines, terminal.Wrap(paragraph, width)...)
		}
		paragraph = ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "":
			end()
			lines = append(lines, "")
		case strings.HasPrefix(line, " "):
			end()
			lines = append(lines, hanging(line, width)...)
		default:
			paragraph = strings.TrimSpace(paragraph + " " + line)
		}
	}
	end()
	return strings.Join(lines, "\n")
}

// hanging wraps a line of a list; further lines begin below its second column.
func hanging(line string, width int) []string {
	name := line[:len(line)-len(strings.TrimLeft(line, " "))]
	rest := line[len(name):]
	if pos := strings.Index(rest, "  "); pos > 0 {
		pos += len(rest[pos:]) - len(strings.TrimLeft(rest[pos:], " "))
		name, rest = name+rest[:pos], rest[pos:]
	}
	lines := terminal.Wrap(rest, max(width-terminal.Columns(name), terminal.Roomy))
	for i := range lines {
		if i == 0 {
			lines[i] = name + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", terminal.Columns(name)) + lines[i]
		}
	}
	return lines
}

// pairs prints names with their explanations in two columns.
func pairs(c *cobra.Command, list [][2]string) string {
	indent := 0
	for _, p := range list {
		indent = max(indent, terminal.Columns(p[0]))
	}
	width := terminal.Width(c.OutOrStdout())
	var lines []string
	for _, p := range list {
		line := "  " + p[0] + strings.Repeat(" ", indent-terminal.Columns(p[0])+3) + p[1]
		if width == 0 {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, hanging(line, width)...)
	}
	return strings.Join(lines, "\n")
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

// Manual returns a page of troff about a program and all its commands. title is its heading. named gives a text of the help
// the name of the program.
func Manual(root *cobra.Command, title string, named func(string) string) string {
	var b strings.Builder
	name := root.Name()
	line := func(macro, text string) { b.WriteString(strings.TrimSpace(macro+" "+escapeRoff(text)) + "\n") }
	paragraphs := func(text string) {
		for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			b.WriteString(".PP\n")
			for l := range strings.SplitSeq(paragraph, "\n") {
				if strings.HasPrefix(l, " ") { // a line of a list stays a line
					b.WriteString(".br\n")
				}
				b.WriteString(escapeRoff(named(strings.TrimSpace(l))) + "\n")
			}
		}
	}
	options := func(flags *pflag.FlagSet) {
		flags.VisitAll(func(f *pflag.Flag) {
			option := "--" + f.Name
			if f.Shorthand != "" {
				option = "-" + f.Shorthand + ", " + option
			}
			value, explanation := pflag.UnquoteUsage(f)
			if f.Hidden {
				return
			}
			b.WriteString(".TP\n")
			line(".B", strings.TrimSpace(option+" "+value))
			b.WriteString(escapeRoff(named(explanation)) + "\n")
		})
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n.SH NOM\n%s \\- %s\n", strings.ToUpper(name), title, name, escapeRoff(root.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\nCOMMANDE [options]\n.SH DESCRIPTION\n", name)
	paragraphs(root.Long)
	b.WriteString(".SH COMMANDES\n")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			line(".SS", UseLine(sub))
			paragraphs(cmp.Or(sub.Long, sub.Short))
			options(sub.LocalNonPersistentFlags())
			if sub.HasExample() {
				b.WriteString(".PP\nExemples :\n.PP\n.nf\n")
				for example := range strings.SplitSeq(sub.Example, "\n") {
					b.WriteString(escapeRoff(named(example)) + "\n")
				}
				b.WriteString(".fi\n")
			}
			walk(sub)
		}
	}
	walk(root)
	b.WriteString(".SH OPTIONS COMMUNES\n")
	options(root.PersistentFlags())
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
