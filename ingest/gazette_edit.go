package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/ingestion"
)

// mending is an edit with the lines as the command line gives them.
type mending struct {
	addOptions
	page, line, through int
	after               string // PAGE:LINE
	date, kind          string
	stdin               bool
	wish                ingestion.EditRequest
}

// command adds the common flags to the command of an edit.
func (m *mending) command(a *app, kind gazette.EditKind, c *cobra.Command) *cobra.Command {
	m.wish.Kind = kind
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
	c.Flags().StringVar(&m.kind, "type", "", "`NATURE` du texte : "+joined(law.DocTypes()))
	c.Flags().StringVar(&m.wish.Nature, "nature", "", "`NOM` que le texte se donne : « Ordonnance », « Dahir »…")
	c.Flags().StringVar(&m.wish.Number, "numero", "", "`NUMÉRO` officiel du texte")
	c.Flags().StringVar(&m.date, "date", "", "date de promulgation, `AAAA-MM-JJ`")
	c.Flags().StringVar(&m.wish.Title, "title", "", "`TITRE` du texte")
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
	c.Flags().StringVar(&m.wish.To, "to", "", "`OÙ` : "+strings.Join(ingestion.Targets(), ", "))
	c.Flags().StringVar(&m.after, "after", "", "`PAGE:LIGNE` derrière laquelle placer les lignes")
	return c
}

func (a *app) gazetteRenumberCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.Renumber, &cobra.Command{
		Use: "renumber ID --page N --line N --number NUMÉRO", Short: "Donne un autre numéro à l’article d’une ligne",
		Example: "  ingest gazette renumber 0197… --page 3 --line 12 --number \"26 bis\"",
	})
	c.Flags().StringVar(&m.wish.Number, "number", "", "`NUMÉRO` de l’article")
	return c
}

func (a *app) gazetteRetitleCommand() *cobra.Command {
	m := &mending{}
	c := m.command(a, gazette.Retitle, &cobra.Command{
		Use: "retitle ID --page N --line N --title TITRE [--article]", Short: "Donne un autre titre au texte d’une ligne, ou à son article",
	})
	c.Flags().StringVar(&m.wish.Title, "title", "", "`TITRE` nouveau")
	c.Flags().BoolVar(&m.wish.Article, "article", false, "celui de l’article, et non du texte")
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
	c.Flags().StringVar(&m.wish.Text, "text", "", "`MOTS` de la ligne ou de l’article")
	c.Flags().BoolVar(&m.stdin, "text-stdin", false, "lit les mots sur l’entrée standard")
	c.Flags().BoolVar(&m.wish.Article, "article", false, "corrige tout l’article")
	return c
}

// mend adds the edit and follows the file.
func (a *app) mend(ctx context.Context, m *mending, id string) error {
	if err := m.read(a.in); err != nil {
		return err
	}
	return a.recut(ctx, m.addOptions, id, func(db *postgres.DB, row postgres.Ingestion) (*postgres.Edit, error) {
		if err := m.locate(ctx, db, row); err != nil {
			return nil, err
		}
		edit, err := ingestion.ApplyEdit(ctx, db, row.ID, m.wish)
		var refused *ingestion.Refused
		if errors.As(err, &refused) {
			return nil, usage("%s", refused.Reason)
		}
		return &edit, err
	})
}

// read checks the arguments except the lines. It follows the rules of the HTTP interface.
func (m *mending) read(in io.Reader) error {
	w := &m.wish
	if m.stdin {
		if w.Text != "" {
			return usage("Donnez --text ou --text-stdin, pas les deux.")
		}
		text, err := io.ReadAll(io.LimitReader(in, 4*ingestion.ArticleLimit+1))
		if err != nil {
			return err
		}
		w.Text = string(text)
	}
	if err := checkKinds(law.DocType(m.kind), ""); err != nil {
		return err
	}
	w.Type = law.DocType(m.kind)
	if m.date != "" {
		day, err := time.Parse(time.DateOnly, strings.TrimSpace(m.date))
		if err != nil {
			return usage("--date : « %s » n’est pas une date de la forme AAAA-MM-JJ.", cleanLine(m.date))
		}
		w.Promulgated = &day
	}
	most := ingestion.LineLimit
	if w.Article {
		most = ingestion.ArticleLimit
	}
	for _, f := range []struct {
		option, value string
		most          int
	}{{"--text", w.Text, most}, {"--title", w.Title, ingestion.TitleLimit}, {"le numéro", w.Number, ingestion.NumberLimit}, {"--nature", w.Nature, ingestion.NumberLimit}} {
		if !utf8.ValidString(f.value) || strings.ContainsRune(f.value, 0) {
			return usage("%s : ce texte n’est pas de l’UTF-8.", f.option)
		}
		if utf8.RuneCountInString(f.value) > f.most {
			return usage("%s : %d caractères au plus.", f.option, f.most)
		}
	}
	w.Title = strings.TrimSpace(w.Title)
	if w.Kind == gazette.MoveLines && w.To == "" {
		return usage("--to manque : %s.", strings.Join(ingestion.Targets(), ", "))
	}
	if (w.To == ingestion.ToAfter) != (m.after != "") {
		return usage("--to after et --after PAGE:LIGNE vont ensemble.")
	}
	return nil
}

// locate finds the lines with the given numbers.
func (m *mending) locate(ctx context.Context, db *postgres.DB, row postgres.Ingestion) error {
	line, err := lineRef(ctx, db, row, "--line", m.page, m.line)
	if err != nil {
		return err
	}
	m.wish.Line = line
	if m.through != 0 {
		through, err := lineRef(ctx, db, row, "--through", m.page, m.through)
		if err != nil {
			return err
		}
		m.wish.Through = &through
	}
	if m.after == "" {
		return nil
	}
	before, behind, found := strings.Cut(m.after, ":")
	page, err1 := strconv.Atoi(before)
	n, err2 := strconv.Atoi(behind)
	if !found || err1 != nil || err2 != nil {
		return usage("--after s’écrit PAGE:LIGNE, par exemple 2:40.")
	}
	after, err := lineRef(ctx, db, row, "--after", page, n)
	m.wish.After = &after
	return err
}

// lineRef returns the reference that identifies the n-th line of a page by its position.
func lineRef(ctx context.Context, db *postgres.DB, row postgres.Ingestion, option string, page, n int) (ref ingestion.LineRef, err error) {
	p, err := pageLines(ctx, db, row, page)
	if err != nil {
		return ref, err
	}
	if n < 1 || n > len(p.Lines) {
		return ref, usage("%s : la page %d a les lignes 1 à %d. « ingest gazette lines %s --page %d » les montre.", option, page, len(p.Lines), row.ID, page)
	}
	l := p.Lines[n-1]
	return ingestion.LineRef{Page: page, Rect: l.Rect, Text: l.Text}, nil
}
