package gazettes

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"

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
	text := func(number, date string, articles ...string) gazette.Text {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		x := gazette.Text{Document: law.Document{Type: law.Loi, OfficialNumber: number, Promulgated: day}}
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
	issue := gazette.Issue{Texts: []gazette.Text{
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

// What a person noted as no error is none; a text that may be left out is not missing; and what is no law is an error only
// where it is not doubted.
func TestJudgeAllowsWhatIsNoted(t *testing.T) {
	t.Parallel()
	text := func(as law.DocType, day string, page, articles int, doubts ...remarks.Doubt) gazette.Text {
		at, _ := time.Parse(time.DateOnly, day)
		x := gazette.Text{Document: law.Document{Type: as, Promulgated: at, FirstPage: page}, Doubts: doubts}
		for i := range articles {
			x.Articles = append(x.Articles, law.Article{Number: strconv.Itoa(i + 1)})
		}
		return x
	}
	doubt := remarks.Doubt{Why: remarks.Of(remarks.IsDraft)}
	noted := Text{Type: "arrete", TypeAlso: []string{"decret"}, Date: "1984-10-31", DateAlso: []string{"1967-05-17"}, Page: 3, PageAlso: []int{7}, Articles: 4, ArticlesAlso: []int{5}}
	uncounted := Text{Type: "loi", Date: "2006-02-01", Page: 1, Articles: 148, Unsure: "count"}
	draft := Text{Type: "loi", Page: 2, Kind: "projet", Optional: true}
	short := Text{Type: "arrete", Page: 2, Kind: "acte en abrégé", Optional: true}
	for _, c := range []struct {
		name  string
		noted []Text
		cut   []gazette.Text
		wrong int
	}{
		{"as else noted", []Text{noted}, []gazette.Text{text(law.Decret, "1967-05-17", 7, 5)}, 0},
		{"otherwise", []Text{noted}, []gazette.Text{text(law.Loi, "1967-05-17", 7, 5)}, 2}, // missing, and another invented
		{"not counted", []Text{uncounted}, []gazette.Text{text(law.Loi, "2006-02-01", 1, 12)}, 0},
		{"a draft left out", []Text{draft}, nil, 0},
		{"a draft in review", []Text{draft}, []gazette.Text{text(law.Loi, "2006-02-01", 2, 3, doubt)}, 0},
		{"a draft as law", []Text{draft}, []gazette.Text{text(law.Arrete, "2006-02-01", 2, 3)}, 1},
		{"a short act left out", []Text{short}, nil, 0},
		{"a short act", []Text{short}, []gazette.Text{text(law.Arrete, "2006-02-01", 2, 0)}, 0},
		{"no law, and none cut", nil, nil, 0},
		{"no law, and one cut", nil, []gazette.Text{text(law.Arrete, "2006-02-01", 2, 3)}, 1},
	} {
		wrong := 0
		for _, v := range Judge(File{Texts: c.noted}, gazette.Issue{Texts: c.cut}) {
			if !v.Right() {
				wrong++
			}
		}
		if wrong != c.wrong {
			t.Errorf("%s: %d wrong, want %d", c.name, wrong, c.wrong)
		}
	}
}
