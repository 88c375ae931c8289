package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/versions"
)

func (a *app) versionsCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "versions", Short: "Montre les versions des articles modifiés et règle ce qui attend",
		Long: "Montre les versions des articles que d’autres textes ont modifiés, consolidées par le service, sans valeur\n" +
			"officielle. Ce qui n’est pas certain n’est pas appliqué : cela attend d’être accepté, écrit ou rejeté."})
	c.AddCommand(a.versionsListCommand(), a.versionsShowCommand(), a.versionsWaitingCommand(), a.versionsSettleCommand(), a.versionsDecisionsCommand(),
		a.versionsUndoCommand(), a.versionsRebuildCommand())
	return c
}

// versionView is a version of an article in the form of the HTTP interface.
type versionView struct {
	Number    string              `json:"number"`
	From      *string             `json:"valid_from"`
	To        *string             `json:"valid_to"`
	Gone      bool                `json:"abroge"`
	Text      string              `json:"text"`
	Assembled bool                `json:"assembled"`
	Act       *uuid.UUID          `json:"act_id"`
	Title     string              `json:"act_title"`
	Evidence  []postgres.Evidence `json:"instructions"`
	Person    bool                `json:"decided"`
	Remarks   []string            `json:"remarks"`
}

func versionOf(v postgres.ArticleVersion, titles map[uuid.UUID]string) versionView {
	view := versionView{Number: v.Number, From: dayOrNone(v.From), To: dayOrNone(v.To), Gone: v.Gone, Text: v.Body, Assembled: v.Act != nil, Act: v.Act,
		Evidence: append([]postgres.Evidence{}, v.Evidence...), Person: v.Person, Remarks: []string{}}
	if v.Act != nil {
		view.Title = titles[*v.Act]
	}
	for _, r := range v.Remarks {
		view.Remarks = append(view.Remarks, r.Sentence())
	}
	return view
}

func versionsOf(list []postgres.ArticleVersion, titles map[uuid.UUID]string) []versionView {
	views := make([]versionView, len(list))
	for i, v := range list {
		views[i] = versionOf(v, titles)
	}
	return views
}

func dayOrNone(day *time.Time) *string {
	if day == nil {
		return nil
	}
	s := isoDay(*day)
	return &s
}

// dayText returns a day that may be missing.
func dayText(day *string) string {
	if day == nil {
		return ""
	}
	return *day
}

func (a *app) versionsListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list ID", Short: "Liste les versions des articles d’un texte que d’autres textes ont modifiés", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error { return a.versionsList(c.Context(), db, d) })
		},
	}
}

func (a *app) versionsList(ctx context.Context, db *postgres.DB, d law.Document) error {
	list, titles, err := db.VersionsOfText(ctx, d.ID)
	if err != nil {
		return err
	}
	views := versionsOf(list, titles)
	if a.json {
		return writeList(a.out, views, len(views))
	}
	t := table{head: []string{"ARTICLE", "DÈS LE", "JUSQU’AU", "ÉTAT", "MODIFIÉ PAR", "PAR L’ACTE"}, omit: []string{"PAR L’ACTE"}}
	var acts []uuid.UUID
	for _, v := range views {
		var act any = ""
		if v.Act != nil {
			acts, act = append(acts, *v.Act), *v.Act
		}
		t.add(v.Number, dayText(v.From), dayText(v.To), versionState(v), instructionsOf(v), act)
	}
	if t.ids, err = a.shortIDs(ctx, db, texts, acts...); err != nil {
		return err
	}
	if err := t.write(a.out, "Aucun texte du catalogue ne modifie ce texte."); err != nil || len(views) == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s. Voir : ingest versions show %s ARTICLE\n", count(len(views), "version"), d.ID)
	return err
}

// versionState says in one or two words where a version comes from.
func versionState(v versionView) string {
	switch {
	case v.Gone:
		return "abrogé"
	case v.Person:
		return "décidé"
	case v.Assembled:
		return "consolidé"
	}
	return "imprimé"
}

// instructionsOf names the act that made a version, with the articles and pages that have its
// instructions.
func instructionsOf(v versionView) string {
	name := v.Title
	for _, e := range v.Evidence {
		var parts []string
		if e.Number != "" {
			parts = append(parts, "article "+e.Number)
		}
		if e.Page > 0 {
			parts = append(parts, fmt.Sprintf("p. %d", e.Page))
		}
		if len(parts) > 0 {
			name += ", " + strings.Join(parts, ", ")
		}
	}
	return name
}

func (a *app) versionsShowCommand() *cobra.Command {
	var date, from, to string
	c := &cobra.Command{
		Use: "show ID ARTICLE [--date D|--from D --to D]", Short: "Montre un article d’un texte dans toutes ses versions, un jour, ou entre deux jours",
		Args: takes(2, 2, "l’identifiant du texte et le numéro de l’article"), DisableFlagsInUseLine: true,
		Long: "Montre un article d’un texte dans toutes ses versions ; avec --date, celle d’un jour ; avec --from et --to, ce qui\n" +
			"change entre deux jours : les mots retirés entre [- et -], les mots ajoutés entre {+ et +}.",
		Example:           "  ingest versions show 0197… 12 --date 2025-01-31\n  ingest versions show 0197… \"2 bis\" --from 2023-01-01 --to 2025-01-01",
		ValidArgsFunction: a.versionArguments,
		RunE: func(c *cobra.Command, args []string) error {
			if date != "" && from+to != "" || (from == "") != (to == "") {
				return usage("Donnez --date, ou --from et --to, ou aucun des trois.")
			}
			var days [3]time.Time
			for i, option := range []struct{ name, typed string }{{"date", date}, {"from", from}, {"to", to}} {
				if option.typed == "" {
					continue
				}
				var err error
				if days[i], err = typedDay(option.name, option.typed); err != nil {
					return err
				}
			}
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error {
				list, titles, err := versionsOfArticle(c.Context(), db, d, args[1])
				switch {
				case err != nil:
					return err
				case from != "":
					return a.showDiff(list, titles, days[1], days[2])
				case date != "":
					v := postgres.VersionOn(list, days[0])
					if v == nil {
						return errs.Newf(errs.NotFound, "L’article %s n’est pas en vigueur le %s.", cleanLine(args[1]), date)
					}
					return a.showVersions([]postgres.ArticleVersion{*v}, titles)
				}
				return a.showVersions(list, titles)
			})
		},
	}
	c.Flags().StringVar(&date, "date", "", "la version en vigueur ce jour-là, `AAAA-MM-JJ`")
	c.Flags().StringVar(&from, "from", "", "avec --to : compare la version de ce jour, `AAAA-MM-JJ`")
	c.Flags().StringVar(&to, "to", "", "à celle de cet autre jour, `AAAA-MM-JJ`")
	return c
}

// typedDay reads the day of an option.
func typedDay(option, typed string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, typed)
	if err != nil {
		return day, usage("--%s attend une date de la forme AAAA-MM-JJ, pas « %s ».", option, cleanLine(typed))
	}
	return day, nil
}

// versionsOfArticle returns the versions of the article with a number, and the titles of the
// acts that made them.
func versionsOfArticle(ctx context.Context, db *postgres.DB, d law.Document, number string) ([]postgres.ArticleVersion, map[uuid.UUID]string, error) {
	key := law.ArticleKey(number)
	list, titles, err := db.VersionsOfText(ctx, d.ID)
	if err != nil {
		return nil, nil, err
	}
	list = slices.DeleteFunc(list, func(v postgres.ArticleVersion) bool { return law.ArticleKey(v.Number) != key })
	if len(list) > 0 {
		return list, titles, nil
	}
	articles, err := db.Articles(ctx, d.ID)
	if err != nil {
		return nil, nil, err
	}
	at := slices.IndexFunc(articles, func(a law.Article) bool { return a.Wording == nil && a.Number != "" && law.ArticleKey(a.Number) == key })
	if at < 0 {
		return nil, nil, errs.Newf(errs.NotFound, "Le texte n’a pas d’article %s. « ingest documents show %s » donne la liste.", cleanLine(number), d.ID)
	}
	return db.VersionsOf(ctx, d.ID, articles[at].ID)
}

func (a *app) showVersions(list []postgres.ArticleVersion, titles map[uuid.UUID]string) error {
	views := versionsOf(list, titles)
	if a.json {
		return writeList(a.out, views, len(views))
	}
	for i, v := range views {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.showVersion(v)
		if !v.Gone {
			fmt.Fprintln(a.out, "\n"+clean(v.Text))
		}
	}
	return nil
}

// showVersion prints the days of a version and what made it.
func (a *app) showVersion(v versionView) {
	days := "en vigueur"
	if v.Gone {
		days = "abrogé"
	}
	if v.From != nil {
		days += " depuis le " + *v.From
	}
	if v.To != nil {
		days += " jusqu’au " + *v.To + ", non compris"
	}
	a.showFields([][2]string{{"Article", v.Number}, {"Version", days}})
	if v.Assembled {
		a.showFields([][2]string{{"Modifié par", instructionsOf(v)}, {"", law.AssembledNotice}})
	}
	for _, e := range v.Evidence {
		a.showFields([][2]string{{"Instruction", e.Words}})
	}
	if v.Person {
		a.showFields([][2]string{{"Décision", "texte décidé par une personne"}})
	}
	for _, r := range v.Remarks {
		a.showFields([][2]string{{"À vérifier", r}})
	}
}

// diffView is what changes in an article between two days, in the form of the HTTP interface.
type diffView struct {
	From  *versionView `json:"from"` // null: the article is not in force that day
	To    *versionView `json:"to"`
	Parts []law.Part   `json:"parts"`
}

func (a *app) showDiff(list []postgres.ArticleVersion, titles map[uuid.UUID]string, from, to time.Time) error {
	var view diffView
	var words [2]string
	for i, day := range []time.Time{from, to} {
		v := postgres.VersionOn(list, day)
		if v == nil {
			continue
		}
		shown := versionOf(*v, titles)
		if words[i] = v.Body; i == 0 {
			view.From = &shown
		} else {
			view.To = &shown
		}
	}
	view.Parts = law.Differences(words[0], words[1])
	if a.json {
		return writeJSON(a.out, view)
	}
	for i, v := range []*versionView{view.From, view.To} {
		fmt.Fprintf(a.out, "%s le %s :\n", [2]string{"Avant,", "Après,"}[i], isoDay([]time.Time{from, to}[i]))
		if v == nil {
			fmt.Fprintln(a.out, "L’article n’est pas en vigueur.")
		} else {
			a.showVersion(*v)
		}
		fmt.Fprintln(a.out)
	}
	var b strings.Builder
	for _, p := range view.Parts {
		words := strings.TrimRight(p.Text, " \n")
		rest := p.Text[len(words):]
		switch {
		case words == "" || p.Kind == law.Same:
			b.WriteString(p.Text)
		case p.Kind == law.Removed:
			b.WriteString("[-" + words + "-]" + rest)
		default:
			b.WriteString("{+" + words + "+}" + rest)
		}
	}
	_, err := fmt.Fprintln(a.out, clean(b.String()))
	return err
}

// versionArguments completes the id of a text, then the number of one of its articles.
func (a *app) versionArguments(c *cobra.Command, given []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	of := a.rows(postgres.NamedDocuments, postgres.Versioned)
	if len(given) > 0 {
		of = a.propose(func(ctx context.Context, db *postgres.DB, _ string) (all []string, err error) {
			meant, err := typedID(texts, given[0])
			if err != nil || len(given) > 1 {
				return nil, err
			}
			document, err := meant.find(ctx, db)
			if err != nil {
				return nil, err
			}
			list, titles, err := db.VersionsOfText(ctx, document)
			for _, v := range versionsOf(list, titles) {
				if v.Assembled {
					all = append(all, proposal(v.Number, instructionsOf(v)))
				}
			}
			return all, err
		})
	}
	return of.complete(cobra.ShellCompDirectiveNoFileComp)(c, nil, word)
}

func (a *app) versionsRebuildCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rebuild [ID]", Short: "Fait refaire les versions d’un texte, ou de tous", Args: takes(0, 1, ""),
		Long: "Avec l’identifiant d’un texte, relit ses modifications et les actes qui le modifient, et refait ses versions\n" +
			"aussitôt. Sans identifiant, un worker relit tout le catalogue ; les anciennes versions servent pendant ce temps.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error { return a.versionsRebuild(c.Context(), db, d) })
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				if err := db.VersionIndex().Remake(c.Context()); err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"rebuild": "queued"})
				}
				_, err := fmt.Fprintln(a.outcome(), "Les versions de tous les textes seront refaites par un worker.")
				return err
			})
		},
	}
}

func (a *app) versionsRebuild(ctx context.Context, db *postgres.DB, d law.Document) error {
	if err := (&versions.Runner{DB: db}).Write(ctx, 0, []uuid.UUID{d.ID}); err != nil {
		return err
	}
	list, _, err := db.VersionsOfText(ctx, d.ID)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": d.ID, "versions": len(list)})
	}
	_, err = fmt.Fprintf(a.outcome(), "%s : %s.\n", cleanLine(d.Title), count(len(list), "version"))
	return err
}
