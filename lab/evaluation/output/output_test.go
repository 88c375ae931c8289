package output

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := NewTable("FILE", "TEXTS")
	table.Add("jo\n2025.pdf", 7)
	table.Add("a.pdf", 12)
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if want := "FILE         TEXTS\njo 2025.pdf  7\na.pdf        12\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	if err := NewTable("FILE").Write(&b); err != nil || b.Len() > 0 {
		t.Errorf("%v: a table without rows printed %q", err, b.String())
	}
}

func TestRemarksAndPercent(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Remarks(&b, "a.pdf", "missing", []string{"one\ntwo", "three"}); err != nil {
		t.Fatal(err)
	}
	if want := "  a.pdf: missing: one two\n  a.pdf: missing: three\n"; b.String() != want {
		t.Errorf("%q", b.String())
	}
	for want, n := range map[string][2]int{"50.0 %": {1, 2}, "0.0 %": {0, 0}} {
		if got := Percent(n[0], n[1]); got != want {
			t.Errorf("%v: %s, want %s", n, got, want)
		}
	}
}
