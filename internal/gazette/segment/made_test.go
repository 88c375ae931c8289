package segment_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
)

// madeIssue is a generated issue in testdata/made, which scripts/train made wrote.
type madeIssue struct {
	Pages []layout.Page
	Owner [][]int // by page and word: index in Texts of the word's text, -1 for none
	Texts []madeText
}

// madeText is the truth about a text of a generated issue.
type madeText struct {
	Number string
	Date   time.Time
	Page   int
}

// issueOf reads a generated issue by its name and arranges its pages.
func issueOf(t *testing.T, name string) madeIssue {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "made", name+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var made madeIssue
	if err := json.NewDecoder(z).Decode(&made); err != nil {
		t.Fatal(err)
	}
	layout.Arrange(made.Pages)
	return made
}
