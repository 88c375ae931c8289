package line

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// The first article after a wording was announced for its number belongs to the other text. The next article with this
// number is the text's own.
func TestAnnouncedArticles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		want  string // the indexes of the lines that begin announced articles
	}{
		{"a list with gaps", []string{
			"Article premier : Les articles premier, 2, 6 et 9 de la loi n° 72-23 du 19 avril 1972 sont", "abrogés et remplacés par les dispositions suivantes :",
			"« Article premier : Le sel est libre.", "Article 2 : Les sauniers le déclarent.", "Article 6 : Il est gris.", "Article 9 : Il est blanc.",
			"Article 2 : Est abrogé l'article 2 bis de la loi n° 72-23 du 19 avril 1972.", "Article 3 : La présente loi sera publiée.",
		}, "[2 3 4 5]"},
		{"one article", []string{
			"Art. 4. — L'article 5 de la loi n° 72-23 du 19 avril 1972 est modifié comme suit :", "Art. 5. — Le sel est libre.", "Art. 5. — La présente loi sera publiée.",
		}, "[1]"},
		{"over with the next of its own", []string{
			"Art. 4. — Les articles 7 et 12 de la loi n° 72-23 du 19 avril 1972 sont modifiés comme suit :", "Art. 7. — Le sel est libre.",
			"Art. 5. — Le ministre exécute la présente loi.", "Art. 12. — Elle sera publiée.",
		}, "[1]"},
		{"a list of other things", []string{
			"Art. 4. — Sont visés aux articles 5 et 6 les pièces suivantes :", "Art. 5. — Le sel est libre.", "Art. 6. — Il est gris.",
		}, "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lines := make([]Line, len(c.lines))
			for i, text := range c.lines {
				lines[i] = Line{Text: text, Opens: true}
				for _, w := range strings.Fields(text) {
					lines[i].Words = append(lines[i].Words, layout.Word{Text: w})
				}
			}
			got := []int{}
			for i, ok := range AwaitedHeads(lines) {
				if ok {
					got = append(got, i)
				}
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("lines %v and not %s", got, c.want)
			}
		})
	}
}
