package judged

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"vigueur/lab/training/encoder/learn"
	"vigueur/scripts/corpora"
)

// Our own questions can be asked, and no file is of questions that are learned from and of sealed ones.
func TestOwnQuestions(t *testing.T) {
	t.Parallel()
	own := GazetteQuestions(t.TempDir())
	files, ids := make(map[string]string), make(map[string]bool)
	for _, path := range []string{own[len(own)-1].Path, SealedQuestions()} {
		asked, err := corpora.Questions(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(asked) == 0 {
			t.Errorf("%s has no questions", path)
		}
		for _, q := range asked {
			if q.Question == "" || q.Undecided || ids[q.ID] || (len(q.Gold) > 0) != (len(q.KeyFacts) > 0) {
				t.Errorf("%s of %s is not whole, or there twice", q.ID, filepath.Base(path))
			}
			ids[q.ID] = true
			for _, g := range q.Gold {
				if other := files[g.Document]; other != "" && other != path {
					t.Errorf("%s is asked about in both files", g.Document)
				}
				files[g.Document] = path
			}
		}
	}
}

func TestQuestionsOfAFolderThatHasNone(t *testing.T) {
	t.Parallel()
	if err := new(Set).AskAll(t.TempDir()); err == nil {
		t.Error("no error")
	}
}

// The questions on law of many countries are whole, none is there twice, and nothing else is asked about a sealed jurisdiction.
func TestQuestionsOfManyCountries(t *testing.T) {
	t.Parallel()
	type asked struct {
		ID, Question, Style string
		Before              []string
		Gold                []struct{ Jurisdiction, Field, Text, Article, Source, Path, SHA256 string }
	}
	ids, sealed, open := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for _, name := range []string{"breadth.jsonl", "unread.jsonl", "further.jsonl", "further.sealed.jsonl"} {
		where := open
		if name == "further.sealed.jsonl" {
			where = sealed
		}
		err := learn.Lines(ownQuestions(name), func(line []byte) error {
			var q asked
			if err := json.Unmarshal(line, &q); err != nil {
				return err
			}
			if q.ID == "" || q.Question == "" || ids[q.ID] || (len(q.Gold) == 0) != (q.Style == "negative") || (len(q.Before) > 0) != (q.Style == "follow-up") {
				t.Errorf("%s: %s is not whole, or there twice", name, q.ID)
			}
			ids[q.ID] = true
			for _, g := range q.Gold {
				if g.Jurisdiction == "" || g.Field == "" || g.Text == "" || g.Article == "" || g.Source == "" || g.Path == "" || len(g.SHA256) != 16 {
					t.Errorf("%s: %s: an article is not whole", name, q.ID)
				}
				where[g.Jurisdiction] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for j := range sealed {
		if open[j] {
			t.Errorf("%s is sealed, and asked about elsewhere", j)
		}
	}
}
