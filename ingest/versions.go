package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) versionsCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "versions", Short: "Montre les versions des articles modifiés et règle ce qui attend",
		Long: "Montre les versions des articles que d’autres textes ont modifiés, consolidées par le service, sans valeur\n" +
			"officielle. Ce qui n’est pas certain n’est pas appliqué : cela attend d’être accepté, écrit ou rejeté."})
	c.AddCommand(a.versionsListCommand(), a.versionsShowCommand(), a.versionsWaitingCommand(), a.versionsSettleCommand(), a.versionsDecisionsCommand(),
		a.versionsUndoCommand(), a.versionsRebuildCommand(), a.versionsTruthCommand())
	return c
}

// dayText returns a day that may be missing.
func dayText(day *string) string {
	if day == nil {
		return ""
	}
	return *day
}

// withText calls f with the API and the id of a text that was typed.
func (a *app) withText(ctx context.Context, typed string, f func(s *server, id uuid.UUID) error) error {
	if _, err := typedID(texts, typed); err != nil {
		return err
	}
	return a.withServer(ctx, func(s *server) error {
		id, err := s.find(ctx, texts, typed)
		if err != nil {
			return err
		}
		return f(s, id)
	})
}

// wholeList returns a list of the API that comes whole.
func wholeList[T any](ctx context.Context, s *server, path string) ([]T, error) {
	var list struct {
		Items []T `json:"items"`
	}
	err := s.call(ctx, http.MethodGet, path, nil, nil, &list)
	return list.Items, err
}

func (a *app) versionsListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list ID", Short: "Liste les versions des articles d’un texte que d’autres textes ont modifiés", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withText(c.Context(), args[0], func(s *server, id uuid.UUID) error { return a.versionsList(c.Context(), s, id) })
		},
	}
}

func (a *app) versionsList(ctx context.Context, s *server, id uuid.UUID) error {
	list, err := versionsOf(ctx, s, id)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"ARTICLE", "DÈS LE", "JUSQU’AU", "ÉTAT", "MODIFIÉ PAR", "PAR L’ACTE"}, omit: []string{"PAR L’ACTE"}}
	for _, v := range list {
		var act any = ""
		if v.By != nil {
			act = v.By.Document
		}
		t.add(v.Number, dayText(v.ValidFrom), dayText(v.ValidTo), versionState(v.VersionBody), instructionsOf(v.VersionBody), act)
	}
	if err := t.write(a.out, "Aucun texte du catalogue ne modifie ce texte."); err != nil || len(list) == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s. Voir : ingest versions show %s ARTICLE\n", count(len(list), "version"), id)
	return err
}

func versionsOf(ctx context.Context, s *server, text uuid.UUID) ([]catalogue.ShownVersion, error) {
	list, err := wholeList[catalogue.ShownVersion](ctx, s, "/documents/"+text.String()+"/versions")
	return list, catalogued.orAbsent(err, text)
}

// versionState says in one or two words where a version comes from.
func versionState(v catalogue.VersionBody) string {
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
func instructionsOf(v catalogue.VersionBody) string {
	if v.By == nil {
		return ""
	}
	name := v.By.Title
	for _, e := range v.By.Instructions {
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
		Example: "  ingest versions show 0197… 12 --date 2025-01-31\n  ingest versions show 0197… \"2 bis\" --from 2023-01-01 --to 2025-01-01",
		RunE: func(c *cobra.Command, args []string) error {
			if date != "" && from+to != "" || (from == "") != (to == "") {
				return usage("Donnez --date, ou --from et --to, ou aucun des trois.")
			}
			for _, option := range []struct{ name, typed string }{{"date", date}, {"from", from}, {"to", to}} {
				if option.typed == "" {
					continue
				}
				if err := checkDay(option.name, option.typed); err != nil {
					return err
				}
			}
			return a.withText(c.Context(), args[0], func(s *server, text uuid.UUID) error {
				article, err := articleNumbered(c.Context(), s, text, args[1])
				if err != nil {
					return err
				}
				path := "/documents/" + text.String() + "/articles/" + article.String()
				if from != "" {
					return a.showDiff(c.Context(), s, path, from, to)
				}
				list, err := wholeList[catalogue.ShownVersion](c.Context(), s, path+"/versions")
				if date != "" {
					list = slices.DeleteFunc(list, func(v catalogue.ShownVersion) bool {
						return v.ValidFrom != nil && *v.ValidFrom > date || v.ValidTo != nil && *v.ValidTo <= date
					})
					if err == nil && len(list) == 0 {
						return errs.Newf(errs.NotFound, "L’article %s n’est pas en vigueur le %s.", cleanLine(args[1]), date)
					}
				}
				if err != nil {
					return err
				}
				return a.showVersions(list)
			})
		},
	}
	c.Flags().StringVar(&date, "date", "", "la version en vigueur ce jour-là, `AAAA-MM-JJ`")
	c.Flags().StringVar(&from, "from", "", "avec --to : compare la version de ce jour, `AAAA-MM-JJ`")
	c.Flags().StringVar(&to, "to", "", "à celle de cet autre jour, `AAAA-MM-JJ`")
	return c
}

// checkDay returns what is wrong with the day of an option.
func checkDay(option, typed string) error {
	if _, err := time.Parse(time.DateOnly, typed); err != nil {
		return usage("--%s attend une date de la forme AAAA-MM-JJ, pas « %s ».", option, cleanLine(typed))
	}
	return nil
}

// articleNumbered returns the article of a text with a number, also one that acts have inserted.
func articleNumbered(ctx context.Context, s *server, text uuid.UUID, number string) (uuid.UUID, error) {
	key := law.ArticleKey(number)
	changed, err := versionsOf(ctx, s, text)
	if err != nil {
		return uuid.Nil, err
	}
	if at := slices.IndexFunc(changed, func(v catalogue.ShownVersion) bool { return law.ArticleKey(v.Number) == key }); at >= 0 {
		return changed[at].Article, nil
	}
	articles, err := wholeList[catalogue.ArticleBody](ctx, s, "/documents/"+text.String()+"/articles")
	if err != nil {
		return uuid.Nil, err
	}
	at := slices.IndexFunc(articles, func(a catalogue.ArticleBody) bool {
		return a.Replaces == nil && a.Number != "" && law.ArticleKey(a.Number) == key
	})
	if at < 0 {
		return uuid.Nil, noArticle(text, number)
	}
	return articles[at].ID, nil
}

func noArticle(text uuid.UUID, number string) error {
	return errs.Newf(errs.NotFound, "Le texte n’a pas d’article %s. « ingest documents show %s » donne la liste.", cleanLine(number), text)
}

func (a *app) showVersions(list []catalogue.ShownVersion) error {
	if a.json {
		return writeList(a.out, list, len(list))
	}
	for i, v := range list {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.showVersion(v.VersionBody)
		if !v.Gone {
			fmt.Fprintln(a.out, "\n"+clean(v.Text))
		}
	}
	return nil
}

// showVersion prints the days of a version and what made it.
func (a *app) showVersion(v catalogue.VersionBody) {
	days := "en vigueur"
	if v.Gone {
		days = "abrogé"
	}
	if v.ValidFrom != nil {
		days += " depuis le " + *v.ValidFrom
	}
	if v.ValidTo != nil {
		days += " jusqu’au " + *v.ValidTo + ", non compris"
	}
	a.showFields([][2]string{{"Article", v.Number}, {"Version", days}})
	if v.By != nil {
		a.showFields([][2]string{{"Modifié par", instructionsOf(v)}, {"", v.By.Notice}})
		for _, e := range v.By.Instructions {
			a.showFields([][2]string{{"Instruction", e.Words}})
		}
	}
	if v.Person {
		a.showFields([][2]string{{"Décision", "texte décidé par une personne"}})
	}
	for _, r := range v.Remarks {
		a.showFields([][2]string{{"À vérifier", r}})
	}
}

func (a *app) showDiff(ctx context.Context, s *server, article, from, to string) error {
	var view catalogue.DiffBody
	if err := s.call(ctx, http.MethodGet, article+"/diff", url.Values{"from": {from}, "to": {to}}, nil, &view); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, view)
	}
	for i, v := range []*catalogue.VersionBody{view.From, view.To} {
		fmt.Fprintf(a.out, "%s le %s :\n", [2]string{"Avant,", "Après,"}[i], [2]string{from, to}[i])
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

func (a *app) versionsRebuildCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rebuild [ID]", Short: "Fait refaire les versions d’un texte, ou de tous", Args: takes(0, 1, ""),
		Long: "Avec l’identifiant d’un texte, relit ses modifications et les actes qui le modifient, et refait ses versions\n" +
			"aussitôt. Sans identifiant, un worker relit tout le catalogue ; les anciennes versions servent pendant ce temps.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.withText(c.Context(), args[0], func(s *server, id uuid.UUID) error {
					var made gazettes.RebuiltBody
					if err := s.call(c.Context(), http.MethodPost, "/admin/versions/rebuild/"+id.String(), nil, nil, &made); err != nil {
						return texts.orAbsent(err, id)
					}
					return a.said(map[string]any{"id": id, "versions": made.Versions}, "%s.", count(made.Versions, "version"))
				})
			}
			return a.withServer(c.Context(), func(s *server) error {
				if err := s.call(c.Context(), http.MethodPost, "/admin/versions/rebuild", nil, nil, nil); err != nil {
					return err
				}
				return a.said(map[string]any{"rebuild": "queued"}, "Les versions de tous les textes seront refaites par un worker.")
			})
		},
	}
}
