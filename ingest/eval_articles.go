package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/law"
	"vigueur/internal/segment"
)

func (a *app) evalArticlesCommand() *cobra.Command {
	s := sight{app: a}
	c := &cobra.Command{
		Use: "articles DOSSIER", Short: "Compare les articles découpés à ceux de textes découpés par d’autres",
		Args: takes(1, 1, "le dossier des textes découpés"),
		Long: "DOSSIER contient « codes » (textes découpés : .jsonl, .json, .md) et « pdfs » ; une vérité va avec le PDF dont\n" +
			"le chemin contient tous les mots de son nom. Il peut aussi être celui des gazettes d’exemple (« truth.json »\n" +
			"et « gazettes »). Un article est identique quand son numéro et son texte le sont, blancs à part ; il a la\n" +
			"même coupe quand il commence et finit aux mêmes mots, à quelques lettres près.",
		RunE: func(c *cobra.Command, args []string) error { return a.evalArticles(c.Context(), &s, args[0]) },
	}
	s.flags(c)
	return c
}

// articleScore is what came of one truth.
type articleScore struct {
	File     string   `json:"file"`
	Truth    string   `json:"truth"`
	Articles int      `json:"articles"` // in the truth
	Same     int      `json:"identical"`
	Cut      int      `json:"same_cut"` // the identical ones among them
	Missing  []string `json:"missing"`
	Invented []string `json:"invented"`
	Other    []string `json:"different"`
}

func (a *app) evalArticles(ctx context.Context, s *sight, dir string) error {
	pairs, err := articlePairs(dir)
	if err != nil {
		return err
	}
	var scores []articleScore
	for _, p := range pairs {
		issue, err := s.issue(ctx, filepath.Join(dir, p.pdf))
		if err != nil {
			return err
		}
		got := p.articles(issue)
		scores = append(scores, scoreArticles(p, got))
	}
	return a.tellArticles(scores)
}

// pair is a PDF with the articles that it is known to have.
type pair struct {
	pdf, truth string
	want       []splitArticle
	number     string // of the text meant, where the file holds several
}

// splitArticle is an article as someone else has split it.
type splitArticle struct{ number, text string }

// articlePairs finds the truths of a folder and their PDFs.
func articlePairs(dir string) ([]pair, error) {
	if sample, err := samplePairs(dir); len(sample) > 0 || err != nil {
		return sample, err
	}
	truths, err := filepath.Glob(filepath.Join(dir, "codes", "*.*"))
	if err != nil {
		return nil, err
	}
	var pdfs []string
	err = filepath.WalkDir(filepath.Join(dir, "pdfs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.EqualFold(filepath.Ext(path), ".pdf") {
			pdfs = append(pdfs, path)
		}
		return err
	})
	if err != nil || len(truths) == 0 {
		return nil, errs.Wrap(errs.Invalid, "« "+dir+" » n’a pas de dossiers « codes » et « pdfs », ni de « truth.json ».", err)
	}
	var out []pair
	for _, truth := range truths {
		i := slices.IndexFunc(pdfs, func(pdf string) bool { return named(relative(dir, pdf), truth) })
		if i < 0 {
			continue
		}
		want, err := readSplit(truth)
		if err != nil {
			return nil, err
		}
		out = append(out, pair{pdf: relative(dir, pdfs[i]), truth: filepath.Base(truth), want: want})
	}
	if len(out) == 0 {
		return nil, errs.Newf(errs.Invalid, "Aucune vérité de « %s » n’a son PDF.", dir)
	}
	return out, nil
}

func relative(dir, path string) string {
	if r, err := filepath.Rel(dir, path); err == nil {
		return r
	}
	return path
}

// named tells whether all words of a truth's name begin words of a PDF's path.
func named(pdf, truth string) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	of := words(strings.TrimSuffix(pdf, filepath.Ext(pdf)))
	base := filepath.Base(truth)
	for _, w := range words(strings.TrimSuffix(base, filepath.Ext(base))) {
		if !slices.ContainsFunc(of, func(o string) bool { return strings.HasPrefix(o, w) }) {
			return false
		}
	}
	return true
}

// articles are those of the text meant: the one of that number, else the one with
// the most articles.
func (p pair) articles(issue segment.Issue) []law.Article {
	best := -1
	for i, x := range issue.Texts {
		if p.number != "" && x.Document.OfficialNumber == p.number {
			best = i
			break
		}
		if p.number == "" && (best < 0 || numberedArticles(x) > numberedArticles(issue.Texts[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(issue.Texts[best].Articles), func(a law.Article) bool { return a.Number == "" })
}

func scoreArticles(p pair, got []law.Article) articleScore {
	out := articleScore{File: p.pdf, Truth: p.truth, Articles: len(p.want), Missing: []string{}, Invented: []string{}, Other: []string{}}
	left := slices.Clone(got)
	for _, w := range p.want {
		i := nearest(left, w)
		if i < 0 {
			out.Missing = append(out.Missing, w.number)
			continue
		}
		switch {
		case blind(left[i].Text) == blind(w.text):
			out.Same++
			out.Cut++
		case sameCut(left[i].Text, w.text):
			out.Cut++
		default:
			out.Other = append(out.Other, w.number+" : "+difference(left[i].Text, w.text))
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, x := range left {
		if !strings.HasPrefix(x.Number, "Annexe") {
			out.Invented = append(out.Invented, x.Number)
		}
	}
	return out
}

// nearest finds the article of that number, of several the one with the same
// text; -1 for none.
func nearest(articles []law.Article, w splitArticle) int {
	first := -1
	for i, x := range articles {
		if law.ArticleKey(x.Number) != law.ArticleKey(w.number) {
			continue
		}
		if first < 0 || blind(x.Text) == blind(w.text) {
			first = i
		}
		if blind(x.Text) == blind(w.text) {
			break
		}
	}
	return first
}

func (a *app) tellArticles(scores []articleScore) error {
	articles, same, cuts := 0, 0, 0
	for _, s := range scores {
		articles, same, cuts = articles+s.Articles, same+s.Same, cuts+s.Cut
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"files": scores, "articles": articles, "identical": same, "same_cut": cuts,
			"share": float64(cuts) / float64(max(1, articles))})
	}
	t := table{head: []string{"FICHIER", "ARTICLES", "IDENTIQUES", "MÊME COUPE", "PART", "MANQUENT", "EN TROP"}}
	for _, s := range scores {
		t.add(s.File, s.Articles, s.Same, s.Cut, percent(s.Cut, s.Articles), len(s.Missing), len(s.Invented))
	}
	if err := t.write(a.out, "Aucun fichier."); err != nil {
		return err
	}
	for _, s := range scores {
		a.details(s.File, "manque", s.Missing)
		a.details(s.File, "en trop", s.Invented)
		a.details(s.File, "autre", s.Other)
	}
	_, err := fmt.Fprintf(a.out, "En tout : %d articles de même coupe sur %d (%s), dont %d identiques.\n", cuts, articles, percent(cuts, articles), same)
	return err
}

func percent(n, of int) string {
	return strings.ReplaceAll(fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of))), ".", ",")
}
