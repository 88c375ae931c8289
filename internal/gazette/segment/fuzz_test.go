package segment_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// FuzzSplit checks that no lines cause a panic, lose a word, or make texts that break their promises.
func FuzzSplit(f *testing.F) {
	f.Add(decree)
	f.Add(decree + "\f" + decree)
	f.Add("JOURNAL OFFICIEL\nN° 5 — 3 mai 2010\nSOMMAIRE\nLoi n° 3-2010 relative au sel ..... 1\n" + decree)
	f.Add("« « Art. 3 »\nANNEXE\nTITRE II\nTITRE\nArticle 99999999999999999999\nI\nDu sel")
	sources, _ := filepath.Glob(sample + "texts/*/*.txt")
	for _, s := range sources {
		if raw, err := os.ReadFile(s); err == nil && len(raw) < 4000 {
			f.Add(strings.NewReplacer("@ ", "Article ", "# ", "", " | ", "\n", ">", "«").Replace(string(raw)))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 || !utf8.ValidString(text) {
			return // no reader of pages returns such a text
		}
		pages := typed(text)
		issue := segment.Split(pages, gazette.Hints{Filename: "x.pdf"})
		if (len(issue.Texts) == 0) != (issue.NoLaw.Sentence() != "") {
			t.Fatalf("%d texts, said to be %q", len(issue.Texts), issue.NoLaw.Sentence())
		}
		checkWords(t, pages, issue)
		for _, x := range issue.Texts {
			checkShape(t, x)
		}
	})
}

// checkWords checks that no word of the pages is missing from the result.
func checkWords(t *testing.T, pages []layout.Page, issue gazette.Issue) {
	t.Helper()
	kept := letters(output(issue))
	for _, p := range pages {
		for _, l := range p.Lines {
			for _, w := range l.Words {
				if k := letters(w.Text); len(k) > 3 && !ofHead(k) && !strings.Contains(kept, k) {
					t.Fatalf("%q of line %q is lost", w.Text, l.Text())
				}
			}
		}
	}
}

// checkShape checks what consumers of a text rely on.
func checkShape(t *testing.T, x gazette.Text) {
	t.Helper()
	if x.Document.Type == "" || x.Document.Domain == "" || x.Document.Status != law.InForce {
		t.Fatalf("document %+v", x.Document)
	}
	for i, a := range x.Articles {
		if a.Position != i {
			t.Fatalf("article %d says it is %d", i, a.Position)
		}
		end := 0
		for _, s := range a.Spans {
			if s.Start < end || s.End <= s.Start || s.End > len(a.Text) {
				t.Fatalf("article %d: span [%d,%d) behind %d of %d", i, s.Start, s.End, end, len(a.Text))
			}
			end = s.End
		}
		checkPassages(t, a)
	}
	checkWordingShape(t, x)
	for _, r := range x.Relations {
		if r.Article < 0 || r.Article >= len(x.Articles) || r.TargetNumber == "" && r.TargetTitle == "" {
			t.Fatalf("relation %+v", r)
		}
	}
}

// checkWordingShape checks that new wordings are within their articles, in order and without overlap, and
// that passages can end where wordings do.
func checkWordingShape(t *testing.T, x gazette.Text) {
	t.Helper()
	article, end := -1, 0
	for _, w := range x.Wordings {
		if w.Article != article {
			article, end = w.Article, 0
		}
		text := x.Articles[w.Article].Text
		if w.From < end || w.Start < w.From || w.End <= w.Start || w.To < w.End || w.To > len(text) || !utf8.ValidString(text[w.Start:w.End]) {
			t.Fatalf("wording %+v behind %d of %d", w, end, len(text))
		}
		end = w.To
		if w.Number == "" || x.Relations[w.Relation].Article != w.Article || x.Relations[w.Relation].Kind != law.Amends {
			t.Fatalf("wording %+v of %+v", w, x.Relations[w.Relation])
		}
		checkPassages(t, x.Wording(w))
	}
	for i, a := range x.Articles {
		given := slices.DeleteFunc(slices.Clone(x.Wordings), func(w gazette.Wording) bool { return w.Article != i })
		whole, quoted := "", ""
		for _, p := range segment.Passages(a, given...) {
			if whole += p.Text; p.Quoted {
				quoted += p.Text
			}
		}
		wanted := ""
		for _, w := range given {
			wanted += a.Text[w.From:w.To]
		}
		if strings.TrimSpace(a.Text) != "" && (whole != a.Text || quoted != wanted) {
			t.Fatalf("article %d: passages %q, of them quoted %q, want %q", i, whole, quoted, wanted)
		}
	}
}

// output returns all words of the result.
func output(issue gazette.Issue) string {
	var b strings.Builder
	write := func(lines []layout.Line) {
		for _, l := range lines {
			b.WriteString(l.Text() + " ")
		}
	}
	write(issue.Loose)
	for _, x := range issue.Texts {
		write(x.Head)
		for _, a := range x.Articles {
			b.WriteString(strings.Join(a.Path, " ") + " " + a.Number + " " + a.Heading + " " + a.Text + " ")
		}
	}
	return b.String()
}

// letters returns only the folded letters of a text, because hyphens at line ends are added and removed.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, law.Fold(s))
}

// ofHead reports whether a word only numbers articles or annexes. Such words become numbers.
func ofHead(word string) bool {
	for _, w := range []string{"art", "premier", "nouveau", "unique", "annexe", "bis", "ter", "qua", "quinquies", "sex", "sept", "oct", "nov", "non", "dec"} {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}
