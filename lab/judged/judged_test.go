package judged

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"vigueur/scripts/corpora"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/training/encoder/learn"
)

// codes are a set of three codes of four articles, each with sheets of which a
// question was made; some sheets are of one group, and one rests on two codes.
func codes(t *testing.T) *Set {
	t.Helper()
	s := NewSet("codes")
	s.Corpus = &learn.Corpus{}
	subjects := []string{"bail loyer locataire", "divorce mariage époux", "navire pavillon marin"}
	for i := range 12 {
		code := fmt.Sprint("code-", i/4)
		a := learn.Article{ID: fmt.Sprintf("%s:%d", code, i), Title: code + " > " + subjects[i/4], Text: fmt.Sprintf("Le %s, règle %d.", subjects[i/4], i), Code: code, Num: fmt.Sprint(i)}
		s.Corpus.Articles = append(s.Corpus.Articles, a)
		s.Add(corpora.Article{ID: a.ID, Title: a.Title, Text: a.Text}, a.Num)
		group := fmt.Sprint("g", i/2)
		sheet := learn.Sheet{ID: fmt.Sprint("s", i), Group: group, Code: code, Field: fmt.Sprint("field-", i/3), Right: []int{i}}
		if i == 0 {
			sheet.Right = append(sheet.Right, 11)
		}
		s.Corpus.Sheets = append(s.Corpus.Sheets, sheet)
		s.Questions = append(s.Questions, Question{Query: corpora.Query{ID: sheet.ID, Text: strings.Fields(subjects[i/4])[i%3], Group: group},
			Split: group, Code: code, Field: sheet.Field, Right: map[string]bool{a.ID: true}})
	}
	return s
}

// Each question is asked once, of an encoder that learned neither from its sheet nor
// from those like it.
func TestPartsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := codes(t)
	const parts = 3
	for _, by := range []Parting{ByGroup(s, parts), ByCode(s, parts), ByField(s, parts)} {
		seen := make(map[string]int)
		for part := range parts {
			asked := by.Those(s.Questions, part)
			codes, groups, fields, right := make(map[string]bool), make(map[string]bool), make(map[string]bool), make(map[string]bool)
			for _, q := range asked {
				seen[q.ID]++
				codes[q.Code], groups[q.Split], fields[q.Field] = true, true, true
				maps.Copy(right, q.Right)
			}
			for i := range s.Corpus.Sheets {
				sheet := &s.Corpus.Sheets[i]
				if !by.Learned(sheet, part) {
					continue
				}
				if groups[sheet.Group] {
					t.Errorf("%s, part %d: %s was learned from, of a group that is asked", by.Name, part, sheet.ID)
				}
				if by.Name == "by code" && slices.ContainsFunc(sheet.Right, func(k int) bool { return codes[s.Corpus.Articles[k].Code] }) {
					t.Errorf("%s, part %d: %s was learned from, of a code that is asked", by.Name, part, sheet.ID)
				}
				shares := slices.ContainsFunc(sheet.Right, func(k int) bool { return right[s.Corpus.Articles[k].ID] })
				if by.Name == "by field" && (fields[sheet.Field] || shares) {
					t.Errorf("%s, part %d: %s was learned from, of a field or an article that is asked", by.Name, part, sheet.ID)
				}
			}
		}
		if len(seen) != len(s.Questions) {
			t.Errorf("%s: %d of %d questions are asked", by.Name, len(seen), len(s.Questions))
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("%s: %s is asked %d times", by.Name, id, n)
			}
		}
	}
}

// Questions on gazettes of one country are asked together, and the countries with most
// questions in different parts; a question that nothing answers is of no country.
func TestCountriesAreLeftOut(t *testing.T) {
	t.Parallel()
	s := NewSet("gazettes")
	for i, document := range []string{"benin/a.pdf", "benin/b.pdf", "maroc/c.pdf", "maroc/d.pdf", "", "ohada/e.pdf", ""} {
		asked := &corpora.Asked{}
		if document != "" {
			asked.Gold = []corpora.Gold{{Document: document}}
		}
		s.Questions = append(s.Questions, Question{Query: corpora.Query{ID: fmt.Sprint("q", i)}, Split: document, Asked: asked})
	}
	by := ByCountry(s, 3)
	var parts []int
	for i := range s.Questions {
		parts = append(parts, by.Part(&s.Questions[i]))
	}
	if by.Name != "by country" || parts[0] != parts[1] || parts[2] != parts[3] || parts[0] == parts[2] || parts[5] == parts[0] || parts[5] == parts[2] {
		t.Errorf("%s: parts %v", by.Name, parts)
	}
	if asked := len(by.Those(s.Questions, 0)) + len(by.Those(s.Questions, 1)) + len(by.Those(s.Questions, 2)); asked != len(s.Questions) {
		t.Errorf("%d of %d questions are asked", asked, len(s.Questions))
	}
	if OfGazettes["file"](s, 3).Name != "by file" || OfGazettes["country"](s, 3).Name != "by country" {
		t.Error("the ways to part questions on gazettes are mixed up")
	}
}

// An index that was kept finds what the one that was built does, and that of other
// passages is another.
func TestIndexesAreKept(t *testing.T) {
	t.Parallel()
	s, dir := codes(t), t.TempDir()
	ask := func(s *Set) (found [][]string) {
		searcher, err := s.Open(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Look(t.Context(), searcher, Asked(s.Questions), func(_ int, looked *retrieve.Examined) { found = append(found, s.Ranked(looked)) }); err != nil {
			t.Fatal(err)
		}
		return found
	}
	want := ask(s)
	s.Indexes = dir
	for range 2 {
		if got := ask(s); !reflect.DeepEqual(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
	}
	part := s.WithoutTexts(func(title string) bool { return title == "code-0" })
	if got := ask(part); len(got) != len(want) || slices.Contains(got[0], s.Corpus.Articles[0].ID) {
		t.Errorf("a part finds %v", got)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "*", "*")); err != nil || len(kept) != 2 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// A set without some articles has neither them nor their vectors, and is asked by meaning
// like the whole, though their texts have others.
func TestWithoutSomeArticles(t *testing.T) {
	t.Parallel()
	s := codes(t)
	carried, err := encode.New()
	if err != nil {
		t.Fatal(err)
	}
	out := s.Corpus.Articles[0].ID
	part := s.WithoutArticles(map[string]bool{out: true})
	searcher, err := part.Open(t.Context(), s.Encode(carried), nil)
	if err != nil {
		t.Fatal(err)
	}
	err = Look(t.Context(), searcher, Asked(s.Questions), func(i int, looked *retrieve.Examined) {
		if len(looked.All) > 0 && !looked.Semantic || slices.Contains(part.Ranked(looked), out) {
			t.Errorf("question %d: by meaning %v, found %v", i, looked.Semantic, part.Ranked(looked))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if part.Passages() != s.Passages()-1 {
		t.Errorf("%d passages of %d", part.Passages(), s.Passages())
	}
}

// A set is asked as a worker would ask its catalogue, and what is found is read from
// it.
func TestASetIsASourceAndACatalogue(t *testing.T) {
	t.Parallel()
	s := codes(t)
	searcher, err := s.Open(context.Background(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	err = Look(context.Background(), searcher, Asked(s.Questions), func(i int, looked *retrieve.Examined) {
		asked++
		ranked := s.Ranked(looked)
		if len(ranked) < 4 || !slices.Contains(ranked, s.Corpus.Articles[i].ID) {
			t.Errorf("%s: found %v", s.Questions[i].ID, ranked)
		}
		for _, h := range looked.Hits {
			if !strings.HasPrefix(h.Document.Title, "code-") || h.Article.Number == "" || len(h.Article.Path) != 1 || h.Article.DocumentID != h.Document.ID {
				t.Errorf("%s: read %+v", s.Questions[i].ID, h.Article)
			}
		}
	})
	if err != nil || asked != len(s.Questions) {
		t.Errorf("%d asked, %v", asked, err)
	}
}

// A question of the law of a day is asked of the law of that day; a day that nobody can read is an error.
func TestDateIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, date := range map[string]string{"good": "1990-01-01", "none": "", "bad": "1990"} {
		path := filepath.Join(dir, name)
		line := fmt.Sprintf(`{"id":"a","question":"Où siège l’office ?","date":%q}`, date)
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		s := setOf(new(catalogue))
		if err := s.Ask(path); (err != nil) != (name == "bad") {
			t.Errorf("%s: %v", name, err)
		}
		for _, q := range Asked(s.Questions) {
			got := ""
			if q.Filters.Date != nil {
				got = q.Filters.Date.Format(time.DateOnly)
			}
			if got != date {
				t.Errorf("asked of the law of « %s », want « %s »", got, date)
			}
		}
	}
}

// A catalogue of several sets has the articles of all, and each question names the country of its own.
func TestSetsTogether(t *testing.T) {
	t.Parallel()
	var sets []*Set
	for _, name := range []string{"République démocratique du Congo", "burkina-faso", "Conférence de La Haye"} {
		s := NewSet(name)
		s.Countries = countriesNamed(name)
		s.Add(corpora.Article{ID: name, Title: "Code > Préavis", Text: "Le préavis est de trois mois."}, "5")
		s.Questions = []Question{{Query: corpora.Query{ID: name, Text: "Quel préavis ?"}, Right: map[string]bool{name: true}}}
		sets = append(sets, s)
	}
	all := Together(sets)
	var got []string
	for i, q := range all.Questions {
		r := all.rows[i]
		got = append(got, fmt.Sprint(r.Countries, q.Text, q.Right[all.ArticleName(r.Passage.ArticleID)], all.at[r.Passage.ID]))
	}
	if want := []string{"[cd]Quel préavis, République démocratique du Congo ?true 0", "[bf]Quel préavis, Burkina Faso ?true 1", "[]Quel préavis ?true 2"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
