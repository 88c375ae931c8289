package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) reviewCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "review", Short: "Règle les textes qui attendent en revue",
		Long: "Règle les textes dont le numéro, la nature, une date ou le domaine est douteux. Un tel texte n’est ni au\n" +
			"catalogue ni cité tant qu’il n’est pas accepté, avec les corrections qu’il lui faut, ou rejeté. Règle\n" +
			"aussi les éditions d’un même texte, et les abrogations et modifications dont la cible est incertaine."})
	c.AddCommand(a.reviewListCommand(), a.reviewShowCommand(), a.reviewAcceptCommand(), a.reviewRejectCommand(), a.reviewReopenCommand(), a.reviewProposalsCommand(), a.reviewTruthCommand(),
		a.reviewEditionsCommand(), a.reviewRestoreCommand(), a.reviewRelationsCommand(), a.reviewRelationCommand())
	return c
}

// reviewQuery selects texts in review; an empty field selects all.
type reviewQuery struct{ doubt, group, file string }

// reviewPage is texts in review, with what all of them wait for.
type reviewPage struct {
	Items  []gazettes.WaitingBody `json:"items"`
	Total  int                    `json:"total"`
	Groups []gazettes.GroupBody   `json:"groups"`
}

// reviews returns the first texts in review that q selects.
func (s *server) reviews(ctx context.Context, q reviewQuery, most int) (all reviewPage, err error) {
	query := url.Values{"page_size": {"100"}}
	for name, value := range map[string]string{"doubt": q.doubt, "group": q.group, "file": q.file} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for page := 1; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var list reviewPage
		if err := s.call(ctx, http.MethodGet, "/admin/reviews", query, nil, &list); err != nil {
			return all, err
		}
		all.Items, all.Total, all.Groups = append(all.Items, list.Items...), list.Total, list.Groups
		if len(list.Items) == 0 || len(all.Items) >= min(most, list.Total) {
			all.Items = all.Items[:min(most, len(all.Items))]
			return all, nil
		}
	}
}

// reviewFilter is the filters that « review list » and « review accept --all-with » share.
func reviewFilter(c *cobra.Command, q *reviewQuery) {
	c.Flags().StringVar(&q.file, "file", "", "seulement les fichiers dont le nom contient `MOTS`")
}

func (a *app) reviewListCommand() *cobra.Command {
	var limit int
	var q reviewQuery
	var only, groups = "", false
	c := &cobra.Command{
		Use: "list", Short: "Liste les textes qui attendent, groupés par ce qui leur manque", Args: takes(0, 0, ""),
		Long: "Liste les textes qui attendent, groupés par ce qui leur manque, avec la ligne où la première donnée douteuse a été lue, ou pourquoi elle est douteuse.\n" +
			"Un groupe se règle en une fois : ingest review accept --all-with CHAMPS.",
		Example: "  ingest review list --groups\n  ingest review list --only date_promulgation --file jo-2023",
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > mostReviews {
				return usage("--limit va de 1 à %d.", mostReviews)
			}
			q.group = groupOf(only)
			return a.withServer(c.Context(), func(s *server) error {
				if groups {
					return a.reviewGroups(c.Context(), s, q)
				}
				return a.reviewList(c.Context(), s, q, limit)
			})
		},
	}
	number(c, &limit, "limit", 100, "`N` textes au plus")
	c.Flags().StringVar(&q.doubt, "with", "", "seulement les textes dont le `CHAMP` est douteux, avec d’autres ou non")
	c.Flags().StringVar(&only, "only", "", "seulement les textes dont ces `CHAMPS` sont douteux, et aucun autre : date_promulgation,title")
	c.Flags().BoolVar(&groups, "groups", false, "seulement les groupes et leur nombre de textes")
	reviewFilter(c, &q)
	return c
}

// mostReviews is the maximum number of texts that a command lists or settles.
const mostReviews = 10000

func (a *app) reviewList(ctx context.Context, s *server, q reviewQuery, limit int) error {
	list, err := s.reviews(ctx, q, limit)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list.Items, list.Total)
	}
	if err := a.writeReviews(list.Items, "Aucun texte n’attend en revue."); err != nil {
		return err
	}
	if len(list.Items) > 0 {
		fmt.Fprintf(a.out, "%s. Voir : ingest review show ID\n", count(list.Total, "texte"))
		a.sayGroups(list, q)
	}
	relations, err := listAll[gazettes.UncertainBody](ctx, s, "/admin/relations", nil)
	if err != nil || len(relations) == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s de cible incertaine. Voir : ingest review relations\n", count(len(relations), "relation"))
	return err
}

// writeReviews prints a table of texts in review, those of one group together, the largest
// group first.
func (a *app) writeReviews(list []gazettes.WaitingBody, none string) error {
	t := table{head: []string{"FICHIER", "PAGES", "NATURE", "NUMÉRO", "ARTICLES", "DOUTEUX", "RELEVÉ", "TITRE", "ID"},
		omit: []string{"ARTICLES", "PAGES", "NATURE", "FICHIER", "RELEVÉ"}}
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
		t.add(w.Filename, span(r.FirstPage, r.LastPage), law.Kind(r.Type, r.Nature), r.OfficialNumber, r.Articles,
			strings.Join(doubtful(r.Doubts), ", "), lineOf(r), r.Title, r.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, none)
}

// span formats the page range of a text in its file.
func span(first, last int) string { return fmt.Sprintf("%d–%d", first, last) }

// doubtful lists the fields that have a doubt, each once.
func doubtful(doubts []law.Doubt) (names []string) {
	seen := map[string]bool{}
	for _, d := range doubts {
		if !seen[d.Field] {
			seen[d.Field] = true
			names = append(names, d.Field)
		}
	}
	return names
}

func (a *app) reviewShowCommand() *cobra.Command {
	var whole bool
	c := &cobra.Command{
		Use: "show ID", Short: "Montre un texte qui attend, ses doutes et ses articles", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withReviewed(c.Context(), args[0], func(_ *server, r gazettes.ReadReviewBody) error { return a.reviewShow(r, whole) })
		},
	}
	c.Flags().BoolVar(&whole, "text", false, "montre les articles en entier, pas seulement leur début")
	return c
}

// withReviewed calls f with a text in review.
func (a *app) withReviewed(ctx context.Context, word string, f func(s *server, r gazettes.ReadReviewBody) error) error {
	if _, err := typedID(waiting, word); err != nil {
		return err
	}
	return a.withServer(ctx, func(s *server) error {
		id, err := s.find(ctx, waiting, word)
		if err != nil {
			return err
		}
		var r gazettes.ReadReviewBody
		if err := s.call(ctx, http.MethodGet, "/admin/reviews/"+id.String(), nil, nil, &r); err != nil {
			return waiting.orAbsent(err, id)
		}
		return f(s, r)
	})
}

// beginning is the maximum number of characters of an article that are shown.
const beginning = 100

func (a *app) reviewShow(w gazettes.ReadReviewBody, whole bool) error {
	if a.json {
		return writeJSON(a.out, w)
	}
	r := w.Review
	value := unlessLacking(r.Doubts)
	a.showFields([][2]string{{"Titre", r.Title}, {"Fichier", fmt.Sprintf("%s, p. %s", w.Filename, span(r.FirstPage, r.LastPage))}, {"doc_type", value("doc_type", string(r.Type))}, {"nature", r.Nature},
		{"numero_officiel", r.OfficialNumber}, {"domaine", r.Domain}, {"date_promulgation", value("date_promulgation", r.Promulgated)}, {"date_entree_vigueur", r.EntersInForce}})
	fmt.Fprintln(a.out, "\nDoutes :")
	for _, doubt := range r.Doubts {
		printField(a.out, 23, "  "+doubt.Field, cleanLine(doubt.Reason))
	}
	if len(r.Evidence) > 0 {
		fmt.Fprintln(a.out, "\nRelevé dans le texte :")
	}
	for _, e := range r.Evidence {
		printField(a.out, 23, "  "+e.Field, readFrom(e))
	}
	articles := make([]printedArticle, len(w.Articles))
	for i, article := range w.Articles {
		articles[i] = printedArticle{article.Number, article.Heading, article.Page, article.Text}
	}
	a.showArticles(articles, whole)
	id := shortOf(a.shortened([]uuid.UUID{r.ID}), r.ID)
	_, err := fmt.Fprintf(a.out, "\nAccepter : ingest review accept %s [--set CHAMP=VALEUR]…\nRejeter :  ingest review reject %s\n", id, id)
	return err
}

// readFrom describes the source of a field: « 95 %, p. 1, « DU 14 MARS 2023 » ».
func readFrom(e law.Evidence) string {
	parts := []string{fmt.Sprintf("%.0f %%", 100*e.Confidence)}
	if e.Page > 0 {
		parts = append(parts, fmt.Sprintf("p. %d", e.Page))
	}
	switch {
	case e.Words == "" && e.Confidence == 1:
		return "indiqué à l’ajout du fichier"
	case e.Words == "":
		return strings.Join(append(parts, "rien n’a été trouvé"), ", ")
	}
	return strings.Join(append(parts, "« "+cleanLine(cut(e.Words, beginning))+" »"), ", ")
}

func (a *app) reviewAcceptCommand() *cobra.Command {
	var set []string
	var g groupAcceptance
	c := &cobra.Command{
		Use: "accept [ID] [--all-with CHAMPS] [--set CHAMP=VALEUR]…", Short: "Met un texte, ou un groupe de textes, au catalogue, avec les corrections données",
		Args: takes(0, 1, "l’identifiant du texte"),
		Long: "Met un texte au catalogue. --set corrige un champ, autant de fois qu’il le faut :\n" + fieldNames() + ".\n" +
			"--set remplace=ID le met à la place d’une autre édition du même texte. Une date de promulgation ou une nature\n" +
			"qui n’a pas été trouvée doit être donnée ; au terminal, elle est demandée.\n\n" +
			"--all-with CHAMPS met au catalogue tous les textes dont ces champs sont douteux, et aucun autre, après les avoir\n" +
			"montrés. Un texte qui change entre-temps, ou auquel manque une donnée indispensable, reste en revue.",
		Example: "  ingest review accept 0197… --set numero_officiel=2000-190 --set date_promulgation=2000-05-17\n" +
			"  ingest review accept --all-with date_promulgation --file jo-2023 --dry-run",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case g.with == "" && len(args) == 0:
				return usage("Il manque l’identifiant du texte, ou --all-with CHAMPS.")
			case g.with != "" && len(args) > 0:
				return usage("--all-with ne va pas avec un identifiant.")
			case g.with == "" && (g.yes || g.dry || g.query.file != ""):
				return usage("--yes, --dry-run et --file vont avec --all-with.")
			case g.with != "":
				return a.withServer(c.Context(), func(s *server) error { return a.reviewAcceptGroup(c.Context(), s, g, set) })
			}
			return a.withReviewed(c.Context(), args[0], func(s *server, r gazettes.ReadReviewBody) error {
				return a.reviewAccept(c.Context(), s, r, set)
			})
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "`CHAMP=VALEUR` à corriger")
	c.Flags().StringVar(&g.with, "all-with", "", "tous les textes dont ces `CHAMPS` sont douteux, et aucun autre : date_promulgation,title")
	c.Flags().BoolVar(&g.yes, "yes", false, "accepte le groupe sans demander")
	c.Flags().BoolVar(&g.dry, "dry-run", false, "montre le groupe sans rien accepter")
	reviewFilter(c, &g.query)
	return c
}

func (a *app) reviewAccept(ctx context.Context, s *server, w gazettes.ReadReviewBody, set []string) error {
	r := w.Review
	change, err := s.changeOf(ctx, setOption, set)
	if err != nil {
		return err
	}
	if lacking := notIn(change, law.Lacking(r.Doubts)); len(lacking) > 0 {
		given, err := a.askFor(lacking, w)
		if err != nil {
			return err
		}
		if change, err = s.changeOf(ctx, setOption, append(set, given...)); err != nil {
			return err
		}
	}
	d, err := s.settle(ctx, r.ID, "accept", change)
	if err != nil {
		return waiting.orAbsent(err, r.ID)
	}
	if a.json {
		return writeJSON(a.out, d.Record)
	}
	if d.place.SupersededBy != nil {
		return a.say("Une meilleure édition est au catalogue (%s) : celle-ci reste ouverte aux citations. « ingest review restore %s » la remet à côté.", d.place.SupersededBy, r.ID)
	}
	return a.say("Au catalogue : %s (%s).", cleanLine(d.Title), r.ID)
}

// notIn returns the fields that a change does not give.
func notIn(change map[string]any, fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(f string) bool { _, given := change[f]; return given })
}

// settle decides about one text and returns it as it then is, nothing for one that was rejected. The error is NotFound if
// the text is not there to be decided about.
func (s *server) settle(ctx context.Context, id uuid.UUID, decision string, change map[string]any) (d documentText, err error) {
	one := map[string]any{"document_id": id, "decision": decision}
	maps.Copy(one, change)
	outcomes, err := s.decide(ctx, one)
	if err != nil {
		return d, err
	}
	switch o := outcomes[0]; {
	case o.Done && decision == "accept":
		return s.document(ctx, id.String())
	case o.Done:
		return d, nil
	case len(o.Missing) > 0:
		return d, notGiven(o.Missing)
	case o.Absent:
		return d, errs.New(errs.NotFound, value(o.Detail))
	default:
		return d, errs.New(errs.Conflict, value(o.Detail))
	}
}

// decide settles texts, each for itself.
func (s *server) decide(ctx context.Context, decisions ...map[string]any) ([]gazettes.OutcomeBody, error) {
	var made struct {
		Items []gazettes.OutcomeBody `json:"items"`
	}
	err := s.call(ctx, http.MethodPost, "/admin/reviews", nil, map[string]any{"decisions": decisions}, &made)
	if err == nil && len(made.Items) != len(decisions) {
		err = fmt.Errorf("%d decisions have %d outcomes", len(decisions), len(made.Items))
	}
	return made.Items, err
}

func (a *app) reviewRejectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reject ID", Short: "Écarte un texte qui n’a pas sa place au catalogue", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withReviewed(c.Context(), args[0], func(s *server, w gazettes.ReadReviewBody) error {
				id := w.Review.ID
				if _, err := s.settle(c.Context(), id, "reject", nil); err != nil {
					return waiting.orAbsent(err, id)
				}
				return a.said(map[string]any{"id": id, "decision": "reject"}, "Rejeté : %s.", cleanLine(w.Review.Title))
			})
		},
	}
}
