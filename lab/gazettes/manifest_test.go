package gazettes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"file,number\na.pdf,1\n": `column "pages"`,
		"":                       "empty",
		"file\n\"a":              "manifest.csv",
	} {
		path := filepath.Join(t.TempDir(), "manifest.csv")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Columns(path, "pages", "file"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want « %s »", content, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "manifest.csv")
	if err := os.WriteFile(path, []byte("file,number,pages\na.pdf,1,7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := Columns(path, "pages", "file")
	if err != nil || len(rows) != 1 || rows[0][0] != "7" || rows[0][1] != "a.pdf" {
		t.Errorf("%v, %v", rows, err)
	}
	if err := There(filepath.Dir(path), []string{"manifest.csv", "a.pdf"}); err == nil || !strings.Contains(err.Error(), "names a.pdf") {
		t.Errorf("%v", err)
	}
}

func TestJudgeTellsWhatIsMissingInventedAndWrong(t *testing.T) {
	t.Parallel()
	text := func(number, date string, articles ...string) segment.Text {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		x := segment.Text{Document: law.Document{Type: law.Loi, OfficialNumber: number, Promulgated: day}}
		for _, n := range articles {
			x.Articles = append(x.Articles, law.Article{Number: n})
		}
		return x
	}
	f := File{Texts: []Text{
		{Type: "loi", Number: "2025-01", Date: "2025-01-10", Articles: 2},
		{Type: "loi", Number: "2025-02", Date: "2025-01-11"},
		{Type: "loi", Number: "2025-03", Date: "2025-01-12"},
	}}
	issue := segment.Issue{Texts: []segment.Text{
		text("2025-01", "2025-01-10", "1", "2", "Annexe, article 1"),
		text("2025-02", "2025-02-11"),
		text("2025-09", "2025-01-12"),
	}}
	got := map[string]string{}
	for _, v := range Judge(f, issue) {
		name := "cut"
		if v.Noted != nil {
			name = v.Noted.Number
		}
		got[name] = strings.Join(v.Faults, ", ")
	}
	for name, want := range map[string]string{"2025-01": "", "2025-02": "date 2025-02-11", "2025-03": "missing", "cut": "invented"} {
		if fault, told := got[name]; !told || fault != want {
			t.Errorf("%s: %q, want %q", name, fault, want)
		}
	}
}
