package commandline

import (
	"cmp"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vigueur/internal/kit/terminal"
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
	if at := strings.Index(rest, "  "); at > 0 {
		at += len(rest[at:]) - len(strings.TrimLeft(rest[at:], " "))
		name, rest = name+rest[:at], rest[at:]
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
