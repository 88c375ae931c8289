package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
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

// reviewBody is a text in review in the form of the HTTP interface.
type reviewBody struct {
	document
	Ingestion uuid.UUID      `json:"ingestion_id"`
	File      string         `json:"filename"`
	Articles  int            `json:"articles_count"`
	Doubts    []law.Doubt    `json:"doubts"`
	Evidence  []law.Evidence `json:"evidence"`
	Version   string         `json:"version"`
}

func reviewOf(r postgres.Review) reviewBody {
	return reviewBody{documentOf(r.Document), r.Document.IngestionID, r.Filename, r.Articles, r.Doubts, r.Evidence, r.Version}
}

// reviewFilter is the filters that « review list » and « review accept --all-with » share.
func reviewFilter(c *cobra.Command, q *postgres.ReviewQuery) {
	c.Flags().StringVar(&q.File, "file", "", "seulement les fichiers dont le nom contient `MOTS`")
}

func (a *app) reviewListCommand() *cobra.Command {
	var limit int
	var q postgres.ReviewQuery
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
			q.Group = groupOf(only)
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				if groups {
					return a.reviewGroups(c.Context(), db, q)
				}
				return a.reviewList(c.Context(), db, q, limit)
			})
		},
	}
	number(c, &limit, "limit", 100, "`N` textes au plus")
	c.Flags().StringVar(&q.Doubt, "with", "", "seulement les textes dont le `CHAMP` est douteux, avec d’autres ou non")
	c.Flags().StringVar(&only, "only", "", "seulement les textes dont ces `CHAMPS` sont douteux, et aucun autre : date_promulgation,title")
	c.Flags().BoolVar(&groups, "groups", false, "seulement les groupes et leur nombre de textes")
	reviewFilter(c, &q)
	return c
}

// mostReviews is the maximum number of texts that a command lists or settles.
const mostReviews = 10000

func (a *app) reviewList(ctx context.Context, db *postgres.DB, q postgres.ReviewQuery, limit int) error {
	list, err := db.ReviewPage(ctx, q, 1, limit)
	if err != nil {
		return err
	}
	if a.json {
		views := make([]reviewBody, len(list.Items))
		for i, r := range list.Items {
			views[i] = reviewOf(r)
		}
		return writeList(a.out, views, list.Total)
	}
	if err := a.writeReviews(ctx, db, list.Items, "Aucun texte n’attend en revue."); err != nil {
		return err
	}
	if len(list.Items) > 0 {
		fmt.Fprintf(a.out, "%s. Voir : ingest review show ID\n", count(list.Total, "texte"))
		a.sayGroups(list, q)
	}
	relations, err := db.UncertainRelations(ctx, reviewed)
	if err != nil || len(relations) == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s de cible incertaine. Voir : ingest review relations\n", count(len(relations), "relation"))
	return err
}

// writeReviews prints a table of texts in review, those of one group together, the largest
// group first.
func (a *app) writeReviews(ctx context.Context, db *postgres.DB, list []postgres.Review, none string) error {
	t := table{head: []string{"FICHIER", "PAGES", "NATURE", "NUMÉRO", "ARTICLES", "DOUTEUX", "RELEVÉ", "TITRE", "ID"},
		omit: []string{"ARTICLES", "PAGES", "NATURE", "FICHIER", "RELEVÉ"}}
	size := map[string]int{}
	for _, r := range list {
		size[groupFields(r)]++
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b postgres.Review) int {
		ga, gb := groupFields(a), groupFields(b)
		return cmp.Or(size[gb]-size[ga], strings.Compare(ga, gb))
	})
	var ids []uuid.UUID
	for _, r := range list {
		ids = append(ids, r.Document.ID)
		t.add(r.Filename, span(r.Document), law.Kind(r.Document.Type, r.Document.Nature), r.Document.OfficialNumber, r.Articles,
			strings.Join(doubtful(r.Doubts), ", "), lineOf(r), r.Document.Title, r.Document.ID)
	}
	var err error
	if t.ids, err = a.shortIDs(ctx, db, waiting, ids...); err != nil {
		return err
	}
	return t.write(a.out, none)
}

// span formats the page range of a text in its file.
func span(d law.Document) string { return fmt.Sprintf("%d–%d", d.FirstPage, d.LastPage) }

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
			return a.withReviewed(c.Context(), args[0], func(db *postgres.DB, r postgres.Review) error {
				return a.reviewShow(c.Context(), db, r, whole)
			})
		},
	}
	c.Flags().BoolVar(&whole, "text", false, "montre les articles en entier, pas seulement leur début")
	return c
}

// withReviewed calls f with a text in review.
func (a *app) withReviewed(ctx context.Context, id string, f func(db *postgres.DB, r postgres.Review) error) error {
	meant, err := typedID(waiting, id)
	if err != nil {
		return err
	}
	return a.withDB(ctx, func(db *postgres.DB) error {
		document, err := meant.find(ctx, db)
		if err != nil {
			return err
		}
		r, err := db.Review(ctx, document)
		if errs.Is(err, errs.NotFound) {
			return waiting.absent(document)
		}
		if err != nil {
			return err
		}
		return f(db, r)
	})
}

// beginning is the maximum number of characters of an article that are shown.
const beginning = 100

func (a *app) reviewShow(ctx context.Context, db *postgres.DB, r postgres.Review, whole bool) error {
	text, err := db.WholeText(ctx, r.Document.ID)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, struct {
			reviewBody
			Text []articleView `json:"articles"`
		}{reviewOf(r), articlesView(text.Articles)})
	}
	d, value := r.Document, unlessLacking(r.Doubts)
	a.showFields([][2]string{{"Titre", d.Title}, {"Fichier", fmt.Sprintf("%s, p. %s", r.Filename, span(d))}, {"doc_type", value("doc_type", string(d.Type))}, {"nature", d.Nature},
		{"numero_officiel", d.OfficialNumber}, {"domaine", d.Domain}, {"date_promulgation", value("date_promulgation", isoDay(d.Promulgated))}, {"date_entree_vigueur", isoDay(d.EntersInForce)}})
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
	a.showArticles(text.Articles, whole)
	short, err := a.shortIDs(ctx, db, waiting, d.ID)
	if err != nil {
		return err
	}
	id := shortOf(short, d.ID)
	_, err = fmt.Fprintf(a.out, "\nAccepter : ingest review accept %s [--set CHAMP=VALEUR]…\nRejeter :  ingest review reject %s\n", id, id)
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

// nameOf returns an article's number, or its heading if it has no number.
func nameOf(a law.Article) string {
	if a.Number == "" {
		return a.Heading
	}
	return a.Number
}

type articleView struct {
	Number  string   `json:"number"`
	Heading string   `json:"heading"`
	Path    []string `json:"path"`
	Page    int      `json:"page"`
	Text    string   `json:"text"`
}

func articlesView(articles []law.Article) []articleView {
	views := make([]articleView, len(articles))
	for i, article := range articles {
		views[i] = articleView{article.Number, article.Heading, append([]string{}, article.Path...), article.Page, article.Text}
	}
	return views
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
			case g.with == "" && (g.yes || g.dry || g.query.File != ""):
				return usage("--yes, --dry-run et --file vont avec --all-with.")
			case g.with != "":
				return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewAcceptGroup(c.Context(), db, g, set) })
			}
			return a.withReviewed(c.Context(), args[0], func(db *postgres.DB, r postgres.Review) error {
				return a.reviewAccept(c.Context(), db, r, set)
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

func (a *app) reviewAccept(ctx context.Context, db *postgres.DB, r postgres.Review, set []string) error {
	change, err := changeOf(ctx, db, setOption, set)
	if err != nil {
		return err
	}
	if lacking := change.Lacking(r.Doubts); len(lacking) > 0 {
		given, err := a.askFor(lacking, r)
		if err != nil {
			return err
		}
		if change, err = changeOf(ctx, db, setOption, append(set, given...)); err != nil {
			return err
		}
	}
	d, err := db.AcceptText(ctx, r.Document.IngestionID, r.Document.ID, change)
	if errs.Is(err, errs.NotFound) { // a concurrent request settled the text
		return waiting.absent(r.Document.ID)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, documentOf(d))
	}
	if d.SupersededBy != nil {
		_, err = fmt.Fprintf(a.outcome(), "Une meilleure édition est au catalogue (%s) : celle-ci reste ouverte aux citations. « ingest review restore %s » la remet à côté.\n", d.SupersededBy, d.ID)
		return err
	}
	_, err = fmt.Fprintf(a.outcome(), "Au catalogue : %s (%s).\n", cleanLine(d.Title), d.ID)
	return err
}

func (a *app) reviewRejectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reject ID", Short: "Écarte un texte qui n’a pas sa place au catalogue", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withReviewed(c.Context(), args[0], func(db *postgres.DB, r postgres.Review) error {
				return a.reviewReject(c.Context(), db, r)
			})
		},
	}
}

func (a *app) reviewReject(ctx context.Context, db *postgres.DB, r postgres.Review) error {
	err := db.RejectText(ctx, r.Document.IngestionID, r.Document.ID, "")
	if errs.Is(err, errs.NotFound) {
		return waiting.absent(r.Document.ID)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": r.Document.ID, "decision": "reject"})
	}
	_, err = fmt.Fprintf(a.outcome(), "Rejeté : %s.\n", cleanLine(r.Document.Title))
	return err
}
