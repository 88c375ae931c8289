package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// The commands below are not declared yet.

// undeclared are the completions of the arguments of commands that are not declared.
var undeclared = map[string]string{
	"review show": "documents:review", "review accept": "documents:review", "review reject": "documents:review", "review reopen": "documents:accepted",
	"review restore": "documents:superseded", "review relation": "relations", "review proposals": "ingestions", "versions list": "documents:versioned",
	"versions show": "documents:versioned/changed", "versions settle": "amendments:decidable", "versions undo": "decisions", "versions rebuild": "documents:catalogue", "gazette undo": "ingestions/edits",
}

// undeclaredOptions are the completions of their options.
var undeclaredOptions = map[string]string{"type": "types", "domaine": "domains", "pays": "countries", "kind": "filekinds", "target": "documents:readable", "set": "fields"}

// complete adds the completions of commands that are not declared.
func (a *app) complete(c *cobra.Command) {
	for name, of := range undeclaredOptions {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, a.proposed(of).complete(cobra.ShellCompDirectiveNoFileComp))
		}
	}
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	propose, rest, _ := strings.Cut(undeclared[path], "/")
	if strings.HasPrefix(path, "gazette ") {
		propose = cmp.Or(propose, "ingestions")
	}
	if !c.HasSubCommands() {
		c.ValidArgsFunction = a.argumentsOf(&declaration{Args: arity{Propose: propose, Rest: rest}})
	}
	for _, sub := range c.Commands() {
		a.complete(sub)
	}
}

func (a *app) confirmDeletion(what string) error {
	return a.agreedTo(what, "Rien n’est supprimé : ce n’a pas été confirmé (--yes supprime sans demander).")
}

// number adds an integer flag. Its default value is part of the French help.
func number(c *cobra.Command, to *int, name string, preset int, help string) {
	c.Flags().IntVar(to, name, preset, fmt.Sprintf("%s (%d par défaut)", help, preset))
	c.Flags().Lookup(name).DefValue = "0" // otherwise, pflag would print the default value in English
}

type addOptions struct{ noWait bool }

// withRecut calls f with the server that takes files.
func (a *app) withRecut(ctx context.Context, o addOptions, f func(r *adding) error) error {
	return a.withAdding(ctx, &input{declaration: &declaration{}}, func(r *adding) error {
		r.noWait = o.noWait
		return f(r)
	})
}
