package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// marked returns the words of a text to which its marks point.
func marked(text string, marks []Mark) (words []string) {
	characters := []rune(text)
	for _, m := range marks {
		words = append(words, string(characters[m.Start:m.End]))
	}
	return words
}

func TestMarks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed, text string
		want        []string
	}{
		"an inflected word":                  {"préavis démission", "Les Préavis, les DÉMISSIONS.", []string{"Préavis", "DÉMISSIONS"}},
		"every occurrence":                   {"moulin", "moulin, moulins, Moulin", []string{"moulin", "moulins", "Moulin"}},
		"after characters of several bytes":  {"moulin", "🙂 é – « moulin »", []string{"moulin"}},
		"a number behind its authors' signs": {"décret 2000-192", "le décret n° 2000-192/PRES/PM", []string{"décret", "2000-192/PRES/PM"}},
		"an article by its number":           {"article 14", "L’article 14 et l’article 15", []string{"14"}},
		"a date once, not its year too":      {"3 mai 2010, année 2010", "le 3 mai 2010", []string{"3 mai 2010"}},
		"a word within another is none":      {"mou", "Le moulin tourne.", nil},
		"stop words are none":                {"le préavis de la démission", "le de la", nil},
		"an empty text":                      {"moulin", "", nil},
		"an empty query":                     {"", "Le moulin.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := marked(c.text, Parse(c.typed).Marks(c.text)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestExcerptShowsTheMostOfTheQuery(t *testing.T) {
	t.Parallel()
	far := strings.Repeat(" Rien ne dit cela ici.", 40)
	for name, c := range map[string]struct{ text, want string }{
		"different words before many of one": {"moulin moulin moulin." + far + " moulin et roue." + far, "moulin roue"},
		"many words before few":              {"moulin." + far + " moulin, moulin." + far, "moulin moulin"},
		"the first of the same":              {"le moulin bleu." + far + " Le moulin rouge.", "moulin"},
		"a match at the end":                 {far + " Le moulin et la roue", "moulin roue"},
		"a match at the beginning":           {"Roue et moulin" + far, "Roue moulin"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Parse("moulin roue").Excerpt(c.text)
			if got := strings.Join(marked(e.Text, e.Marks), " "); got != c.want {
				t.Errorf("%q of %q, want %q", got, e.Text, c.want)
			}
			if !strings.Contains(c.text, e.Text) {
				t.Errorf("%q is not of the text", e.Text)
			}
			if earlier := !strings.HasPrefix(strings.TrimSpace(c.text), e.Text); e.Before != earlier {
				t.Errorf("before: %v, want %v", e.Before, earlier)
			}
			if later := !strings.HasSuffix(strings.TrimSpace(c.text), e.Text); e.After != later {
				t.Errorf("after: %v, want %v", e.After, later)
			}
		})
	}
	if e := Parse("moulin roue").Excerpt("le moulin bleu." + far + " Le moulin rouge."); !strings.HasPrefix(e.Text, "le moulin bleu") {
		t.Errorf("of two that match as well, the second is shown: %q", e.Text)
	}
}

func TestExcerptIsCutBetweenWords(t *testing.T) {
	t.Parallel()
	q := Parse("moulin")
	for name, c := range map[string]struct{ before, after string }{
		"letters of two bytes":  {strings.Repeat("éàü ", 300), strings.Repeat(" éàü", 300)},
		"letters of four bytes": {strings.Repeat("🙂🙂 ", 300), strings.Repeat(" 🙂🙂", 300)},
		"no-break spaces":       {strings.Repeat("mot\u00a0", 300), strings.Repeat("\u00a0mot", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := q.Excerpt(c.before + "moulin" + c.after)
			if !slices.Equal(marked(e.Text, e.Marks), []string{"moulin"}) {
				t.Errorf("marked %q of %q", marked(e.Text, e.Marks), e.Text)
			}
			word := strings.Fields(c.before)[0]
			for _, w := range strings.Fields(e.Text) {
				if w != word && w != "moulin" {
					t.Errorf("%q is cut", w)
				}
			}
		})
	}
	t.Run("no blank nearby", func(t *testing.T) {
		t.Parallel()
		e := q.Excerpt(strings.Repeat("é", 1000) + " moulin " + strings.Repeat("é", 1000))
		if !utf8.ValidString(e.Text) || len(e.Text) > 2*excerptLength || !slices.Equal(marked(e.Text, e.Marks), []string{"moulin"}) {
			t.Errorf("%d bytes: %q", len(e.Text), e.Text)
		}
	})
}

func TestMarkBeginningsOfWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed, text string
		want        []string
	}{
		"accents and capitals":     {"dem", "La DÉMISSION, une demande", []string{"DÉMISSION", "demande"}},
		"a decomposed accent":      {"dém", "La de\u0301mission", []string{"de\u0301mission"}},
		"not within a word":        {"mission", "démission", nil},
		"parts of a number":        {"2010-05", "n° 2010-056", []string{"2010", "056"}},
		"signs have no beginnings": {"%_*'", "tout %_*'", nil},
		"nothing typed":            {"", "tout", nil},
		"an empty text":            {"tra", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := marked(c.text, MarkBeginnings(c.text, Beginnings(c.typed))); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAnyOf(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{
		"":                     nil,
		`'moulin'`:             {"moulin"},
		`'moulin' | 'roue'`:    {"moulin", "roue"},
		`'l''eau' | 'a\\b'`:    {"l'eau", `a\b`},
		`'a | b' | 'c & !d:*'`: {"a | b", "c & !d:*"},
	} {
		t.Run(fmt.Sprint(words), func(t *testing.T) {
			t.Parallel()
			if got := AnyOf(words); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
