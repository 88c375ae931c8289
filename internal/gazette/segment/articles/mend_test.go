package articles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// bodyOf returns a body of lines, with the heads that can be read. A line that begins with a blank continues
// the paragraph before it.
func bodyOf(printed ...string) (b Body) {
	b.Heads = map[int]heads.Head{}
	for i, text := range printed {
		rest, runs := strings.CutPrefix(text, " ")
		words := []layout.Word{{Text: rest, Rect: law.Rect{50, float64(100 + 12*i), 400, float64(110 + 12*i)}}}
		b.Lines = append(b.Lines, line.Line{Line: layout.Line{Page: 1, Words: words, Rect: words[0].Rect}, Text: rest, Opens: !runs})
		if number, end, ok := heads.Read(rest, ""); ok {
			b.Heads[i] = heads.Head{Line: i, Number: number, End: end}
		}
	}
	b.Quoted = make([]bool, len(b.Lines))
	return b
}

// missing adds the missing heads to a body, and returns them as « line:number ».
func missing(b Body) (added string) {
	known := maps.Clone(b.Heads)
	b.addMissing(heads.Standard())
	for _, i := range slices.Sorted(maps.Keys(b.Heads)) {
		if _, earlier := known[i]; !earlier {
			added += fmt.Sprintf("%d:%s ", i, b.Heads[i].Number)
		}
	}
	return added
}

// TestObscuredHeads checks that a line becomes a head only where the numbering skips exactly its
// number.
func TestObscuredHeads(t *testing.T) {
	t.Parallel()
	const first, next, last = "Art. 22. — Le sel est libre.", "Art. 24. — La mer est libre.", "Art. 25. — Le reste est libre."
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a bracket for the capital", []string{first, "(at 23, — Toute saline a un gardien.", next}, "1:23 "},
		{"letters and figures mixed up", []string{"Article 7 : Le sel est libre.", "rAiticle.B : Un gardien garde la saline.", "Article 9 : La mer est libre."}, "1:8 "},
		{"a slip of the short word", []string{"Art. 4. — Le sel est libre.", "Aiî. 5. — Le gardien garde.", "Art. 6. — La mer est libre."}, "1:5 "},
		{"two of them", []string{"Article 7 : Le sel est libre.", "Aiticfe 8 : Un gardien garde.", " la saline.", "ArticIé IO : Le prix est libre.", "Article 11 : La mer est libre."}, "1:8 3:10 "},
		{"one, of either number", []string{"Article 7 : Le sel est libre.", "Articie ; — Un gardien garde.", "Article 10 : La mer est libre."}, ""},
		{"the wrong way round", []string{"Article 7 : Le sel est libre.", "Artiicfe 9 : Un gardien.", "Artiicfe 8 : Le prix.", "Article 10 : La mer est libre."}, ""},
		{"the count leaves nothing out", []string{first, "(at 23, — Toute saline a un gardien.", "Art. 23. — La mer est libre."}, ""},
		{"a heading", []string{first, "CHAPITRE 23 : LA SALINE", next}, ""},
		{"another text's, of which the end of the quotation was lost", []string{first, "« Artlcie. 23. — Le sel est gris.", next}, ""},
		{"the text that it changes", []string{first, "L’article 23 de la loi n° 70-3 du 3 mai 1970 est abrogé.", next}, ""},
		{"sentences only", []string{first, "Toute saline a un gardien.", "Le gardien est nommé : il garde 23 jours.", next}, ""},
		{"an item of a list", []string{first, "- les gardiens ;", "23° les salines.", next}, ""},
		{"within a sentence", []string{first, "Le gardien est nommé comme il est dit à", " l'at 23, — qui reste applicable.", next}, ""},
		{"another article's", []string{first, "Le gardien est nommé", " art. 22 du code du sel.", next}, ""},
		{"behind the last", []string{first, next, last, "(at 26, — Toute saline a un gardien."}, ""},
		{"too many are left out", []string{first, "(at 23, — Toute saline a un gardien.", "Art. 60. — La mer est libre."}, ""},
		{"nothing between", []string{first, next}, ""},
	} {
		if got := missing(bodyOf(c.lines...)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestQuotedLinesAreNoHeads checks that quoted lines never become heads.
func TestQuotedLinesAreNoHeads(t *testing.T) {
	t.Parallel()
	b := bodyOf("Art. 22. — Le sel est libre.", "(at 23, — Toute saline a un gardien.", "Art. 24. — La mer est libre.")
	b.Quoted[1] = true
	if found := missing(b); found != "" {
		t.Error(found)
	}
}

// TestLongGapsAreNotSearched checks that the time of a file stays proportional to its lines.
func TestLongGapsAreNotSearched(t *testing.T) {
	t.Parallel()
	for _, more := range []int{0, 400} {
		lines := []string{"Art. 22. — Le sel est libre.", "(at 23, — Toute saline a un gardien."}
		lines = append(lines, slices.Repeat([]string{" et la mer aussi"}, more)...)
		if found := missing(bodyOf(append(lines, "Art. 24. — La mer est libre.")...)); (found == "1:23 ") != (more == 0) {
			t.Errorf("%d lines more: %q", more, found)
		}
	}
}

func BenchmarkObscured(b *testing.B) {
	lines := slices.Concat([]string{"Art. 22. — Le sel est libre."}, slices.Repeat([]string{"Le gardien garde la saline et la mer."}, 100), []string{"Art. 32. — La mer est libre."})
	body := bodyOf(lines...)
	for b.Loop() {
		body.addMissing(heads.Standard())
	}
}

// TestAnObscuredHeadIsAnArticle checks the number of an article with an obscured head, and the words after the head.
func TestAnObscuredHeadIsAnArticle(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Label: label.Article, Text: "Art. 1er. — Le sel est libre."},
		labeledText{Label: label.Article, Text: "Art. 2. — Le prix est libre."},
		labeledText{Label: label.Paragraph, Text: "(at 3, — Toute saline a un gardien."},
		labeledText{Label: label.Article, Text: "Art. 4. — La mer est libre."})
	made := make([]label.View, len(lines))
	for i, l := range m.Labels {
		made[i] = label.View{Label: l, Prob: 0.9, ArticleProb: 0.02}
		if l == label.Article {
			made[i].ArticleProb = 0.98
		}
	}
	b := Cut(lines, made, "", false, judgment.Standard())
	var got []string
	for _, p := range b.Pieces {
		got = append(got, p.Number+": "+line.Join(p.Lines))
	}
	want := []string{"1er: Le sel est libre.", "2: Le prix est libre.", "3: Toute saline a un gardien.", "4: La mer est libre."}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	off := judgment.Standard()
	off.Obscured = &heads.Obscured{Bias: -20, Threshold: 0.5}
	if b := Cut(lines, made, "", false, off); len(b.Pieces) != 3 {
		t.Errorf("%d pieces without what was learned", len(b.Pieces))
	}
}

// TestRowsOfAHiddenHead checks that there are no rows if the head can still be read, and that a lost head
// leaves the rest of its line.
func TestRowsOfAHiddenHead(t *testing.T) {
	t.Parallel()
	b := bodyOf("Art. 22. — Le sel est libre.", "Il est fin.", "Art. 23. — Toute saline a un gardien.", "Il garde.", "Art. 24. — La mer est libre.")
	h := HiddenHead{b: b, from: 0, at: 2, to: 4, number: 23, end: len("Art. 23. — ")}
	if h.Head() != "Art. 23. — " {
		t.Errorf("%q", h.Head())
	}
	for _, role := range []string{"Art. 23. — ", "Arl. 23. — "} {
		if rows, _ := h.Rows(role); rows != nil {
			t.Errorf("%q: %v", role, rows)
		}
	}
	for _, role := range []string{"(at 23, ", ""} {
		rows, right := h.Rows(role)
		if len(rows) != 3 || right != 1 || len(rows[1]) != len(heads.ObscuredNames()) {
			t.Fatalf("%q: %v, %d", role, rows, right)
		}
		if chances := heads.Standard().Chances(rows); (chances[1] > 0.9) != (role != "") {
			t.Errorf("%q: %.3f", role, chances)
		}
	}
}
