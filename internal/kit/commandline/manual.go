package commandline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
