package segment_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden cuts invented typewritten files and compares the whole result with one that was checked by eye.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(string) []layout.Page{"issue": typed, "code": typed, "scan": scanned} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			got := describeIssue(segment.Split(read(string(raw)), gazette.Hints{Filename: name + ".pdf"}))
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := compare.Diff(string(want), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// describeIssue returns an issue as text.
func describeIssue(issue gazette.Issue) string {
	var b strings.Builder
	if issue.Date != nil {
		fmt.Fprintf(&b, "issue %s of %s\n", issue.Number, day(*issue.Date))
	}
	for _, x := range issue.Texts {
		d := x.Document
		fmt.Fprintf(&b, "\n%s %s of %s, in force %s, %s, pages %d to %d\n%s\n", d.Type, d.OfficialNumber, day(d.Promulgated), day(d.EntersInForce),
			d.Domain, d.FirstPage, d.LastPage, d.Title)
		for _, q := range x.Doubts {
			fmt.Fprintf(&b, "doubt: %s: %s\n", q.Field, q.Why.Sentence())
		}
		for _, s := range x.Signatories {
			fmt.Fprintf(&b, "signed: %s\n", s)
		}
		for _, r := range x.Relations {
			fmt.Fprintf(&b, "article %s: %s %s %s%s %v from %s, adds %v\n", x.Articles[r.Article].Number, r.Kind, r.TargetType, r.TargetNumber, r.TargetTitle,
				r.TargetArticles, day(r.Effective), r.Adds)
		}
		for _, a := range x.Articles {
			fmt.Fprintf(&b, "[%s|%s] %s: %s\n", a.Number, a.Heading, strings.Join(a.Path, " / "), strings.ReplaceAll(a.Text, "\n", " ¶ "))
		}
	}
	b.WriteString("\nloose:\n")
	for _, l := range issue.Loose {
		b.WriteString(strings.TrimSpace(l.Text()) + "\n")
	}
	return b.String()
}
