package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/gazettes"
)

// inReview returns the query for the texts in review that wait for the given fields and for no other, in the files that
// --file names.
func (i *input) inReview(fields string) url.Values {
	query := url.Values{}
	for name, value := range map[string]string{"group": groupOf(fields), "file": i.text("file")} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// reviewList runs « review list ».
func (a *app) reviewList(ctx context.Context, in *input) error {
	query := in.inReview(in.text("only"))
	if doubt := in.text("with"); doubt != "" {
		query.Set("doubt", doubt)
	}
	if in.has("groups") && len(query) > 0 {
		return usage("--groups ne va pas avec --with, --only ni --file.")
	}
	return a.withServer(ctx, func(s *server) error {
		if in.has("groups") {
			return a.reviewGroups(ctx, s)
		}
		list, total, err := client.Numbered[gazettes.WaitingBody](ctx, s.Client, "/admin/reviews", query, in.number("limit"))
		if err != nil {
			return err
		}
		if a.json {
			return writeList(a.out, list, total)
		}
		if err := a.writeReviews(list, "Aucun texte n’attend en revue."); err != nil {
			return err
		}
		if total > 0 {
			fmt.Fprintf(a.outcome(), "%s. Voir : ingest review show ID, ou les groupes : ingest review list --groups\n", count(total, "texte"))
		}
		uncertain, err := client.ListAll[gazettes.UncertainRelationBody](ctx, s.Client, "/admin/relations", nil)
		if err == nil && len(uncertain) > 0 {
			fmt.Fprintf(a.outcome(), "%s de cible incertaine. Voir : ingest review relations\n", count(len(uncertain), "relation"))
		}
		return err
	})
}

// writeReviews prints a table of texts in review, those of one group together, the largest
// group first.
func (a *app) writeReviews(list []gazettes.WaitingBody, none string) error {
	t := terminal.Table{Head: []string{"FICHIER", "PAGES", "NATURE", "NUMÉRO", "ARTICLES", "DOUTEUX", "RELEVÉ", "TITRE", "ID"}}
	size := map[string]int{}
	for _, w := range list {
		size[groupFields(w.Review)]++
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b gazettes.WaitingBody) int {
		ga, gb := groupFields(a.Review), groupFields(b.Review)
		return cmp.Or(size[gb]-size[ga], strings.Compare(ga, gb))
	})
	var ids []uuid.UUID
	for _, w := range list {
		r := w.Review
		ids = append(ids, r.ID)
		t.Add(w.Filename, span(r.FirstPage, r.LastPage), law.Kind(r.Type, r.Nature), r.OfficialNumber, r.Articles,
			strings.Join(doubtful(r.Doubts), ", "), lineOf(r), r.Title, r.ID)
	}
	t.IDs = a.shortened(ids)
	return t.Write(a.out, none)
}

// span formats the page range of a text in its file.
func span(first, last int) string { return fmt.Sprintf("%d–%d", first, last) }

// doubtful lists the fields that have a doubt, each once.
func doubtful(doubts []law.Doubt) (names []string) {
	for _, d := range doubts {
		if !slices.Contains(names, d.Field) {
			names = append(names, d.Field)
		}
	}
	return names
}

// beginning is the maximum number of characters of an article that are shown.
const beginning = 100

// showReview prints a text in review.
func (a *app) showReview(_ context.Context, of *request) error {
	w, err := decoded[gazettes.ReadReviewBody](of.raw)
	if err != nil {
		return err
	}
	r, lacking := w.Review, law.Lacking(w.Review.Doubts)
	value := func(field, value string) string {
		if slices.Contains(lacking, field) {
			return "(à donner)"
		}
		return value
	}
	a.showFields([][2]string{{"Titre", r.Title}, {"Fichier", fmt.Sprintf("%s, p. %s", w.Filename, span(r.FirstPage, r.LastPage))}, {"doc_type", value("doc_type", string(r.Type))}, {"nature", r.Nature},
		{"numero_officiel", r.OfficialNumber}, {"domaine", r.Domain}, {"date_promulgation", value("date_promulgation", r.Promulgated)}, {"date_entree_vigueur", r.EntersInForce}})
	fmt.Fprintln(a.out, "\nDoutes :")
	for _, doubt := range r.Doubts {
		terminal.Field(a.out, 23, "  "+doubt.Field, terminal.Line(doubt.Reason))
	}
	if len(r.Evidence) > 0 {
		fmt.Fprintln(a.out, "\nRelevé dans le texte :")
	}
	shown := map[string]bool{}
	for _, e := range r.Evidence {
		if shown[e.Field] && e.Words == "" { // that nothing was found is told once
			continue
		}
		shown[e.Field] = true
		terminal.Field(a.out, 23, "  "+e.Field, readFrom(e))
	}
	articles := make([]printedArticle, len(w.Articles))
	for i, article := range w.Articles {
		articles[i] = printedArticle{article.Number, article.Heading, article.Page, article.Text}
	}
	a.showArticles(articles, of.has("text"))
	id := shortOf(a.shortened([]uuid.UUID{r.ID}), r.ID)
	_, err = fmt.Fprintf(a.outcome(), "\nAccepter : ingest review accept %s [--set CHAMP=VALEUR]…\nRejeter :  ingest review reject %s\n", id, id)
	return err
}

// readFrom describes the source of a field: « 95 %, p. 1, « DU 14 MARS 2023 » ».
func readFrom(e law.Evidence) string {
	said := fmt.Sprintf("%.0f %%", 100*e.Confidence)
	if e.Page > 0 {
		said += fmt.Sprintf(", p. %d", e.Page)
	}
	switch {
	case e.Words == "" && e.Confidence == 1:
		return "indiqué à l’ajout du fichier"
	case e.Words == "":
		return said + ", rien n’a été trouvé"
	}
	return said + ", « " + terminal.Line(terminal.Cut(e.Words, beginning)) + " »"
}

// reviewAccept runs « review accept ».
func (a *app) reviewAccept(ctx context.Context, in *input) error {
	switch group := in.text("all-with"); {
	case group == "" && len(in.args) == 0:
		return usage("Il manque l’identifiant du texte, ou --all-with CHAMPS.")
	case group != "" && len(in.args) > 0:
		return usage("--all-with ne va pas avec un identifiant.")
	case group == "" && (in.has("yes") || in.has("dry-run") || in.text("file") != ""):
		return usage("--yes, --dry-run et --file vont avec --all-with.")
	}
	return a.withServer(ctx, func(s *server) error {
		change, err := s.changeOf(ctx, setOption, sure(in.flags.GetStringArray("set")))
		if err != nil {
			return err
		}
		if len(in.args) == 0 {
			return a.acceptGroup(ctx, s, in, change)
		}
		id, err := s.find(ctx, waiting, in.args[0])
		if err == nil {
			err = waiting.orAbsent(a.acceptOne(ctx, s, id, change), id)
		}
		return err
	})
}

// acceptOne accepts a text in review, and asks for what is lacking.
func (a *app) acceptOne(ctx context.Context, s *server, id uuid.UUID, change map[string]any) error {
	var w gazettes.ReadReviewBody
	if err := s.Call(ctx, http.MethodGet, "/admin/reviews/"+id.String(), nil, nil, &w); err != nil {
		return err
	}
	given, err := a.askFor(notIn(change, law.Lacking(w.Review.Doubts)), w)
	if err != nil {
		return err
	}
	further, err := s.changeOf(ctx, setOption, given)
	if err != nil {
		return err
	}
	maps.Copy(change, further)
	if err := s.settle(ctx, id, "accept", change); err != nil {
		return err
	}
	d, err := s.document(ctx, id.String())
	if err != nil {
		return err
	}
	if by := d.place.SupersededBy; by != nil {
		return a.said(d.Record, "Une meilleure édition est au catalogue (%s) : celle-ci reste ouverte aux citations. « ingest review restore %s » la remet à côté.", by, id)
	}
	return a.said(d.Record, "Au catalogue : %s (%s).", terminal.Line(d.Title), id)
}

// notIn returns the fields that a change does not give.
func notIn(change map[string]any, fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(f string) bool { _, given := change[f]; return given })
}

// reviewDecide runs the commands that settle one text of a kind without changing it. Their declarations have the decision.
func (a *app) reviewDecide(ctx context.Context, in *input) error {
	thing := thingNamed(in.Args.Of)
	return a.withServer(ctx, func(s *server) error {
		id, err := s.find(ctx, thing, in.args[0])
		if err != nil {
			return err
		}
		var first json.RawMessage
		fetch := func() error {
			return s.Call(ctx, http.MethodGet, in.address(in.First, []string{id.String()}), nil, nil, &first)
		}
		if in.Body["decision"] == "reject" { // it is gone afterwards
			err = fetch()
		}
		if err == nil {
			err = s.settle(ctx, id, in.Body["decision"], nil)
		}
		if err == nil && first == nil {
			err = fetch()
		}
		if err != nil {
			return thing.orAbsent(err, id)
		}
		r := &request{input: in, ids: []string{id.String()}, first: plain(first)}
		if err := r.done(); err != nil {
			return err
		}
		return a.print(ctx, r)
	})
}

// settle decides about one text. The error is NotFound if the text is not there to be decided about.
func (s *server) settle(ctx context.Context, id uuid.UUID, decision any, change map[string]any) error {
	one := map[string]any{"document_id": id, "decision": decision}
	maps.Copy(one, change)
	outcomes, err := s.decide(ctx, one)
	if err != nil {
		return err
	}
	switch o := outcomes[0]; {
	case o.Done:
		return nil
	case len(o.Missing) > 0:
		return notGiven(o.Missing)
	case o.Absent:
		return errs.New(errs.NotFound, value(o.Detail))
	default:
		return errs.New(errs.Conflict, value(o.Detail))
	}
}

// decide settles texts, each for itself.
func (s *server) decide(ctx context.Context, decisions ...map[string]any) ([]gazettes.ReviewOutcomeBody, error) {
	var made struct {
		Items []gazettes.ReviewOutcomeBody `json:"items"`
	}
	err := s.Call(ctx, http.MethodPost, "/admin/reviews", nil, map[string]any{"decisions": decisions}, &made)
	if err == nil && len(made.Items) != len(decisions) {
		err = fmt.Errorf("%d decisions have %d outcomes", len(decisions), len(made.Items))
	}
	return made.Items, err
}

// lackingNames are the prompts for missing required fields.
var lackingNames = map[string]struct{ question, example string }{
	"doc_type":          {"Type du texte (" + joined(law.DocTypes()) + ")", "decret"},
	"date_promulgation": {"Date de promulgation (AAAA-MM-JJ)", "2000-05-17"},
}

// askFor asks for the missing fields of a text on the terminal and returns them in the form
// of --set. Without a terminal, it returns an error that lists the required options.
func (a *app) askFor(fields []string, w gazettes.ReadReviewBody) (given []string, err error) {
	for i, field := range fields {
		prompt := lackingNames[field].question + " : "
		if i == 0 {
			prompt = fmt.Sprintf("« %s » (%s, p. %s).\n", terminal.Line(w.Review.Title), terminal.Line(w.Filename), span(w.Review.FirstPage, w.Review.LastPage)) + prompt
		}
		line, ok, err := a.question(prompt)
		if err != nil {
			return nil, err
		}
		if !ok || line == "" {
			return nil, notGiven(fields)
		}
		given = append(given, field+"="+line)
	}
	return given, nil
}

// notGiven returns the error that a text cannot be accepted without required fields.
func notGiven(fields []string) error {
	options := make([]string, len(fields))
	for i, field := range fields {
		options[i] = "--set " + field + "=" + lackingNames[field].example
	}
	return errs.Newf(errs.Unprocessable, "Le texte reste en revue : il lui manque ce qui n’a pas pu y être lu. Donnez-le, par exemple : %s",
		strings.Join(options, " "))
}

// groupOf converts the fields of --only and --all-with, in any order and by either of their
// names, to postgres.ReviewGroup.Fields.
func groupOf(typed string) string {
	names := strings.FieldsFunc(typed, func(r rune) bool { return r == ',' || r == '+' || r == ' ' })
	for i, name := range names {
		if pos := slices.IndexFunc(fields, func(f field) bool { return f.short == name }); pos >= 0 {
			names[i] = fields[pos].name
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
	if pos := slices.IndexFunc(list.Groups, func(g gazettes.GroupBody) bool { return g.Lacking < g.Texts }); pos >= 0 {
		fmt.Fprintf(a.outcome(), "Régler : ingest review accept --all-with %s\n", byCommas(list.Groups[pos].Fields))
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

// showRelations prints the relations of uncertain target, each with the texts that it may mean.
func (a *app) showRelations(_ context.Context, r *request) error {
	if len(r.items) == 0 {
		_, err := fmt.Fprintln(a.out, r.None)
		return err
	}
	list := make([]gazettes.UncertainRelationBody, len(r.items))
	var own, candidates []uuid.UUID
	for i, item := range r.items {
		var err error
		if list[i], err = decoded[gazettes.UncertainRelationBody](item); err != nil {
			return err
		}
		own = append(own, list[i].ID)
		for _, c := range list[i].Candidates {
			candidates = append(candidates, c.ID)
		}
	}
	short, shortTexts := a.shortened(own), a.shortened(candidates)
	for _, r := range list {
		fmt.Fprintln(a.out, shortOf(short, r.ID))
		terminal.Field(a.out, 2, "", terminal.Line(fmt.Sprintf("%s, article %s", r.Title, r.Number)))
		terminal.Field(a.out, 2, "", terminal.Line(fmt.Sprintf("%s : %s, le %s", r.Type, targetOf(r), r.Date)))
		for _, c := range r.Candidates {
			terminal.Field(a.out, 4, "", terminal.Line(shortOf(shortTexts, c.ID)+"  "+c.Date+"  "+c.Title))
		}
	}
	_, err := fmt.Fprintf(a.outcome(), "%s. Régler : ingest review relation ID --target ID_DU_TEXTE, ou --none\n", count(len(list), "relation"))
	return err
}

// targetOf names the text that a relation means, in the words of the relation.
func targetOf(r gazettes.UncertainRelationBody) string {
	t := r.Target
	named := strings.TrimSpace(string(t.Type) + " " + t.Number)
	if t.Number == "" {
		named = t.Title
	}
	if t.Date != nil {
		named += " du " + *t.Date
	}
	if len(t.Articles) > 0 {
		named += ", articles " + strings.Join(t.Articles, ", ")
	}
	return named
}
