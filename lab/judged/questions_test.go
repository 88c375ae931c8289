package judged

import (
	"path/filepath"
	"testing"
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
