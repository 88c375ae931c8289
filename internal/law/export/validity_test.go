package export

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// amending is the sample with an article that has ended, and with an article that gives new
// wordings, which have ended too, to an article of another text.
func amending() LegalText {
	x := sample()
	start, to := time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC)
	x.Articles[2].ValidTo = &to
	x.Articles[3].Text = "L’article 5 est remplacé par : « Art. 5. — Un seul mot. »"
	target := uuid.UUID{15: 77}
	wording := func(n byte, number string, inserted bool) law.Article {
		return law.Article{ID: uuid.UUID{15: n}, Number: law.NewNumber(number, ""), Text: "Un seul mot.", ValidFrom: &start,
			Wording: &law.Wording{Within: x.Articles[3].ID, Number: number, TargetID: &target, TargetTitle: "Code du sel", Inserted: inserted}}
	}
	five, six := wording(50, "5", false), wording(51, "6 bis", true)
	five.ValidTo = &to
	x.Articles = append(x.Articles[:4:4], append([]law.Article{five, six}, x.Articles[4:]...)...)
	relationRef := law.RelationRef{Type: law.AmendedBy, Title: "Loi n° 2025-03 du 4 mars 2025", Date: "2025-07-01"}
	x.Ended = map[uuid.UUID]law.RelationRef{x.Articles[2].ID: relationRef, five.ID: {Type: law.RepealedBy, Title: relationRef.Title, Date: relationRef.Date}}
	return x
}

func TestReplacedArticlesAreMarked(t *testing.T) {
	t.Parallel()
	notes := []string{
		"Article remplacé à compter du 1er juillet 2025 par : Loi n° 2025-03 du 4 mars 2025",
		"Article 5 (nouveau) : nouvelle rédaction de l’article 5 de « Code du sel », en vigueur à compter du 1er mai 2023, " +
			"abrogée à compter du 1er juillet 2025 par : Loi n° 2025-03 du 4 mars 2025",
		"Article 6 bis (nouveau) : article inséré dans « Code du sel », en vigueur à compter du 1er mai 2023",
	}
	markdown := write(t, Formats()[0], amending())
	if !strings.Contains(markdown, "###### Article 2 – De la durée\n\n> "+notes[0]+"\n\nQuarante heures.") {
		t.Errorf("the replaced article is not marked:\n%s", markdown)
	}
	written := write(t, Formats()[2], amending())
	_, words := read(t, written)
	for _, note := range notes {
		t.Run(note, func(t *testing.T) {
			if !strings.Contains(markdown, "> "+note+"\n") || strings.Count(words, note) != 1 {
				t.Errorf("nowhere is %q in\n%s\n%s", note, markdown, written)
			}
		})
	}
	for _, all := range []string{markdown, words} {
		t.Run(all, func(t *testing.T) {
			if n := strings.Count(all, "Un seul mot."); n != 1 {
				t.Errorf("the new words are written %d times in\n%s", n, all)
			}
		})
	}
}

func TestJSONTellsOfNewWordings(t *testing.T) {
	t.Parallel()
	var got jsonText
	if err := json.Unmarshal([]byte(write(t, Formats()[1], amending())), &got); err != nil {
		t.Fatal(err)
	}
	old, five, bis := got.Articles[2], got.Articles[4], got.Articles[5]
	if old.EndedBy == nil || old.EndedBy.Title != "Loi n° 2025-03 du 4 mars 2025" || *old.ValidTo != "2025-07-01" || old.Replaces != nil {
		t.Errorf("replaced article %+v", old)
	}
	if five.Replaces == nil || five.Replaces.Article != "5" || five.Replaces.Type != law.Replaces || *five.ValidFrom != "2023-05-01" || five.Text != "Un seul mot." {
		t.Errorf("wording %+v", five)
	}
	if bis.Replaces == nil || bis.Replaces.Type != law.Inserts || bis.EndedBy != nil {
		t.Errorf("inserted %+v", bis)
	}
}
