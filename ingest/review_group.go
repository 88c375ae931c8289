package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
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
			return fmt.Sprintf("p. %d, « %s »", d.Page, cleanLine(cut(d.Words, beginning)))
		}
	}
	for _, d := range r.Doubts {
		return cleanLine(cut(d.Reason, beginning))
	}
	return ""
}

// sayGroups prints the groups and the command that settles the largest one.
func (a *app) sayGroups(list reviewPage, q reviewQuery) {
	if q != (reviewQuery{}) || len(list.Groups) < 2 {
		return
	}
	fmt.Fprintf(a.out, "%s. Voir : ingest review list --groups\n", count(len(list.Groups), "groupe"))
}

// reviewGroups lists what the texts in review wait for.
func (a *app) reviewGroups(ctx context.Context, s *server, q reviewQuery) error {
	if q != (reviewQuery{}) {
		return usage("--groups ne va pas avec --with, --only ni --file.")
	}
	list, err := s.reviews(ctx, q, 1)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list.Groups, len(list.Groups))
	}
	t := table{head: []string{"DOUTEUX", "TEXTES", "FICHIERS", "À DONNER"}}
	for _, g := range list.Groups {
		t.add(g.Fields, g.Texts, g.Files, g.Lacking)
	}
	if err := t.write(a.out, "Aucun texte n’attend en revue."); err != nil || len(list.Groups) == 0 {
		return err
	}
	fmt.Fprintf(a.out, "« À donner » : textes auxquels manque une donnée indispensable, qui n’a pas pu être lue.\nVoir : ingest review list --only %s\n", strings.ReplaceAll(list.Groups[0].Fields, "+", ","))
	if at := slices.IndexFunc(list.Groups, func(g gazettes.GroupBody) bool { return g.Lacking < g.Texts }); at >= 0 {
		fmt.Fprintf(a.out, "Régler : ingest review accept --all-with %s\n", strings.ReplaceAll(list.Groups[at].Fields, "+", ","))
	}
	return nil
}

// groupAcceptance is what « review accept --all-with » was asked.
type groupAcceptance struct {
	with  string
	query reviewQuery
	yes   bool
	dry   bool
}

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

// reviewAcceptGroup accepts the texts in review that wait for the given fields and for no
// other. It shows them first, and accepts each only as it was shown.
func (a *app) reviewAcceptGroup(ctx context.Context, s *server, g groupAcceptance, set []string) error {
	change, err := s.changeOf(ctx, setOption, set)
	if err != nil {
		return err
	}
	if len(notIn(change, []string{"title", "numero_officiel", "remplace"})) < 3 {
		return usage("--set title, numero_officiel et remplace ne vont pas avec --all-with : ils sont propres à un texte.")
	}
	q := g.query
	q.group = groupOf(g.with)
	list, err := s.reviews(ctx, q, mostReviews)
	if err != nil {
		return err
	}
	out := groupOutcome{Group: q.group, DryRun: g.dry, Accepted: []uuid.UUID{}, Left: []leftOutcome{}}
	var ready []gazettes.WaitingBody
	for _, w := range list.Items {
		if lacking := notIn(change, law.Lacking(w.Review.Doubts)); len(lacking) > 0 {
			out.Left = append(out.Left, leftOutcome{w.Review.ID, "À donner : " + strings.Join(lacking, ", ") + "."})
			continue
		}
		ready = append(ready, w)
	}
	if !a.json {
		if err := a.previewGroup(q.group, ready, len(out.Left)); err != nil {
			return err
		}
	}
	if len(ready) > 0 && !g.dry {
		if !g.yes {
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

// previewGroup shows the texts that would be accepted.
func (a *app) previewGroup(group string, ready []gazettes.WaitingBody, left int) error {
	if err := a.writeReviews(ready, "Aucun texte ne peut être accepté avec : "+strings.ReplaceAll(group, "+", ", ")+"."); err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(a.out, "%s du groupe en revue : une donnée est à donner. Voir : ingest review list --only %s\n", stays(left), strings.ReplaceAll(group, "+", ","))
	}
	return nil
}

// stays says that n texts stay.
func stays(n int) string {
	if n == 1 {
		return "1 texte reste"
	}
	return fmt.Sprintf("%d textes restent", n)
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
			switch {
			case o.Done:
				out.Accepted = append(out.Accepted, o.Document)
			case o.Absent:
				out.Left = append(out.Left, leftOutcome{o.Document, "Il n’attend plus en revue."})
			default:
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
