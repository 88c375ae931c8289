package segment_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// checkPassages checks what holds for every cut: nothing is lost or moved, no passage is too long, and spans
// show the same words as before.
func checkPassages(t *testing.T, a law.Article) []law.Passage {
	t.Helper()
	got := segment.Passages(a)
	var whole strings.Builder
	for i, p := range got {
		if n := utf8.RuneCountInString(p.Text); n > 1200 || n == 0 {
			t.Fatalf("passage %d has %d characters", i, n)
		}
		if p.Position != i || p.ArticleID != a.ID {
			t.Fatalf("passage %d says it is %d", i, p.Position)
		}
		for _, s := range p.Spans {
			if s.Start < 0 || s.Start >= s.End || s.End > len(p.Text) {
				t.Fatalf("passage %d: span [%d,%d) of %d bytes", i, s.Start, s.End, len(p.Text))
			}
			var held bool
			for _, o := range a.Spans {
				held = held || o.Page == s.Page && within(s.Rect, o.Rect) && strings.Contains(a.Text[o.Start:o.End], p.Text[s.Start:s.End])
			}
			if !held {
				t.Fatalf("passage %d: %q stands nowhere in the article", i, p.Text[s.Start:s.End])
			}
		}
		whole.WriteString(p.Text)
	}
	if strings.TrimSpace(a.Text) != "" && whole.String() != a.Text {
		t.Fatalf("put end to end %q is not %q", whole.String(), a.Text)
	}
	return got
}

// within reports whether a place is within another one.
func within(a, b law.Rect) bool {
	return a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3]
}

func TestPassagesOfRandomTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		checkPassages(t, randomArticle(random))
	}
}

// randomArticle returns an article with words, sentences and paragraphs of random lengths, and sometimes a
// word longer than a passage.
func randomArticle(random *rand.Rand) law.Article {
	a := law.Article{Page: 3}
	var b strings.Builder
	for line := range random.IntN(40) {
		if line > 0 {
			b.WriteString([]string{" ", "\n"}[random.IntN(2)])
		}
		start := b.Len()
		for word := range 1 + random.IntN(14) {
			if word > 0 {
				b.WriteByte(' ')
			}
			n := 1 + random.IntN(9)
			if random.IntN(200) == 0 {
				n = 700
			}
			b.WriteString(strings.Repeat([]string{"é", "a", "œ", "n"}[random.IntN(4)], n))
			b.WriteString([]string{"", "", "", ".", " ;"}[random.IntN(5)])
		}
		a.Spans = append(a.Spans, law.Span{Start: start, End: b.Len(), Page: 3 + line/10, Rect: law.Rect{0, float64(line), 1, 1}})
	}
	a.Text = b.String()
	return a
}

func TestPassagesKeepShortArticlesWhole(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 1199, 1200} {
		if got := checkPassages(t, law.Article{Text: strings.Repeat("é", n)}); len(got) != 1 {
			t.Errorf("%d characters make %d passages", n, len(got))
		}
	}
	if got := segment.Passages(law.Article{Text: " \n "}); len(got) != 0 {
		t.Errorf("a blank article has %d passages", len(got))
	}
}

func TestPassagesEndAtParagraphsThenSentences(t *testing.T) {
	t.Parallel()
	alinea := strings.TrimSpace(strings.Repeat("Le bail est écrit. ", 30)) // 569 characters
	got := checkPassages(t, law.Article{Text: alinea + "\n" + alinea + "\n" + alinea})
	for _, p := range got[:len(got)-1] {
		if !strings.HasSuffix(p.Text, "\n") {
			t.Errorf("a passage ends within an alinea: …%q", p.Text[len(p.Text)-20:])
		}
	}
	got = checkPassages(t, law.Article{Text: strings.Repeat(alinea+" ", 3)})
	for _, p := range got {
		if !strings.HasSuffix(strings.TrimSpace(p.Text), ".") {
			t.Errorf("a passage ends within a sentence: …%q", p.Text[len(p.Text)-20:])
		}
	}
}

func FuzzPassages(f *testing.F) {
	f.Add("Le bail est écrit.\nIl est de trois ans.", 700)
	f.Add("\xff\xfe a\n", 1300)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(times, 0), 2000))
		if len(text) > 1<<16 || !utf8.ValidString(text) {
			return
		}
		checkPassages(t, law.Article{Text: text, Spans: []law.Span{{Start: 0, End: len(text), Page: 1}}})
	})
}
