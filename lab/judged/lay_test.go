package judged

import (
	"testing"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// An encoder that leaves out a part sees neither the questions of its files nor their articles, and no file that nobody asks
// about.
func TestTheEncoderLeavesOutWholeFiles(t *testing.T) {
	t.Parallel()
	c := &catalogue{Found: make(map[uuid.UUID]postgres.Found), Files: make(map[uuid.UUID]string)}
	for _, file := range []string{"benin/a.pdf", "maroc/b.pdf", "congo/c.pdf"} {
		document := postgres.NewID()
		c.Files[document] = file
		for _, number := range []string{"1", "2"} {
			article := law.Article{ID: postgres.NewID(), Number: number}
			for _, text := range []string{"Première partie.", "Seconde partie."} {
				p := law.Passage{ID: postgres.NewID(), DocumentID: document, ArticleID: article.ID, Text: text}
				c.Rows = append(c.Rows, postgres.IndexRow{Passage: p, ArticleNumber: number, Path: []string{"TITRE I"}, ArticleHeading: "Objet"})
				c.Found[p.ID] = postgres.Found{Passage: p, Article: article, Document: law.Document{ID: document}}
			}
		}
	}
	s := setOf(c)
	ask := func(id string, gold ...corpora.Gold) {
		q := Question{Query: corpora.Query{ID: id, Text: "Question " + id}, Split: id, Asked: &corpora.Asked{Gold: gold}, Right: make(map[string]bool)}
		for _, r := range s.rows {
			if f := c.Found[r.Passage.ID]; s.Fits(q.Asked, &f.Document, &f.Article) {
				q.Right[s.names[r.Passage.ArticleID]] = true
			}
		}
		if len(gold) > 0 {
			q.Split = gold[0].Document
		}
		s.Questions = append(s.Questions, q)
	}
	ask("a", corpora.Gold{Document: "benin/a.pdf", Article: "2"}, corpora.Gold{Document: "maroc/b.pdf", Article: "1"})
	ask("b", corpora.Gold{Document: "maroc/b.pdf", Article: "1"})
	ask("none")
	by := Parting{Part: func(q *Question) int {
		return map[string]int{"benin/a.pdf": 0, "maroc/b.pdf": 1}[q.Split]
	}}
	articles, sheets := s.Lay(by, NoPart)
	if len(articles) != 4 || len(sheets) != 2 || len(sheets[0].Right) != 2 {
		t.Fatalf("%d articles, questions %v", len(articles), sheets)
	}
	if a := articles[0]; a.Title != "TITRE I > Objet" || a.Text != "Première partie.\nSeconde partie." || a.Num != "1" {
		t.Errorf("article %+v", a)
	}
	for part, want := range []string{"b", "a"} {
		articles, sheets := s.Lay(by, part)
		if len(articles) != 2 || len(sheets) != 1 || sheets[0].ID != want || len(sheets[0].Right) != 1 {
			t.Errorf("without part %d: %d articles, questions %v", part, len(articles), sheets)
		}
	}
}
