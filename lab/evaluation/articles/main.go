// Command articles holds the articles that gazettes are cut into against texts that others have split.
//
// The folder has codes/ (texts split into articles: .jsonl, .json, .md) and pdfs/; a truth goes with the PDF whose path
// has all words of its name. It may also be that of the sample gazettes (truth.json and gazettes/). An article is
// identical when its number and its text are, white space apart. It is cut alike when nothing of it lies in another
// article and nothing of another in it: truths often come from another edition. An article whose words the file does not
// have is not counted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/lab/evaluation/output"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

func main() {
	readpages.Main("articles", func(ctx context.Context, r *readpages.Reader, dir string, asJSON bool) error {
		scores, err := evaluate(ctx, r, dir)
		if err != nil {
			return err
		}
		return tell(os.Stdout, scores, asJSON)
	})
}

// articleScore is what came of one truth.
type articleScore struct {
	File     string   `json:"file"`
	Truth    string   `json:"truth"`
	Articles int      `json:"articles"`  // in the truth
	Same     int      `json:"identical"` // number and text, white space apart
	Cut      int      `json:"same_cut"`  // the identical ones among them
	Other    int      `json:"other_edition"`
	Missing  []string `json:"missing"`
	Invented []string `json:"invented"`
	Wrong    []string `json:"wrong"`
}

// compared is how many articles of the truth the file has at all.
func (s articleScore) compared() int { return s.Articles - s.Other }

// evaluate cuts the files of a folder and holds each against its truth.
func evaluate(ctx context.Context, r *readpages.Reader, dir string) (scores []articleScore, err error) {
	pairs, err := articlePairs(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		issue, pages, err := r.Issue(ctx, filepath.Join(dir, p.pdf))
		if err != nil {
			return nil, err
		}
		scores = append(scores, scoreArticles(p, p.articles(issue), printedNumbers(pages)))
	}
	return scores, nil
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
	if err == nil && len(truths) == 0 {
		err = errors.New("codes is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s has no folders codes and pdfs, and no truth.json: %w", dir, err)
	}
	var out []pair
	for _, truth := range truths {
		i := slices.IndexFunc(pdfs, func(pdf string) bool { return namedLike(relative(dir, pdf), truth) })
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
		return nil, fmt.Errorf("%s: no truth has its PDF", dir)
	}
	return out, nil
}

func relative(dir, path string) string {
	if r, err := filepath.Rel(dir, path); err == nil {
		return r
	}
	return path
}

// namedLike reports whether all words of a truth's name begin words of a PDF's path.
func namedLike(pdf, truth string) bool {
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
func (p pair) articles(issue gazette.Issue) []law.Article {
	best := -1
	for i, x := range issue.Texts {
		if p.number != "" && x.Document.OfficialNumber == p.number {
			best = i
			break
		}
		if p.number == "" && (best < 0 || gazettes.Numbered(&x) > gazettes.Numbered(&issue.Texts[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(issue.Texts[best].Articles), func(a law.Article) bool { return a.Number == "" })
}

// scoreArticles holds the articles of a cut against those of its truth. Truths
// were copied from other prints: where the words differ, the cut is the same
// when none of them lie in a neighbor that does not have them in the truth. A
// truth whose number no line of the file prints, a second wording of an article,
// and one that has hardly a word in common are another edition's.
func scoreArticles(p pair, got []law.Article, printed map[string]int) articleScore {
	out := articleScore{File: p.pdf, Truth: p.truth, Articles: len(p.want), Missing: []string{}, Invented: []string{}, Wrong: []string{}}
	var our, their []map[string]bool
	for _, a := range got {
		our = append(our, runs(a.Text))
	}
	for _, w := range p.want {
		their = append(their, runs(w.text))
	}
	at := matched(got, p.want)
	met := map[int]bool{}
	for _, i := range at {
		if met[i] = true; i >= 0 {
			printed[ownKey(got[i].Number)]--
		}
	}
	for k, w := range p.want {
		i := at[k]
		switch {
		case i < 0 && printed[law.ArticleKey(w.number)] <= 0:
			out.Other++
		case i < 0:
			out.Missing = append(out.Missing, w.number)
		case blind(got[i].Text) == blind(w.text):
			out.Same++
			out.Cut++
		case strayed(their, k, our, i)+strayed(our, i, their, k) > 0:
			out.Wrong = append(out.Wrong, w.number+" : "+difference(got[i].Text, w.text))
		case shared(our[i], their[k])*4 < len(their[k]):
			out.Other++
		default:
			out.Cut++
		}
	}
	for i, x := range got {
		within := func(t map[string]bool) bool { return shared(our[i], t)*2 > len(our[i]) }
		if !met[i] && slices.ContainsFunc(their, within) {
			out.Invented = append(out.Invented, x.Number)
		}
	}
	return out
}

// matched finds for each article of the truth that of the same number, of several
// the one with the same text; -1 for none. Each of ours is met once.
func matched(got []law.Article, want []splitArticle) []int {
	at, met := make([]int, len(want)), make([]bool, len(got))
	for k := range at {
		at[k] = -1
	}
	for _, exact := range []bool{true, false} {
		for k, w := range want {
			for i, x := range got {
				if at[k] < 0 && !met[i] && ownKey(x.Number) == law.ArticleKey(w.number) && (!exact || blind(x.Text) == blind(w.text)) {
					at[k], met[i] = i, true
				}
			}
		}
	}
	return at
}

var printedHead = law.Pattern(`^(?i:art(?:icle|\.)?(?: annexe, art\.)?) *((?:[LRD]\.? ?)?\d[\d~.]*(?: ?(?:er|bis|ter|quater)\b)?|premier)`)

// printedNumbers counts the lines of a file that begin with an article's number.
func printedNumbers(pages []layout.Page) map[string]int {
	out := map[string]int{}
	for _, p := range pages {
		for _, l := range p.Lines {
			if m := printedHead.FindStringSubmatch(l.Text()); m != nil {
				out[law.ArticleKey(strings.TrimRight(m[1], "-–—."))]++
			}
		}
	}
	return out
}

// ownKey is the key of a number within its annex.
func ownKey(number string) string {
	if i := strings.LastIndex(number, ", article "); i >= 0 {
		number = number[i+len(", article "):]
	}
	return law.ArticleKey(number)
}

// tell prints the scores.
func tell(out io.Writer, scores []articleScore, asJSON bool) error {
	articles, same, cuts := 0, 0, 0
	for _, s := range scores {
		articles, same, cuts = articles+s.compared(), same+s.Same, cuts+s.Cut
	}
	if asJSON {
		return output.JSON(out, map[string]any{"files": scores, "articles": articles, "identical": same, "same_cut": cuts,
			"share": float64(cuts) / float64(max(1, articles))})
	}
	t := output.NewTable("FILE", "TRUTH", "ARTICLES", "OTHER EDITION", "IDENTICAL", "CUT ALIKE", "SHARE", "MISSING", "INVENTED", "WRONG")
	for _, s := range scores {
		t.Add(s.File, s.Truth, s.Articles, s.Other, s.Same, s.Cut, output.Percent(s.Cut, s.compared()), len(s.Missing), len(s.Invented), len(s.Wrong))
	}
	errs := []error{t.Write(out)}
	for _, s := range scores {
		errs = append(errs, output.Remarks(out, s.File, "missing", s.Missing), output.Remarks(out, s.File, "invented", s.Invented),
			output.Remarks(out, s.File, "wrong", s.Wrong))
	}
	_, err := fmt.Fprintf(out, "In all: %d of %d articles cut alike (%s), %d of them identical.\n", cuts, articles, output.Percent(cuts, articles), same)
	return errors.Join(append(errs, err)...)
}
