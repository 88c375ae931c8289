package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       []line
		fault      string
	}{
		{"two lines", "api: bin/api -v\nworker: bin/worker\n", []line{{"api", "bin/api -v"}, {"worker", "bin/worker"}}, ""},
		{"comments and blanks", "\n# the server\n  api:bin/api  \r\n\n", []line{{"api", "bin/api"}}, ""},
		{"a colon in the command", "web: serve :80", []line{{"web", "serve :80"}}, ""},
		{"no colon", "api: a\nworker", nil, "line 2"},
		{"no command", "api:   ", nil, "line 1"},
		{"a bad name", "a b: c", nil, "line 1"},
		{"a name twice", "api: a\n\napi: b", nil, "line 3 names api"},
		{"nothing", "# empty\n", nil, "no line"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(strings.NewReader(c.text))
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Fatalf("error %v, want one with %q", err, c.fault)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("got %v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestMultiply(t *testing.T) {
	t.Parallel()
	lines := []line{{"api", "a"}, {"worker", "w"}}
	got, err := multiply(lines, counts{"worker": 2})
	want := []process{{"api", "a"}, {"worker.1", "w"}, {"worker.2", "w"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if got, err := multiply(lines, counts{"api": 0}); err != nil || len(got) != 1 || got[0].name != "worker" {
		t.Errorf("with no api: %v, %v", got, err)
	}
	if _, err := multiply(lines, counts{"wroker": 2}); err == nil {
		t.Error("a count for an unknown line passed")
	}
	if _, err := multiply(lines[:1], counts{"api": 0}); err == nil {
		t.Error("nothing to start passed")
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "worker", "worker=", "=2", "worker=-1", "worker=65", "worker=two"} {
		if err := (counts{}).Set(bad); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
	c := counts{}
	if err := c.Set("worker=3"); err != nil || c["worker"] != 3 {
		t.Errorf("worker=3: %v, %v", c, err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "env")
	content := "# comment = no\nVIGUEUR_A=from the file\nVIGUEUR_B=x=y\r\nVIGUEUR_C=file\nnonsense\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readSettings(path, []string{"VIGUEUR_A=from the environment", "VIGUEUR_C="})
	if want := []string{"VIGUEUR_B=x=y", "VIGUEUR_C=file"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if _, err := readSettings(path+".gone", nil); err == nil {
		t.Error("a file that is not there passed")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("api: a\nworker: b\n")
	f.Add("# x\n\r\napi:b")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, l := range lines {
			if l.name == "" || l.command == "" || l.command != strings.TrimSpace(l.command) {
				t.Errorf("%q gave %+v", text, l)
			}
		}
	})
}
