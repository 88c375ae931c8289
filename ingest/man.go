package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vigueur/internal/kit/terminal"
)

// man runs « man », with which packages make the manual page.
func (a *app) man(_ context.Context, in *input) error {
	root := in.command.Root()
	if err := rename(root, in.text("name")); err != nil {
		return err
	}
	_, err := fmt.Fprint(a.out, manual(root))
	return err
}

// completion runs « completion ».
func (a *app) completion(_ context.Context, in *input) error {
	root := in.command.Root()
	if err := rename(root, in.text("name")); err != nil {
		return err
	}
	switch in.args[0] {
	case "bash":
		return root.GenBashCompletionV2(a.out, true)
	case "zsh":
		return root.GenZshCompletion(a.out)
	case "fish":
		return root.GenFishCompletion(a.out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.out)
	}
	return usage("« %s » n’est pas un shell pris en charge : bash, zsh, fish ou powershell.", in.args[0])
}

// rename gives the program another name.
func rename(root *cobra.Command, name string) error {
	if name == "" {
		return nil
	}
	if !nameForm.MatchString(name) {
		return usage("--name attend un nom de commande, pas « %s ».", terminal.Line(name))
	}
	root.Use = name
	return nil
}

// manual returns a page of troff about the program and all its commands.
func manual(root *cobra.Command) string {
	var b strings.Builder
	name := root.Name()
	line := func(macro, text string) { b.WriteString(strings.TrimSpace(macro+" "+escapeRoff(text)) + "\n") }
	named := func(text string) string { return called.ReplaceAllString(text, name+" $1") }
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
	fmt.Fprintf(&b, ".TH %s 1 \"\" Vigueur \"Commande de l’opérateur\"\n.SH NOM\n%s \\- %s\n", strings.ToUpper(name), name, escapeRoff(root.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\nCOMMANDE [options]\n.SH DESCRIPTION\n", name)
	paragraphs(root.Long)
	b.WriteString(".SH COMMANDES\n")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			line(".SS", useLine(sub))
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
