package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of "go test -json": a TestEvent of cmd/test2json, or a BuildEvent (ImportPath set).
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64 // seconds
	Output      string
	FailedBuild string
}

// outcome is what became of a test: empty while it runs, then pass, fail or skip.
type outcome string

const (
	running outcome = ""
	passed  outcome = "pass"
	failed  outcome = "fail"
	skipped outcome = "skip"
)

// test is one test, subtest, example or fuzz seed.
type test struct {
	name     string
	outcome  outcome
	output   strings.Builder
	children bool // has subtests
	blamed   bool // a subtest failed, so its own failure says nothing more
}

// counts says whether the test is one of those counted: a leaf, or the place where a failure began.
func (t *test) counts() bool {
	return !t.children || (t.outcome == failed && !t.blamed)
}

// pack is a package under test, with its tests in the order they began.
type pack struct {
	tests  []*test
	byName map[string]*test
	output strings.Builder // what is said outside of any test
}

func (p *pack) test(name string) *test {
	t := p.byName[name]
	if t == nil {
		t = &test{name: name}
		p.byName[name] = t
		p.tests = append(p.tests, t)
		p.eachParent(name, func(parent *test) { parent.children = true })
	}
	return t
}

// eachParent visits the tests that name is a subtest of, at any distance. A name may hold slashes of its own.
func (p *pack) eachParent(name string, visit func(*test)) {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if parent := p.byName[name[:i]]; parent != nil {
			visit(parent)
		}
	}
}

// end notes how a test ended. The failure of a subtest is not its parents’ own.
func (p *pack) end(t *test, o outcome) {
	t.outcome = o
	if o == failed {
		p.eachParent(t.name, func(parent *test) { parent.blamed = true })
	}
}

// source is what one go test says: its packages under test, by name, and what its compiler said of which package.
type source struct {
	*summary
	packs  map[string]*pack
	builds map[string]string
}

// read takes the whole output of one go test. A line that is no event is shown as it stands.
func (s *summary) read(output io.Reader) error {
	from := s.open()
	reader := bufio.NewReader(output)
	for {
		text, err := reader.ReadString('\n')
		if text != "" {
			from.line(text)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the output of go test: %w", err)
		}
	}
}

func (s *source) line(text string) {
	var e event
	if err := json.Unmarshal([]byte(text), &e); err != nil || e.Action == "" {
		fmt.Fprint(s.out, text)
		return
	}
	switch {
	case e.ImportPath != "":
		s.builds[e.ImportPath] += e.Output
	case e.Test == "":
		s.packageEvent(e)
	default:
		s.testEvent(e)
	}
}

func (s *source) pack(name string) *pack {
	p := s.packs[name]
	if p == nil {
		p = &pack{byName: map[string]*test{}}
		s.packs[name] = p
	}
	return p
}

func (s *source) testEvent(e event) {
	p := s.pack(e.Package)
	t := p.test(e.Test)
	switch e.Action {
	case "output":
		t.output.WriteString(e.Output)
	case "pass", "fail", "skip":
		p.end(t, outcome(e.Action))
		if t.outcome == passed {
			t.output.Reset()
		}
	}
}

func (s *source) packageEvent(e event) {
	switch e.Action {
	case "output":
		s.pack(e.Package).output.WriteString(e.Output)
	case "pass", "fail", "skip":
		s.finish(e)
	}
}

// addTally counts the results of other checks in. An empty path is none.
func (s *summary) addTally(path string) error {
	if path == "" {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for entry := range strings.Lines(string(content)) {
		result, name, found := strings.Cut(strings.TrimSpace(entry), " ")
		if !found || !s.count(outcome(result), "check "+name) {
			return fmt.Errorf("%s: %q is not pass, fail or skip and a name", path, entry)
		}
	}
	return nil
}
