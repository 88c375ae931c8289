package main

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

func TestNumbersThatACountSkips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, numbers, skipped string }{
		{"none", "1er|2|3", ""},
		{"only one", "unique", ""},
		{"one", "1er|2|4", "3"},
		{"the first", "2|3", "1"},
		{"several", "1er|5|6", "2|3|4"},
		{"inserted by suffixes", "1er|2|2 bis|2 ter|3", ""},
		{"a suffix lost", "1er|2|2 ter|3", "2 bis"},
		{"the ninth suffix in one spelling", "1er|2|2 septies|2 octies|2 nonies|2 decies", "2 bis|2 ter|2 quater|2 quinquies|2 sexies"},
		{"the ninth suffix in the other", "1er|2|2 septies|2 octies|2 novies|2 decies", "2 bis|2 ter|2 quater|2 quinquies|2 sexies"},
		{"what a suffix was put to", "1er|2 bis|3", "2"},
		{"inserted behind a dash", "1er|2|2-1|2-2|3", ""},
		{"one behind a dash lost", "1er|2|2-2|3", "2-1"},
		{"over a dash", "1er|2|2-1|4", "3"},
		{"parts", "L. 1-1|L. 1-2|L. 2-1|L. 12-1|L. 12-2|R. 1-1", ""},
		{"within a part", "L. 12-1|L. 12-3", "L. 12-2"},
		{"the first of a part", "L. 12-1|L. 13-2", "L. 13-1"},
		{"three levels", "L. 1-1-1|L. 1-1-3|L. 1-2-2", "L. 1-1-2|L. 1-2-1"},
		{"a letter begins anew", "L. 12-1|L. 12-2|R. 12-3", "R. 12-1|R. 12-2"},
		{"a number without parts among parts", "L. 12-1|L. 12-2|L. 12-3|L. 15|L. 15-1", ""},
		{"a part far behind", "L. 12-1|L. 411-2", "L. 411-1"},
		{"a suffix behind a capital", "1er|2 A|2|2 ter", "2 bis"},
		{"letters without parts", "L. 1|L. 2|L. 4", "L. 3"},
		{"roman", "I|II|IV", "3"},
		{"before one that stands later", "1er|2|5|3|4|6", ""},
		{"a count of its own in an annex", "1er|2|Annexe I, article 1er|Annexe I, article 3|3", "2"},
		{"heads of annexes and headings", "1er||2|Annexe|Annexe II|4", "3"},
		{"farther than a count is believed", "1er|2|431165|3", ""},
		{"a capital before what it was put to", "1er|2 A|2|3", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, g := range follow(strings.Split(c.numbers, "|")).skipped {
				got = append(got, g.number.String())
			}
			want := strings.FieldsFunc(c.skipped, func(r rune) bool { return r == '|' })
			if !slices.Equal(got, want) {
				t.Errorf("%v and not %v", got, want)
			}
		})
	}
}

func TestNumbersOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, numbers                          string
		repeated, reversed, anew, far, unknown int
	}{
		{"in order", "1er|2|2 bis|3", 0, 0, 0, 0, 0},
		{"twice", "1er|2|2|3", 1, 0, 0, 0, 0},
		{"twice in two spellings", "1er|2|02|3", 1, 0, 0, 0, 0},
		{"back", "1er|2|5|3|4|6", 0, 1, 0, 0, 0},
		{"a suffix back", "1er|1 ter|1 bis|2", 0, 1, 0, 0, 0},
		{"back to what stands", "1er|2|3|2|4", 1, 0, 0, 0, 0},
		{"again from one", "1er|2|3|1er|2|3", 0, 0, 1, 0, 0},
		{"one within a count that goes on", "1er|2|3|1er|4", 1, 0, 0, 0, 0},
		{"an annex begins its own", "1er|2|Annexe, article 1er|Annexe, article 2", 0, 0, 0, 0, 0},
		{"too far", "1er|2|431165|3", 0, 1, 0, 1, 0},
		{"no number", "1er|2|abc|3", 0, 0, 0, 0, 1},
		{"a capital before what it was put to", "1er|2 A|2|3", 0, 0, 0, 0, 0},
		{"a capital behind suffixes", "1er|2|2 bis|2 A|3", 0, 0, 0, 0, 0},
		{"another letter", "L. 12-5|L. 13-1|R. 1-1", 0, 0, 0, 0, 0},
		{"a part far behind", "L. 12-1|L. 411-1", 0, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := follow(strings.Split(c.numbers, "|"))
			got := map[oddity]int{}
			for _, o := range f.odd {
				got[o.why]++
			}
			want := map[oddity]int{repeated: c.repeated, reversed: c.reversed, anew: c.anew, far: c.far, uncounted: c.unknown}
			for why, n := range want {
				if got[why] != n {
					t.Errorf("%d %s and not %d", got[why], why, n)
				}
			}
		})
	}
}

func TestOddNumbersAreToldByTheirArticles(t *testing.T) {
	t.Parallel()
	o := follow(strings.Split("1er||2|2|abc|1 bis|3|1er|2", "|"))
	want := []odd{{4, uncounted}, {3, repeated}, {5, reversed}, {7, anew}}
	if !slices.Equal(o.odd, want) {
		t.Errorf("%v and not %v", o.odd, want)
	}
}

func TestHeadsAtLineStarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, number string
		want         bool
	}{
		{"Art. 3. – Le sel est libre.", "3", true},
		{"ARTICLE 3", "3", true},
		{"Article 3 bis : Le sel", "3 bis", true},
		{"Article 3 bis : Le sel", "3", false},
		{"Artlcle 3 : Le sel", "3", true},
		{"Article premier.- Le sel", "1", true},
		{"Article L. 12-3 Le sel", "L. 12-3", true},
		{"Art. L12 - 3. Le sel", "L. 12-3", true},
		{"Art 3 - 2 personnes", "3", true},
		{"Art. 30. Le sel", "3", false},
		{"article 3 de la présente loi", "3", false},
		{"« Art. 3. – Le sel", "3", false},
		{"Le sel de l'Article 3", "3", false},
		{"Artisans 3", "3", false},
	} {
		n, ok := read(c.number)
		if !ok || headed(c.line, n) != c.want {
			t.Errorf("%q begins article %s: %v", c.line, c.number, !c.want)
		}
	}
}

func TestSkippedHeadsInTheArticleBefore(t *testing.T) {
	t.Parallel()
	line := func(text, article int, words string) gazette.LabeledLine {
		return gazette.LabeledLine{Page: 1, TextIndex: text, Article: article, Text: words}
	}
	var issue gazette.Issue
	issue.Texts = make([]gazette.Text, 2)
	for _, n := range []string{"1er", "", "4", "6"} {
		issue.Texts[1].Articles = append(issue.Texts[1].Articles, law.Article{Number: n})
	}
	issue.Lines = []gazette.LabeledLine{
		line(0, 0, "Art. 3. Le sucre"),
		line(1, 0, "Article premier. Le sel"), line(1, 0, "Art. 2. Le poivre"), line(1, 1, "CHAPITRE II"),
		line(1, 2, "Art. 4. Le thym"), line(1, 2, "est à l'article 5"), line(1, 3, "Art. 6. Le riz"), line(1, 3, "Art. 5. Le mil"),
	}
	got := count(issue)
	if got.texts != 2 || got.articles != 3 || got.skipped != 3 || got.standing != 1 || got.elsewhere != 1 || got.outside != 1 || got.faulty != 1 {
		t.Errorf("%+v", got)
	}
	if len(got.told) == 0 || !strings.Contains(strings.Join(got.told, "\n"), "Art. 2. Le poivre") {
		t.Errorf("told %q", got.told)
	}
}
