package main

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/gazettes"
)

// ingestionIDs completes ids of files in one of the given states; "" means any state.
func (a *app) ingestionIDs(in ...string) proposals {
	return a.propose(func(ctx context.Context, s *server, _ string) (all []string, err error) {
		for _, state := range in {
			query := url.Values{}
			if state != "" {
				query.Set("state", state)
			}
			rows, _, err := listUpTo[gazettes.IngestionBody](ctx, s, "/admin/ingestions", query, completed)
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

// editIDs completes the id of a file, then that of one of its edits that is in effect.
func (a *app) editIDs(c *cobra.Command, given []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	of := a.ingestionIDs("")
	if len(given) > 0 {
		of = a.propose(func(ctx context.Context, s *server, _ string) (all []string, err error) {
			row, err := s.file(ctx, given[0])
			if err != nil || len(given) > 1 {
				return nil, err
			}
			list, err := s.edits(ctx, row.ID)
			for _, e := range list {
				if e.UndoneAt == nil {
					all = append(all, proposal(e.ID.String(), editSentence(e)))
				}
			}
			return all, err
		})
	}
	return of.complete(cobra.ShellCompDirectiveNoFileComp)(c, nil, word)
}

// uncertainIDs completes ids of relations that a person has to settle.
func (a *app) uncertainIDs(ctx context.Context, word string) []string {
	return a.propose(func(ctx context.Context, s *server, _ string) (all []string, err error) {
		list, err := listAll[gazettes.UncertainBody](ctx, s, "/admin/relations", nil)
		for _, r := range list {
			all = append(all, proposal(r.ID.String(), string(r.Type)+" "+targetOf(r)))
		}
		return all, err
	})(ctx, word)
}

// addresses completes e-mail addresses of accounts.
func (a *app) addresses(ctx context.Context, word string) []string {
	return a.propose(func(ctx context.Context, s *server, _ string) (all []string, err error) {
		users, err := listAll[accountBody](ctx, s, "/admin/users", nil)
		for _, u := range users {
			all = append(all, proposal(u.Email, u.FullName))
		}
		return all, err
	})(ctx, word)
}

// domains completes codes of domains, including inactive ones.
func (a *app) domains(ctx context.Context, word string) []string {
	return a.propose(func(ctx context.Context, s *server, _ string) (all []string, err error) {
		list, err := listAll[admin.DomainBody](ctx, s, "/admin/domaines", nil)
		for _, d := range list {
			all = append(all, proposal(d.Code, d.Label))
		}
		return all, err
	})(ctx, word)
}

// settingNames completes names of settings.
func (a *app) settingNames(context.Context, string) (all []string) {
	settings, _ := a.allSettings() // an error in a setting does not matter here
	for _, s := range settings {
		all = append(all, proposal(s.Env, s.Help))
	}
	return all
}

// assignments completes the fields of --set, and the values of a field with a fixed list.
func (a *app) assignments(ctx context.Context, word string) (all []string) {
	name, _, valued := strings.Cut(word, "=")
	if !valued {
		for _, f := range fields {
			if f.name != published {
				all = append(all, f.name+"=")
			}
		}
		return append(all, "remplace=")
	}
	var values []string
	switch at := slices.IndexFunc(fields, func(f field) bool { return f.name == name || f.short == name }); {
	case name == "remplace":
		values = a.rows(texts, "readable")(ctx, word[len(name)+1:])
	case at >= 0 && fields[at].name == "doc_type":
		values = strings.Split(joined(law.DocTypes()), ", ")
	case at >= 0 && fields[at].name == "domaine":
		values = a.domains(ctx, "")
	}
	for _, v := range values {
		all = append(all, name+"="+v)
	}
	return all
}

// corrections completes the fields of « documents set »: those of --set, and the status.
func (a *app) corrections(ctx context.Context, word string) (all []string) {
	name, value, valued := strings.Cut(word, "=")
	switch {
	case !valued:
		return append(a.assignments(ctx, word), "statut=", "abroge_par=")
	case name == "statut":
		for _, s := range law.Statuses() {
			all = append(all, "statut="+string(s))
		}
	case name == "abroge_par":
		for _, id := range a.rows(texts, "readable")(ctx, value) {
			all = append(all, "abroge_par="+id)
		}
	default:
		return a.assignments(ctx, word)
	}
	return all
}
