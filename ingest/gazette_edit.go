package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/ingestion"
)

// mending is an edit with the lines as the command line gives them.
type mending struct {
	addOptions
	kind                gazette.EditKind
	page, line, through int
	after               string             // PAGE:LINE
	fields              map[string]*string // other fields of the API
	article, stdin      bool
}

// field adds a flag for a field of the API.
func (m *mending) field(c *cobra.Command, name, option, help string) {
	if m.fields == nil {
		m.fields = map[string]*string{}
	}
	m.fields[name] = c.Flags().String(option, "", help)
}

// command adds the common flags to the command of an edit.
func (m *mending) command(a *app, kind gazette.EditKind, c *cobra.Command) *cobra.Command {
	m.kind = kind
	c.Args, c.DisableFlagsInUseLine = takes(1, 1, "l’identifiant d’une ingestion"), true
	c.Flags().IntVar(&m.page, "page", 0, "page `N` du fichier, à partir de 1")
	c.Flags().IntVar(&m.line, "line", 0, "ligne `N` de la page (ingest gazette lines)")
	c.Flags().BoolVar(&m.noWait, "no-wait", false, "n’attend pas la fin du découpage")
	c.RunE = func(c *cobra.Command, args []string) error { return a.mend(c.Context(), m, args[0]) }
	return c
}

func (a *app) gazetteSplitCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.SplitHere, &cobra.Command{
		Use: "split ID --page N --line N", Short: "Fait commencer un texte à une ligne",
		Long: "Fait commencer un texte à une ligne. --through nomme la dernière ligne de son titre. Ce que l’on sait du texte\n" +
			"(--type, --numero…) l’emporte sur ce qui est imprimé et n’est plus douteux.",
		Example: "  ingest gazette split 0197… --page 3 --line 12 --through 13 --type decret --numero 2019-13 --date 2019-03-02",
	})
	c.Flags().IntVar(&m.through, "through", 0, "dernière ligne `N` du titre, sur la même page")
	m.field(c, "doc_type", "type", "`NATURE` du texte : "+joined(law.DocTypes()))
	m.field(c, "nature", "nature", "`NOM` que le texte se donne : « Ordonnance », « Dahir »…")
	m.field(c, "number", "numero", "`NUMÉRO` officiel du texte")
	m.field(c, "date_promulgation", "date", "date de promulgation, `AAAA-MM-JJ`")
	m.field(c, "title", "title", "`TITRE` du texte")
	return c
}

func (a *app) gazetteMergeCommand() *cobra.Command {
	return (&mending{}).command(a, gazette.MergeBefore, &cobra.Command{
		Use: "merge ID --page N --line N", Short: "Fait continuer le texte d’avant : aucun texte ne commence à la ligne",
	})
}

func (a *app) gazetteMoveCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.MoveLines, &cobra.Command{
		Use: "move ID --page N --line N [--through N] --to loose|previous|next|after", Short: "Déplace des lignes dans un texte voisin, ou hors de tout texte",
		Long: "Déplace des lignes : hors de tout texte (--to loose), à la fin du texte d’avant (previous), sous le titre du\n" +
			"texte suivant (next), ou derrière une ligne nommée par --after PAGE:LIGNE (after).",
		Example: "  ingest gazette move 0197… --page 3 --line 12 --through 14 --to loose\n  ingest gazette move 0197… --page 3 --line 12 --to after --after 2:40",
	})
	c.Flags().IntVar(&m.through, "through", 0, "dernière ligne `N`, sur la même page")
	m.field(c, "to", "to", "`OÙ` : "+strings.Join(ingestion.Targets(), ", "))
	c.Flags().StringVar(&m.after, "after", "", "`PAGE:LIGNE` derrière laquelle placer les lignes")
	return c
}

func (a *app) gazetteRenumberCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.Renumber, &cobra.Command{
		Use: "renumber ID --page N --line N --number NUMÉRO", Short: "Donne un autre numéro à l’article d’une ligne",
		Example: "  ingest gazette renumber 0197… --page 3 --line 12 --number \"26 bis\"",
	})
	m.field(c, "number", "number", "`NUMÉRO` de l’article")
	return c
}

func (a *app) gazetteRetitleCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.Retitle, &cobra.Command{
		Use: "retitle ID --page N --line N --title TITRE [--article]", Short: "Donne un autre titre au texte d’une ligne, ou à son article",
	})
	m.field(c, "title", "title", "`TITRE` nouveau")
	c.Flags().BoolVar(&m.article, "article", false, "celui de l’article, et non du texte")
	return c
}

func (a *app) gazetteCorrectCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.Correct, &cobra.Command{
		Use: "correct ID --page N --line N --text MOTS [--article]", Short: "Corrige les mots d’une ligne, ou de tout son article",
		Long: "Corrige les mots d’une ligne mal reconnue, ou avec --article ceux de tout son article, sans son numéro ; une\n" +
			"fin de ligne y commence un alinéa. --text-stdin lit les mots sur l’entrée standard.",
		Example: "  ingest gazette correct 0197… --page 3 --line 12 --text \"Art. 5. — Le délai est de dix jours.\"\n" +
			"  ingest gazette correct 0197… --page 3 --line 12 --article --text-stdin < article.txt",
	})
	m.field(c, "text", "text", "`MOTS` de la ligne ou de l’article")
	c.Flags().BoolVar(&m.stdin, "text-stdin", false, "lit les mots sur l’entrée standard")
	c.Flags().BoolVar(&m.article, "article", false, "corrige tout l’article")
	return c
}

// mend adds the edit and follows the file.
func (a *app) mend(ctx context.Context, m *mending, id string) error {
	return a.recut(ctx, m.addOptions, id, func(s *server, row gazettes.IngestionBody) (*gazettes.EditBody, error) {
		wish, err := m.wish(ctx, a.in, s, row)
		if err != nil {
			return nil, err
		}
		var edit gazettes.EditBody
		err = s.call(ctx, http.MethodPost, "/admin/ingestions/"+row.ID.String()+"/edits", nil, wish, &edit)
		return &edit, err
	})
}

// wish returns the edit as the API takes it.
func (m *mending) wish(ctx context.Context, in io.Reader, s *server, row gazettes.IngestionBody) (map[string]any, error) {
	s.plain = true
	wish := map[string]any{"kind": m.kind, "article": m.article}
	for name, value := range m.fields {
		if *value != "" {
			wish[name] = *value
		}
	}
	if m.stdin {
		if wish["text"] != nil {
			return nil, usage("Donnez --text ou --text-stdin, pas les deux.")
		}
		text, err := io.ReadAll(io.LimitReader(in, 4*ingestion.ArticleLimit+1))
		if err != nil {
			return nil, err
		}
		wish["text"] = string(text)
	}
	if (wish["to"] == ingestion.ToAfter) != (m.after != "") {
		return nil, usage("--to after et --after PAGE:LIGNE vont ensemble.")
	}
	var err error
	if wish["line"], err = s.line(ctx, row, "--line", m.page, m.line); err != nil {
		return nil, err
	}
	if m.through != 0 {
		if wish["through"], err = s.line(ctx, row, "--through", m.page, m.through); err != nil {
			return nil, err
		}
	}
	if m.after == "" {
		return wish, nil
	}
	before, behind, found := strings.Cut(m.after, ":")
	page, err1 := strconv.Atoi(before)
	n, err2 := strconv.Atoi(behind)
	if !found || err1 != nil || err2 != nil {
		return nil, usage("--after s’écrit PAGE:LIGNE, par exemple 2:40.")
	}
	wish["after"], err = s.line(ctx, row, "--after", page, n)
	return wish, err
}

// line returns the n-th line of a page as the API identifies it: by its place and words.
func (s *server) line(ctx context.Context, row gazettes.IngestionBody, option string, page, n int) (of gazettes.EditLineBody, err error) {
	p, err := s.pageLines(ctx, row, page)
	if err != nil {
		return of, err
	}
	if n < 1 || n > len(p.Lines) {
		return of, usage("%s : la page %d a les lignes 1 à %d. « ingest gazette lines %s --page %d » les montre.", option, page, len(p.Lines), row.ID, page)
	}
	l := p.Lines[n-1]
	return gazettes.EditLineBody{Page: page, Rect: l.Rect, Text: l.Text}, nil
}
