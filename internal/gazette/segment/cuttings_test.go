package segment_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// TestCuttings takes pages out of real files, doubles and swaps them. Every word is accounted for, and no article of a page
// that is left is lost unless a text of the file has a doubt.
func TestCuttings(t *testing.T) {
	t.Parallel()
	files := []string{"algerie/loi-22-18-investissement-jo-50-2022", "burkina-faso/decret-2014-611-etablissements-publics",
		"luxembourg/memorial-1984-a102", "luxembourg/memorial-1990-a78", "tunisie/jort-19-1994-pages-403-406"}
	if deep, err := strconv.ParseBool(os.Getenv("VIGUEUR_TEST_DEEP")); err == nil && deep {
		files, _ = filepath.Glob(shared + "pdfs/*/*.pdf")
	}
	for _, name := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(name, shared+"pdfs/"), ".pdf")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := arranged(t, shared+"pdfs/"+name+".pdf")
			if len(pages) > 60 {
				t.Skip("hundreds of pages take too long to be cut so often")
			}
			order := make([]int, len(pages))
			for i := range order {
				order[i] = i
			}
			hints := gazette.Hints{Filename: filepath.Base(name) + ".pdf"}
			whole := segment.Split(cutting(pages, order), hints)
			drawn := rand.New(rand.NewPCG(7, uint64(len(pages))))
			for k := range 6 {
				kept, a, b := slices.Clone(order), drawn.IntN(len(order)), drawn.IntN(len(order))
				switch k % 3 {
				case 0:
					kept = slices.Delete(kept, a, a+1)
				case 1:
					kept = slices.Insert(kept, a, kept[a])
				case 2:
					kept[a], kept[b] = kept[b], kept[a]
				}
				cut := cutting(pages, kept)
				issue := segment.Split(cut, hints)
				checkWords(t, cut, issue)
				if lost := lostArticles(whole, issue, kept); len(lost) > 0 {
					t.Errorf("pages %v: lost without a doubt: %q", kept, lost)
				}
			}
		})
	}
}

// cutting returns the pages of a file in another order, as the pages of a file of their own.
func cutting(pages []layout.Page, order []int) []layout.Page {
	out := make([]layout.Page, len(order))
	for i, k := range order {
		out[i] = pages[k]
		out[i].Number, out[i].Words = i+1, slices.Clone(pages[k].Words)
		out[i].Lines, out[i].Aside = nil, nil
	}
	layout.Arrange(out)
	return out
}

// lostArticles returns the articles of the whole file that begin on a page that is kept, and whose beginning is in no article
// of a cutting without any doubt.
func lostArticles(whole, cut gazette.Issue, kept []int) (lost []string) {
	if cut.Remains != nil || len(cut.Texts) == 0 {
		return nil // the rest of a text is told of, and so is a file that holds none
	}
	var words strings.Builder
	for _, x := range cut.Texts {
		if len(x.Doubts) > 0 {
			return nil
		}
		for _, a := range x.Articles {
			words.WriteString(letters(a.Text) + "|")
		}
	}
	for _, x := range whole.Texts {
		for _, a := range x.Articles {
			begin, _, _ := strings.Cut(a.Text, "\n")
			begin = law.Clip(letters(begin), 40)
			begin = strings.TrimSuffix(begin, "…")
			if a.Number != "" && len(begin) >= 20 && slices.Contains(kept, a.Page-1) && a.Spans[0].Page == a.Page && !strings.Contains(words.String(), begin) {
				lost = append(lost, fmt.Sprintf("article %s, page %d", a.Number, a.Page))
			}
		}
	}
	return lost
}

// The page that is signed comes before others: their articles are not in the numbering, and never lost without a doubt.
func TestThePageThatIsSignedComesTooEarly(t *testing.T) {
	t.Parallel()
	var pages []string
	for k, i := 0, 1; k < 4; k++ {
		var b strings.Builder
		for range 4 {
			fmt.Fprintf(&b, "  Article %d : Le sel numéro %d est pesé avant d’être vendu dans les marchés.\n", i, i)
			i++
		}
		pages = append(pages, b.String())
	}
	title := strings.SplitN(lawOf("Article 1 :"), "\n\n", 2)[0] + "\n\n  Le Parlement a adopté,\n  Le Président de la République promulgue la loi dont la teneur suit :\n\n"
	signed := "  Fait à Villebourg, le 2 mars 2019.\n\n                 Le Président de la République,\n                  Jean VILLEDIEU\n"
	x := split(t, title+pages[0]+"\f"+signed+"\f"+pages[2]+"\f"+pages[3]+"\f"+pages[1], gazette.Hints{})
	if len(numbersOf(x)) < 16 && !slices.Contains(fields(x.Doubts), "articles") {
		t.Errorf("articles %v, doubts %v", numbersOf(x), x.Doubts)
	}
}
