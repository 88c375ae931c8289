package main

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
)

const (
	// completeTime is the timeout of requests for shell completion.
	completeTime = 2 * time.Second
	// completed is the maximum number of ids that are proposed.
	completed = 100
)

// typing is what has been typed when a word is completed.
type typing struct {
	command *cobra.Command
	given   []string // the arguments before the word
	word    string
}

// proposals is a function that returns the completions of a word. A description may follow
// each completion after a tab. In case of an error there are no completions.
type proposals func(ctx context.Context, t typing) []string

// argumentsOf completes the arguments of a command.
func (a *app) argumentsOf(d *declaration) cobra.CompletionFunc {
	propose, rest := d.Args.Propose, d.Args.Rest
	if d.Call != "" && propose == "" {
		for i, name := range targets(d.Call) {
			if i == 0 {
				propose = name
			}
			if i > 0 || d.Args.Most > len(targets(d.Call))+len(d.Fields) {
				rest = name
			}
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	switch propose {
	case "pdfs":
		directive = cobra.ShellCompDirectiveFilterFileExt
	case "folders":
		directive = cobra.ShellCompDirectiveFilterDirs
	case "files", "ingestions:forgettable": // which may be named by their paths
		directive = cobra.ShellCompDirectiveDefault
	}
	first, further := a.proposed(propose), a.proposed(rest)
	return func(c *cobra.Command, given []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		of := first
		if len(given) > 0 {
			of = further
		}
		return of.complete(directive)(c, given, word)
	}
}

// proposed returns the completions that a declaration names: words of its own, or of a kind of objects and a subset of
// them. It returns nil for "" and for files, which the shell completes.
func (a *app) proposed(name string) proposals {
	kind, subset, _ := strings.Cut(name, ":")
	switch kind {
	case "", "files":
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
		return a.assignments
	case "corrections":
		return a.corrections
	case "domains":
		return a.domains
	case "users":
		return a.addresses
	case "names":
		return itemsOf(a, "/admin/names", func(n admin.TextNameBody) string { return proposal(n.Name, n.Means) })
	case "articles":
		return a.articleNumbers
	case "changed":
		return a.changedArticles
	case "edits":
		return a.editIDs
	case "relations":
		return a.uncertainIDs
	case "ingestions":
		if subset != "forgettable" {
			return a.ingestionIDs(strings.Split(subset, ",")...)
		}
	}
	of, _ := kindAndSubset(name)
	return a.rows(of, subset)
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
	return func(c *cobra.Command, given []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		if p == nil {
			return nil, directive
		}
		ctx, cancel := context.WithTimeout(c.Context(), completeTime)
		defer cancel()
		for _, proposal := range p(ctx, typing{c, given, word}) {
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
	return func(context.Context, typing) []string { return values }
}

// asking returns proposals that f finds by the API.
func (a *app) asking(f func(ctx context.Context, s *server, t typing) ([]string, error)) proposals {
	return func(ctx context.Context, t typing) (all []string) {
		var failed error // nothing is proposed then
		defer explain(&failed)
		a.question = func(string) (string, bool, error) { return "", false, nil } // a shell completes a word: nobody is asked
		_ = a.withServer(ctx, func(s *server) (err error) {
			all, err = f(ctx, s, t)
			return err
		})
		return all
	}
}

// proposal formats a value with its description.
func proposal(value, label string) string {
	return value + "\t" + terminal.Cut(terminal.Line(label), 60)
}

// itemsOf returns proposals for the items of a list of the API.
func itemsOf[T any](a *app, path string, of func(T) string) proposals {
	return a.asking(func(ctx context.Context, s *server, _ typing) (all []string, err error) {
		list, err := client.ListAll[T](ctx, s.Client, path, nil)
		for _, one := range list {
			all = append(all, of(one))
		}
		return all, err
	})
}

// rows returns proposals for the ids of a kind of objects, or of a subset of them.
func (a *app) rows(t thing, which string) proposals {
	return a.asking(func(ctx context.Context, s *server, typed typing) (all []string, err error) {
		found, err := s.ids(ctx, t, which, strings.ReplaceAll(typed.word, "-", ""))
		for _, f := range found {
			all = append(all, proposal(f.ID.String(), f.Label))
		}
		return all, err
	})
}

// ingestionIDs completes ids of files in one of the given states; "" means any state.
func (a *app) ingestionIDs(in ...string) proposals {
	return a.asking(func(ctx context.Context, s *server, _ typing) (all []string, err error) {
		for _, state := range in {
			query := url.Values{}
			if state != "" {
				query.Set("state", state)
			}
			rows, _, err := client.ListUpTo[gazettes.IngestionBody](ctx, s.Client, "/admin/ingestions", query, completed)
			if err != nil {
				return all, err
			}
			for _, i := range rows {
				if state == "" || state == "queued" || state == "running" || state == "failed" || state == "cancelled" || i.Unread > 0 {
					all = append(all, proposal(i.ID.String(), i.Filename+", "+stateName(i.State)))
				}
			}
		}
		return all, nil
	})
}

// editIDs completes the id of a file's edit that is in effect; the file is the argument before.
func (a *app) editIDs(ctx context.Context, t typing) []string {
	return a.asking(func(ctx context.Context, s *server, t typing) (all []string, err error) {
		if len(t.given) > 1 {
			return nil, nil
		}
		row, err := s.file(ctx, t.given[0])
		if err != nil {
			return nil, err
		}
		list, err := client.ListAll[json.RawMessage](ctx, s.Client, "/admin/ingestions/"+row.ID.String()+"/edits", nil)
		for _, raw := range list {
			if rendered("{{.undone_at}}", plain(raw)) == "" {
				all = append(all, proposal(rendered("{{.id}}", plain(raw)), rendered(`{{template "edit" .}}`, plain(raw))))
			}
		}
		return all, err
	})(ctx, t)
}

// articleNumbers completes numbers of articles of the text that --text names.
func (a *app) articleNumbers(ctx context.Context, t typing) []string {
	return a.asking(func(ctx context.Context, s *server, t typing) (all []string, err error) {
		id, err := s.find(ctx, texts, t.command.Flag("text").Value.String())
		if err != nil {
			return nil, err
		}
		articles, err := client.Whole[catalogue.ArticleBody](ctx, s.Client, "/documents/"+id.String()+"/articles")
		for _, a := range articles {
			if a.Replaces == nil && a.Number != "" && strings.HasPrefix(a.Number, t.word) && len(all) < completed {
				all = append(all, proposal(a.Number, a.Heading))
			}
		}
		return all, err
	})(ctx, t)
}

// changedArticles completes numbers of the changed articles of the text that is the argument before.
func (a *app) changedArticles(ctx context.Context, t typing) []string {
	return a.asking(func(ctx context.Context, s *server, t typing) (all []string, err error) {
		id, err := s.find(ctx, texts, t.given[0])
		if err != nil || len(t.given) > 1 {
			return nil, err
		}
		list, err := versionsOf(ctx, s, id)
		for _, v := range list {
			if v.Assembled {
				all = append(all, proposal(v.Number, v.By.Title))
			}
		}
		return all, err
	})(ctx, t)
}

// uncertainIDs completes ids of relations that a person has to settle.
func (a *app) uncertainIDs(ctx context.Context, t typing) []string {
	return itemsOf(a, "/admin/relations", func(r gazettes.UncertainBody) string {
		return proposal(r.ID.String(), string(r.Type)+" "+targetOf(r))
	})(ctx, t)
}

// addresses completes e-mail addresses of accounts.
func (a *app) addresses(ctx context.Context, t typing) []string {
	return itemsOf(a, "/admin/users", func(u accountBody) string { return proposal(u.Email, u.FullName) })(ctx, t)
}

// domains completes codes of domains, including inactive ones.
func (a *app) domains(ctx context.Context, t typing) []string {
	return itemsOf(a, "/admin/domaines", func(d admin.DomainBody) string { return proposal(d.Code, d.Label) })(ctx, t)
}

// settingNames completes names of settings.
func (a *app) settingNames(context.Context, typing) (all []string) {
	settings, _ := a.allSettings() // an error in a setting does not matter here
	for _, s := range settings {
		all = append(all, proposal(s.Env, s.Help))
	}
	return all
}

// assignments completes the fields of --set, and the values of a field with a fixed list.
func (a *app) assignments(ctx context.Context, t typing) (all []string) {
	name, _, valued := strings.Cut(t.word, "=")
	if !valued {
		for _, f := range fields {
			if f.name != published {
				all = append(all, f.name+"=")
			}
		}
		return append(all, "remplace=")
	}
	return a.valuesOf(ctx, name, t)
}

// corrections completes what « documents set » takes: the fields of --set, the status, and further texts.
func (a *app) corrections(ctx context.Context, t typing) []string {
	if name, _, valued := strings.Cut(t.word, "="); valued {
		return a.valuesOf(ctx, name, t)
	}
	return append(append(a.assignments(ctx, t), "statut=", "abroge_par="), a.rows(texts, "catalogue")(ctx, t)...)
}

// valuesOf completes the value of a field, as field=value.
func (a *app) valuesOf(ctx context.Context, name string, t typing) (all []string) {
	of := ""
	switch at := slices.IndexFunc(fields, func(f field) bool { return f.name == name || f.short == name }); {
	case name == "remplace" || name == "abroge_par":
		of = "documents:readable"
		t.word = t.word[len(name)+1:]
	case name == "statut":
		of = "statuses"
	case at >= 0 && fields[at].name == "doc_type":
		of = "types"
	case at >= 0 && fields[at].name == "domaine":
		of = "domains"
	default:
		return nil
	}
	for _, v := range a.proposed(of)(ctx, t) {
		all = append(all, name+"="+v)
	}
	return all
}
