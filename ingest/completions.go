package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
)

const (
	// completeTime is the timeout of database queries for shell completion.
	completeTime = 2 * time.Second
	// completed is the maximum number of ids that are proposed.
	completed = 100
)

// proposals is a function that returns the completions of a word. A description may follow
// each completion after a tab. In case of an error there are no completions.
type proposals func(ctx context.Context, word string) []string

// arguments are the completions of a command's arguments.
type arguments struct {
	first, rest proposals // rest is nil if the command takes one argument
	directive   cobra.ShellCompDirective
}

// complete converts the arguments to cobra's type.
func (g arguments) complete(c *cobra.Command, given []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	of := g.first
	if len(given) > 0 {
		of = g.rest
	}
	return of.complete(g.directive)(c, given, word)
}

// commandArguments returns the completions of arguments by command path, without the name
// of the program.
func (a *app) commandArguments() map[string]arguments {
	const nothing, folders = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveFilterDirs
	one := func(p proposals) arguments { return arguments{p, nil, nothing} }
	some := func(p proposals) arguments { return arguments{p, p, nothing} }
	document := func(of string) proposals { return a.rows(texts, of) }
	pdfs, forgettable := always("pdf"), a.rows(ingestions, "forgettable")
	all := map[string]arguments{
		"add":              {pdfs, pdfs, cobra.ShellCompDirectiveFilterFileExt},
		"watch":            {always(), always(), folders},
		"status":           one(a.ingestionIDs("")),
		"retry":            some(a.ingestionIDs("failed", "cancelled", "review", "done")),
		"cancel":           some(a.ingestionIDs("queued", "running")),
		"forget":           {forgettable, forgettable, cobra.ShellCompDirectiveDefault},
		"export":           one(document("")),
		"config":           some(a.settingNames),
		"documents show":   one(document("readable")),
		"documents set":    {document("catalogue"), either(a.corrections, document("catalogue")), nothing},
		"documents delete": one(document("catalogue")),
		"review show":      one(document("review")),
		"review accept":    one(document("review")),
		"review reject":    one(document("review")),
		"review reopen":    one(document("accepted")),
		"review restore":   one(document("superseded")),
		"review relation":  one(a.uncertainIDs),
		"review proposals": one(a.ingestionIDs("")),
		"versions list":    one(document("versioned")),
		"versions settle":  one(a.rows(amendments, "decidable")),
		"versions undo":    one(a.rows(decisions, "")),
		"versions rebuild": one(document("catalogue")),
		"follow delete":    one(a.rows(follows, "")),
		"keys revoke":      one(a.rows(apiKeys, "unrevoked")),
		"shared withdraw":  some(a.rows(conversations, "linked")),
		"backup":           {always(), nil, cobra.ShellCompDirectiveDefault}, // the names of its commands are completed too
		"backup list":      {always(), nil, folders},
		"backup check":     {always(), nil, folders},
		"backup prune":     {always(), nil, folders},
		"restore":          {always(), nil, folders},
	}
	for _, name := range []string{"lines", "split", "merge", "move", "renumber", "retitle", "correct", "edits", "recut", "say", "delete"} {
		all["gazette "+name] = one(a.ingestionIDs(""))
	}
	for _, name := range []string{"password", "erase", "reset-factor", "untie"} {
		all["user "+name] = one(a.addresses)
	}
	for _, name := range []string{"deactivate", "activate"} {
		all["user "+name] = some(a.addresses)
	}
	all["user country"] = arguments{a.addresses, always(append(listedCountries(), anyCountry+"\tretire le pays")...), nothing}
	return all
}

// either returns the proposals of both.
func either(one, other proposals) proposals {
	return func(ctx context.Context, word string) []string { return append(one(ctx, word), other(ctx, word)...) }
}

// completions registers completions for the arguments and options of every command. An
// argument without completions is not completed with file names.
func (a *app) completions(root *cobra.Command) {
	known, options := a.commandArguments(), a.options()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for name, values := range options {
			if c.Flags().Lookup(name) != nil {
				// The call fails only if a completion was registered before.
				_ = c.RegisterFlagCompletionFunc(name, values.complete(cobra.ShellCompDirectiveNoFileComp))
			}
		}
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		given, listed := known[path]
		switch {
		case c.ValidArgsFunction != nil || len(c.ValidArgs) > 0: // the command has completions of its own
		case listed:
			c.ValidArgsFunction = given.complete
		case !c.HasSubCommands():
			c.ValidArgsFunction = proposals(nil).complete(cobra.ShellCompDirectiveNoFileComp)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// listedCountries returns the completions of a country.
func listedCountries() (out []string) {
	for _, c := range country.List() {
		out = append(out, string(c)+"\t"+country.Name(c))
	}
	return out
}

// options returns the completions of options by name.
func (a *app) options() map[string]proposals {
	var formats, ingestionStates []string
	for _, f := range export.Formats() {
		formats = append(formats, f.Name)
	}
	for _, s := range states {
		if s[0] != refused && s[0] != wanted {
			ingestionStates = append(ingestionStates, s[0]+"\t"+s[1])
		}
	}
	return map[string]proposals{
		"pays": always(listedCountries()...), "kind": always(kindsOfFiles()...), "state": always(ingestionStates...), "format": always(formats...), "role": always(roles()...),
		"type": always(strings.Split(joined(law.DocTypes()), ", ")...), "statut": always(strings.Split(joined(law.Statuses()), ", ")...),
		"action": always(strings.Split(joined(postgres.Actions()), ", ")...), "user": a.addresses,
		"domaine": a.domains, "target": a.rows(texts, "readable"), "owner": a.addresses, "set": a.assignments,
	}
}

// complete converts p to cobra's type.
func (p proposals) complete(directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(c *cobra.Command, given []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		if p == nil {
			return nil, directive
		}
		ctx, cancel := context.WithTimeout(c.Context(), completeTime)
		defer cancel()
		for _, proposal := range p(ctx, word) {
			value, _, _ := strings.Cut(proposal, "\t")
			if directive == cobra.ShellCompDirectiveFilterFileExt || strings.HasPrefix(value, word) && !slices.Contains(given, value) {
				all = append(all, proposal)
			}
		}
		if len(all) == 1 && strings.HasSuffix(all[0], "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return all, directive
	}
}

// always returns proposals with fixed values.
func always(values ...string) proposals {
	return func(context.Context, string) []string { return values }
}

// propose returns proposals that f finds by the API.
func (a *app) propose(f func(ctx context.Context, s *server, word string) ([]string, error)) proposals {
	return func(ctx context.Context, word string) (all []string) {
		_ = a.withServer(ctx, func(s *server) (err error) {
			all, err = f(ctx, s, word)
			return err
		})
		return all
	}
}

// proposal formats a value with its description.
func proposal(value, label string) string {
	return value + "\t" + cut(cleanLine(label), 60)
}

// rows returns proposals for the ids of a kind of objects, or of a subset of them.
func (a *app) rows(t thing, which string) proposals {
	return a.propose(func(ctx context.Context, s *server, word string) (all []string, err error) {
		found, err := s.ids(ctx, t, which, strings.ReplaceAll(word, "-", ""))
		for _, f := range found {
			all = append(all, proposal(f.ID.String(), f.Label))
		}
		return all, err
	})
}
