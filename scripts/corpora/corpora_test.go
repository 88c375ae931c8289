package corpora

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"vigueur/internal/kit/errs"
)

func TestFilesAreReadOrRefusedByLine(t *testing.T) {
	t.Parallel()
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	queries, err := Queries(write("{\"_id\":\"1\",\"text\":\"a\",\"g\":\"x\"}\n\n{\"_id\":\"2\",\"text\":\"b\",\"g\":\"x\"}"), "g")
	if err != nil || len(queries) != 2 || queries[1].Group != "x" {
		t.Errorf("%+v, %v", queries, err)
	}
	right, err := Qrels(write("query-id\tcorpus-id\tscore\n1\tA\t1\n1\tB\t0\r\n2\tC\n"))
	if err != nil || !right["1"]["A"] || right["1"]["B"] || !right["2"]["C"] || len(right) != 2 {
		t.Errorf("%v, %v", right, err)
	}
	for name, read := range map[string]func() error{
		"no JSON": func() error { return Articles(write("{\"_id\":\"1\"}\nnon"), func(Article) {}) },
		"no id":   func() error { return Articles(write("\n{\"text\":\"a\"}"), func(Article) {}) },
		"no group": func() error {
			_, err := Queries(write("{\"_id\":\"1\",\"text\":\"a\"}\n{\"_id\":\"2\",\"text\":\"a\"}"), "g")
			return err
		},
		"one column": func() error { _, err := Qrels(write("1\tA\nx")); return err },
		"no question": func() error {
			_, err := Questions(write("{\"id\":\"1\",\"question\":\"q\"}\n{\"id\":\"2\"}"))
			return err
		},
		"undecided": func() error {
			_, err := Questions(write("{\"id\":\"1\",\"question\":\"q\",\"undecided\":true}"))
			return err
		},
		"no such file":  func() error { _, err := Questions(filepath.Join(t.TempDir(), "none")); return err },
		"endless bytes": func() error { _, err := Questions(write(strings.Repeat("x", lineLimit+1))); return err },
	} {
		if err := read(); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSampleQuestions(t *testing.T) {
	t.Parallel()
	questions, err := SampleQuestions("../..")
	if err != nil || len(questions) == 0 || slices.Contains(questions, "") {
		t.Errorf("%d questions: %v", len(questions), err)
	}
	if _, err := SampleQuestions(t.TempDir()); err == nil {
		t.Error("a folder without questions")
	}
}
