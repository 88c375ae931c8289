package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
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
	document := func(of postgres.Subset) proposals { return a.rows(postgres.NamedDocuments, of) }
	pdfs, forgettable := always("pdf"), a.rows(postgres.NamedIngestions, postgres.Forgettable)
	all := map[string]arguments{
		"add":              {pdfs, pdfs, cobra.ShellCompDirectiveFilterFileExt},
		"watch":            {always(), always(), folders},
		"status":           one(a.ingestionIDs("")),
		"retry":            some(a.ingestionIDs("failed", "cancelled", "review", "done")),
		"cancel":           some(a.ingestionIDs("queued", "running")),
		"forget":           {forgettable, forgettable, cobra.ShellCompDirectiveDefault},
		"export":           one(document(postgres.Every)),
		"config":           some(a.settingNames),
		"documents show":   one(document(postgres.Readable)),
		"documents set":    {document(postgres.InCatalogue), either(a.corrections, document(postgres.InCatalogue)), nothing},
		"documents delete": one(document(postgres.InCatalogue)),
		"review show":      one(document(postgres.InReview)),
		"review accept":    one(document(postgres.InReview)),
		"review reject":    one(document(postgres.InReview)),
		"review reopen":    one(document(postgres.Accepted)),
		"review restore":   one(document(postgres.IsSuperseded)),
		"review relation":  one(a.uncertainIDs),
		"review proposals": one(a.ingestionIDs("")),
		"versions list":    one(document(postgres.Versioned)),
		"versions settle":  one(a.rows(postgres.NamedAmendments, postgres.Decidable)),
		"versions undo":    one(a.rows(postgres.NamedDecisions, postgres.Every)),
		"versions rebuild": one(document(postgres.InCatalogue)),
		"follow delete":    one(a.rows(postgres.NamedFollows, postgres.Every)),
		"keys revoke":      one(a.rows(postgres.NamedKeys, postgres.Unrevoked)),
		"shared withdraw":  some(a.rows(postgres.NamedShared, postgres.Linked)),
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
	for _, c := range country.Listed() {
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
		"domaine": a.domains, "target": a.rows(postgres.NamedDocuments, postgres.Readable), "owner": a.addresses, "set": a.assignments,
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

// propose returns proposals that f finds in the database.
func (a *app) propose(f func(ctx context.Context, db *postgres.DB, word string) ([]string, error)) proposals {
	return func(ctx context.Context, word string) (all []string) {
		_ = a.withDB(ctx, func(db *postgres.DB) (err error) {
			all, err = f(ctx, db, word)
			return err
		})
		return all
	}
}

// proposal formats a value with its description.
func proposal(value, label string) string {
	return value + "\t" + cut(cleanLine(label), 60)
}

// rows returns proposals for the ids of a subset of a table.
func (a *app) rows(table postgres.Named, of postgres.Subset) proposals {
	return a.propose(func(ctx context.Context, db *postgres.DB, word string) (all []string, err error) {
		from, to := uuid.Nil, uuid.Max
		if word != "" {
			figures := strings.ReplaceAll(strings.ToLower(word), "-", "")
			if from, err = uuid.Parse(fill(figures, "0")); err != nil {
				return nil, errs.Wrap(errs.Invalid, "", err)
			}
			to, _ = uuid.Parse(fill(figures, "f")) // valid, because from is valid
		}
		found, err := db.Proposed(ctx, table, of, from, to, completed)
		for _, f := range found {
			all = append(all, proposal(f.ID.String(), f.Label))
		}
		return all, err
	})
}
