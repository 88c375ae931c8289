package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stream is what go test -json prints, without the quotes: "action package test output".
func stream(t *testing.T, lines ...string) string {
	t.Helper()
	var text strings.Builder
	for _, l := range lines {
		f := strings.SplitN(l, " ", 4)
		for len(f) < 4 {
			f = append(f, "")
		}
		text.WriteString(`{"Action":"` + f[0] + `","Package":"` + f[1] + `","Test":"` + f[2] + `","Output":"` + f[3] + `\n"}` + "\n")
	}
	return text.String()
}

func TestCounting(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		events []string
		last   string
		says   []string
	}{
		{"a leaf", []string{"run p A", "pass p A", "pass p"}, "1 passed, 0 failed, 0 skipped", []string{"ok    p"}},
		{
			"subtests count, their parent does not",
			[]string{"run p A", "run p A/x", "run p A/y/z", "pass p A/x", "pass p A/y/z", "pass p A", "pass p"},
			"2 passed, 0 failed, 0 skipped", nil,
		},
		{
			"a failed subtest is one failure",
			[]string{"run p A", "run p A/x", "output p A/x why", "fail p A/x", "run p A/y", "pass p A/y", "fail p A", "fail p"},
			"1 passed, 1 failed, 0 skipped", []string{"why\n", "failed: p.A/x\n", "FAIL  p"},
		},
		{
			"a parent that fails by itself",
			[]string{"run p A", "run p A/x", "pass p A/x", "output p A mine", "fail p A", "fail p"},
			"1 passed, 1 failed, 0 skipped", []string{"mine\n", "failed: p.A\n"},
		},
		{
			"a skipped test tells why",
			[]string{"run p A", "output p A === RUN   A", `output p A     a_test.go:3: no data here`, "output p A --- SKIP: A (0.00s)", "skip p A", "pass p"},
			"0 passed, 0 failed, 1 skipped", []string{"skipped: p.A: no data here\n"},
		},
		{
			"a test that never ended",
			[]string{"run p A", "run p A/x", "output p A/x panic: oh", "fail p"},
			"0 passed, 1 failed, 0 skipped", []string{"panic: oh", "did not end"},
		},
		{
			"a package that fails outside its tests",
			[]string{"run p A", "pass p A", "output p  goleak: found", "fail p"},
			"1 passed, 1 failed, 0 skipped", []string{"goleak: found", "failed: p\n"},
		},
		{"a package without tests", []string{"skip p"}, "0 passed, 0 failed, 0 skipped", nil},
		{"a stream that was cut off", []string{"run p A"}, "0 passed, 1 failed, 0 skipped", []string{"failed: p.A"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s := newSummary(&out)
			if err := s.read(strings.NewReader(stream(t, c.events...))); err != nil {
				t.Fatal(err)
			}
			s.close(nil, false)
			if !strings.HasSuffix(out.String(), "\n"+c.last+"\n") && out.String() != c.last+"\n" {
				t.Errorf("got\n%swant as the last line %q", out.String(), c.last)
			}
			for _, want := range c.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("got\n%swant %q in it", out.String(), want)
				}
			}
		})
	}
}

func TestErrorOfGoTest(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := newSummary(&out)
	s.close(errors.New("exit status 1"), false)
	if s.failed != 1 || !strings.Contains(out.String(), "exit status 1") {
		t.Errorf("got %q", out.String())
	}
}

func TestTally(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tally")
	if err := os.WriteFile(path, []byte("pass format\nskip govulncheck: no database\nfail vet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := newSummary(&out)
	if err := s.addTally(path); err != nil {
		t.Fatal(err)
	}
	s.close(nil, false)
	want := "skipped: check govulncheck: no database\nfailed: check vet\n1 passed, 1 failed, 1 skipped\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err := os.WriteFile(path, []byte("good format\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.addTally(path); err == nil {
		t.Error("a word that is no result passed")
	}
}

// TestRealGoTest runs go test itself on a module with a package of each kind.
func TestRealGoTest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module m\n\ngo 1.26\n",
		"good/a_test.go":     "package good\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Run(\"x\", func(t *testing.T) {}); t.Run(\"y\", func(t *testing.T) { t.Skip(\"no y here\") }) }\n",
		"bad/a_test.go":      "package bad\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Fatal(\"wrong\") }\nfunc TestB(t *testing.T) {}\n",
		"panics/a_test.go":   "package panics\nimport \"testing\"\nfunc TestA(t *testing.T) { panic(\"oh no\") }\n",
		"broken/a_test.go":   "package broken\nimport \"testing\"\nfunc TestA(t *testing.T) { undefined() }\n",
		"nothing/nothing.go": "package nothing\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, log bytes.Buffer
	events := filepath.Join(t.TempDir(), "events")
	code := run(t.Context(), []string{"-dir", dir, "-events", events, "./..."}, &out, &log)
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	if kept, err := os.ReadFile(events); err != nil || !strings.Contains(string(kept), `"Action":"pass","Package":"m/good"`) {
		t.Errorf("kept of the events: %q, %v", kept, err)
	}
	for _, want := range []string{
		"skipped: m/good.TestA/y: no y here\n", "failed: m/bad.TestA\n", "a_test.go:3: wrong\n", "panic: oh no",
		"undefined: undefined", "failed: m/broken\n", "\n2 passed, 3 failed, 1 skipped\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Logf("printed:\n%s%s", out.String(), log.String())
	}
}

// TestGroups runs go test twice, on one package: its tests count in both.
func TestGroups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.26\n",
		"a/a_test.go": "package a\nimport \"testing\"\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Fatal(\"wrong\") }\n",
		"b/b_test.go": "package b\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		args []string
		code int
		last string
	}{
		"both pass":  {[]string{"-run=A", "./a", "--", "-run=A", "./a", "./b"}, 0, "3 passed, 0 failed, 0 skipped\n"},
		"one fails":  {[]string{"-run=A", "./a", "--", "-run=B", "./a"}, 1, "failed: m/a.TestB\n1 passed, 1 failed, 0 skipped\n"},
		"no package": {[]string{"-run=A", "./a", "--", "./none"}, 1, "1 passed, 1 failed, 0 skipped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, err := os.Create(filepath.Join(t.TempDir(), "log"))
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			var out bytes.Buffer
			code := run(t.Context(), append([]string{"-dir", dir, "--"}, c.args...), &out, log)
			if code != c.code || !strings.HasSuffix(out.String(), c.last) {
				t.Errorf("exit code %d, want %d, and as its last line %q:\n%s", code, c.code, c.last, out.String())
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"Action":"run","Package":"p","Test":"A"}` + "\n" + `{"Action":"fail","Package":"p"}`)
	f.Add("no json\n{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		s := newSummary(&out)
		if err := s.read(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		s.close(nil, false)
		if s.passed < 0 || !strings.HasSuffix(out.String(), "skipped\n") {
			t.Errorf("%q ends in %q", text, out.String())
		}
	})
}
