package layout

import (
	"slices"
	"testing"
)

func TestSpreadLettersAreAWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, want string }{
		{"A R T I C L E 5 . — Le texte", "ARTICLE 5. — Le texte"},
		{"A R T I C L E 1 E R . Le texte", "ARTICLE 1ER. Le texte"},
		{"A R T I C L E 1 2 Le texte", "ARTICLE 12 Le texte"},
		{"A r t i c l e 5 - L a loi", "Article 5 - L a loi"},
		{"d é c r è t e :", "décrète :"},
		{"L O I N° 12", "LOI N° 12"},
		{"il y a à boire", "il y a à boire"},
		{"la loi n° 12 M A N", "la loi n° 12 M A N"},
		{"A B", "A B"},
		{"1 2 3 4 5", "1 2 3 4 5"},
	} {
		var p Page
		p.put(50, 100, c.printed)
		pages := []Page{{Number: 1, Width: 595, Height: 842, Words: p.Words}}
		Arrange(pages)
		if got := texts(pages[0].Lines); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%q is read as %q", c.printed, got)
		}
	}
}

func TestSpreadWordsEndAtWiderSpaces(t *testing.T) {
	t.Parallel()
	var words []Word
	x := 50.0
	for _, r := range "MON TEXTE" {
		if r == ' ' {
			x += 6
			continue
		}
		words = append(words, Word{Text: string(r), Rect: [4]float64{x, 90, x + 5, 100}})
		x += 8
	}
	cells := Page{Number: 1, Width: 595, Height: 842, Words: words}
	pages := []Page{cells}
	Arrange(pages)
	if got := texts(pages[0].Lines); !slices.Equal(got, []string{"MON TEXTE"}) {
		t.Errorf("got %q", got)
	}
	if r := pages[0].Lines[0].Words[0].Rect; r[0] != 50 || r[2] != 71 {
		t.Errorf("the first word stands at %v", r)
	}
	for i := range words { // the cells of a table are further apart than letters are high
		words[i].Rect[0], words[i].Rect[2] = 50+20*float64(i), 55+20*float64(i)
	}
	pages = []Page{{Number: 1, Width: 595, Height: 842, Words: words}}
	Arrange(pages)
	if got := texts(pages[0].Lines); !slices.Equal(got, []string{"M O N T E X T E"}) {
		t.Errorf("got %q", got)
	}
}
