package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/gazettes"
)

// groupOf converts the fields of --only and --all-with, in any order and by either of their
// names, to postgres.ReviewGroup.Fields.
func groupOf(typed string) string {
	names := strings.FieldsFunc(typed, func(r rune) bool { return r == ',' || r == '+' || r == ' ' })
	for i, name := range names {
		if at := slices.IndexFunc(fields, func(f field) bool { return f.short == name }); at >= 0 {
			names[i] = fields[at].name
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "+")
}

// groupFields returns the group of a text in review.
func groupFields(r gazettes.ReviewBody) string { return groupOf(strings.Join(doubtful(r.Doubts), "+")) }

// lineOf returns the printed line and its page that the first doubtful field was read from:
// « p. 3, « Fait à Dakar, le 3 mai 2010 » ». If nothing was read of any, it returns the
// reason of the first doubt.
func lineOf(r gazettes.ReviewBody) string {
	for _, d := range r.Doubts {
		if d.Words != "" {
			return fmt.Sprintf("p. %d, « %s »", d.Page, terminal.Line(terminal.Cut(d.Words, beginning)))
		}
	}
	for _, d := range r.Doubts {
		return terminal.Line(terminal.Cut(d.Reason, beginning))
	}
	return ""
}

// reviewGroups lists what the texts in review wait for.
func (a *app) reviewGroups(ctx context.Context, s *server) error {
	var list struct {
		Groups []gazettes.GroupBody `json:"groups"`
	}
	if err := s.Call(ctx, http.MethodGet, "/admin/reviews", url.Values{"page_size": {"1"}}, nil, &list); err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list.Groups, len(list.Groups))
	}
	t := terminal.Table{Head: []string{"DOUTEUX", "TEXTES", "FICHIERS", "À DONNER"}}
	for _, g := range list.Groups {
		t.Add(g.Fields, g.Texts, g.Files, g.Lacking)
	}
	if err := t.Write(a.out, "Aucun texte n’attend en revue."); err != nil || len(list.Groups) == 0 {
		return err
	}
	fmt.Fprintf(a.outcome(), "« À donner » : textes auxquels manque une donnée indispensable, qui n’a pas pu être lue.\nVoir : ingest review list --only %s\n", byCommas(list.Groups[0].Fields))
	if at := slices.IndexFunc(list.Groups, func(g gazettes.GroupBody) bool { return g.Lacking < g.Texts }); at >= 0 {
		fmt.Fprintf(a.outcome(), "Régler : ingest review accept --all-with %s\n", byCommas(list.Groups[at].Fields))
	}
	return nil
}

// byCommas returns a group as options name it.
func byCommas(group string) string { return strings.ReplaceAll(group, "+", ",") }

// groupOutcome is what came of a group, in the form of --json.
type groupOutcome struct {
	Group    string        `json:"group"`
	DryRun   bool          `json:"dry_run"`
	Accepted []uuid.UUID   `json:"accepted"`
	Left     []leftOutcome `json:"left"`
}

// leftOutcome is a text of a group that stays in review.
type leftOutcome struct {
	ID     uuid.UUID `json:"id"`
	Detail string    `json:"detail"`
}

// groupMost is the maximum number of texts that are accepted at once.
const groupMost = 10000

// acceptGroup accepts the texts in review that wait for the given fields and for no
// other. It shows them first, and accepts each only as it was shown.
func (a *app) acceptGroup(ctx context.Context, s *server, in *input, change map[string]any) error {
	if len(notIn(change, []string{"title", "numero_officiel", "remplace"})) < 3 {
		return usage("--set title, numero_officiel et remplace ne vont pas avec --all-with : ils sont propres à un texte.")
	}
	query := in.inReview(in.text("all-with"))
	list, _, err := client.Numbered[gazettes.WaitingBody](ctx, s.Client, "/admin/reviews", query, groupMost)
	if err != nil {
		return err
	}
	out := groupOutcome{Group: query.Get("group"), DryRun: in.has("dry-run"), Accepted: []uuid.UUID{}, Left: []leftOutcome{}}
	var ready []gazettes.WaitingBody
	for _, w := range list {
		if lacking := notIn(change, law.Lacking(w.Review.Doubts)); len(lacking) > 0 {
			out.Left = append(out.Left, leftOutcome{w.Review.ID, "À donner : " + strings.Join(lacking, ", ") + "."})
			continue
		}
		ready = append(ready, w)
	}
	if !a.json {
		if err := a.writeReviews(ready, "Aucun texte ne peut être accepté avec : "+strings.ReplaceAll(out.Group, "+", ", ")+"."); err != nil {
			return err
		}
		if n := len(out.Left); n > 0 {
			fmt.Fprintf(a.outcome(), "Dans le groupe, une donnée manque encore à %s. Voir : ingest review list --only %s\n", count(n, "texte"), byCommas(out.Group))
		}
	}
	if len(ready) > 0 && !out.DryRun {
		if !in.has("yes") {
			if err := a.agreedTo(fmt.Sprintf("%s au catalogue.", count(len(ready), "texte")), "Rien n’est accepté : ce n’a pas été confirmé (--yes accepte sans demander)."); err != nil {
				return err
			}
		}
		if err := s.acceptEach(ctx, ready, change, &out); err != nil {
			return err
		}
	}
	return a.tellGroup(out)
}

// decidedAtOnce is how many texts one request settles.
const decidedAtOnce = 50

// acceptEach accepts texts one after the other, each only as it was shown. What cannot be accepted stays, with a reason.
func (s *server) acceptEach(ctx context.Context, ready []gazettes.WaitingBody, change map[string]any, out *groupOutcome) error {
	for some := range slices.Chunk(ready, decidedAtOnce) {
		decisions := make([]map[string]any, len(some))
		for i, w := range some {
			decisions[i] = map[string]any{"document_id": w.Review.ID, "decision": "accept", "version": w.Review.Version, "group": out.Group}
			maps.Copy(decisions[i], change)
		}
		outcomes, err := s.decide(ctx, decisions...)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if o.Done {
				out.Accepted = append(out.Accepted, o.Document)
			} else {
				out.Left = append(out.Left, leftOutcome{o.Document, value(o.Detail)})
			}
		}
	}
	return nil
}

// tellGroup prints what came of a group. If texts that were shown stay, it returns an error.
func (a *app) tellGroup(out groupOutcome) error {
	if a.json {
		return writeJSON(a.out, out)
	}
	if out.DryRun {
		_, err := fmt.Fprintln(a.outcome(), "Rien n’est accepté (--dry-run).")
		return err
	}
	for _, l := range out.Left {
		if !strings.HasPrefix(l.Detail, "À donner") {
			fmt.Fprintf(a.always, "%s : %s\n", l.ID, l.Detail)
		}
	}
	_, err := fmt.Fprintf(a.outcome(), "Au catalogue : %s.\n", count(len(out.Accepted), "texte"))
	return err
}
