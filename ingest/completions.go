package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
)

// proposals returns the completions of a word that is being typed. A description may follow each after a tab. Nothing is
// asked of a server: ids are typed by their first digits.
type proposals func(word string) []string

// argumentsOf completes the arguments of a command.
func (a *app) argumentsOf(d *declaration) cobra.CompletionFunc {
	directive := cobra.ShellCompDirectiveNoFileComp
	switch d.Args.Propose {
	case "pdfs":
		directive = cobra.ShellCompDirectiveFilterFileExt
	case "folders":
		directive = cobra.ShellCompDirectiveFilterDirs
	case "files", "ingestions:paths": // which may be named by their paths
		directive = cobra.ShellCompDirectiveDefault
	}
	first, further := a.proposed(d.Args.Propose), a.proposed(d.Args.Rest)
	return func(c *cobra.Command, given []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(given) > 0 {
			return further.complete(directive)(c, given, word)
		}
		return first.complete(directive)(c, given, word)
	}
}

// proposed returns the completions that a declaration names. It returns nil for "", for files, which the shell
// completes, and for ids. It panics if there is no such kind.
func (a *app) proposed(name string) proposals {
	kind, subset, _ := strings.Cut(name, ":")
	switch kind {
	case "", "files", "domains":
		return nil
	case "folders":
		return always()
	case "pdfs":
		return always("pdf")
	case "types":
		return always(strings.Split(joined(law.DocTypes()), ", ")...)
	case "statuses":
		return always(strings.Split(joined(law.Statuses()), ", ")...)
	case "actions":
		return always(strings.Split(joined(postgres.Actions()), ", ")...)
	case "words":
		return always(strings.Split(subset, ",")...)
	case "filekinds":
		return always(strings.Split(joined(gazette.FileKinds()), ", ")...)
	case "countries":
		return always(listedCountries()...)
	case "anycountry":
		return always(append(listedCountries(), anyCountry+"\tretire le pays")...)
	case "formats":
		var names []string
		for _, f := range export.Formats() {
			names = append(names, f.Name)
		}
		return always(names...)
	case "states":
		var names []string
		for _, s := range states {
			if s[0] != refused && s[0] != wanted {
				names = append(names, s[0]+"\t"+s[1])
			}
		}
		return always(names...)
	case "settings":
		return a.settingNames
	case "fields":
		return func(word string) []string { return a.assignments(word, "remplace") }
	case "corrections":
		return func(word string) []string { return a.assignments(word, "remplace", "statut", "abroge_par") }
	}
	thingNamed(kind)
	return nil
}

// listedCountries returns the completions of a country.
func listedCountries() (out []string) {
	for _, c := range country.List() {
		out = append(out, string(c)+"\t"+country.Name(c))
	}
	return out
}

// complete converts p to cobra's type.
func (p proposals) complete(directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, given []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		if p == nil {
			return nil, directive
		}
		for _, proposal := range p(word) {
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
	return func(string) []string { return values }
}

// settingNames completes names of settings.
func (a *app) settingNames(string) (all []string) {
	settings, _ := a.allSettings() // an error in a setting does not matter here
	for _, s := range settings {
		all = append(all, s.Env+"\t"+terminal.Cut(terminal.Line(s.Help), 60))
	}
	return all
}

// assignments completes the fields of a text and further ones as field=, and the values of those with a fixed list.
func (a *app) assignments(word string, further ...string) (all []string) {
	name, _, valued := strings.Cut(word, "=")
	if !valued {
		for _, f := range fields {
			if f.name != published {
				all = append(all, f.name+"=")
			}
		}
		for _, f := range further {
			all = append(all, f+"=")
		}
		return all
	}
	kind := ""
	switch i := slices.IndexFunc(fields, func(f field) bool { return f.name == name || f.short == name }); {
	case name == "statut":
		kind = "statuses"
	case i >= 0 && fields[i].name == "doc_type":
		kind = "types"
	default:
		return nil
	}
	for _, v := range a.proposed(kind)("") {
		all = append(all, name+"="+v)
	}
	return all
}
