package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// summary counts and prints what several streams say, one after the other.
type summary struct {
	out                     io.Writer
	sources                 []*source
	passed, failed, skipped int
	failures, skips         []string // names, for the end
}

func newSummary(out io.Writer) *summary { return &summary{out: out} }

// open adds a stream.
func (s *summary) open() *source {
	added := &source{summary: s, packs: map[string]*pack{}, builds: map[string]string{}}
	s.sources = append(s.sources, added)
	return added
}

// count adds one result; false when o is none of the three.
func (s *summary) count(o outcome, name string) bool {
	switch o {
	case passed:
		s.passed++
	case failed:
		s.failed++
		s.failures = append(s.failures, name)
	case skipped:
		s.skipped++
		s.skips = append(s.skips, name)
	default:
		return false
	}
	return true
}

// finish closes a package: counts its tests, prints its line and, when it failed, all that is known of why.
func (s *source) finish(e event) {
	p := s.pack(e.Package)
	delete(s.packs, e.Package)
	if len(p.tests) == 0 && e.Action != "fail" {
		return // nothing to test here
	}
	before := s.failed
	s.countTests(e.Package, p)
	if e.Action == "fail" && s.failed == before {
		s.count(failed, e.Package)
	}
	word := "ok  "
	if s.failed > before {
		word = "FAIL"
	}
	fmt.Fprintf(s.out, "%s  %-50s %6.1f s  %s\n", word, e.Package, e.Elapsed, describe(p))
	if s.failed > before {
		s.explain(p, e.FailedBuild)
	}
}

// countTests counts the tests that never ended as failed, deepest first so that their parents are blamed
// for them and not counted themselves.
func (s *source) countTests(name string, p *pack) {
	for _, t := range slices.Backward(p.tests) {
		if t.outcome == running {
			t.output.WriteString("    did not end\n")
			p.end(t, failed)
		}
	}
	for _, t := range p.tests {
		if t.counts() {
			full := name + "." + t.name
			if t.outcome == skipped {
				full += ": " + reason(t.output.String())
			}
			s.count(t.outcome, full)
		}
	}
}

func describe(p *pack) string {
	var leaves, skips int
	for _, t := range p.tests {
		if t.counts() {
			leaves++
		}
		if t.outcome == skipped {
			skips++
		}
	}
	if skips > 0 {
		return fmt.Sprintf("%d tests, %d skipped", leaves, skips)
	}
	return fmt.Sprintf("%d tests", leaves)
}

// explain prints the output of the failed tests, whole, and what was said outside of them.
func (s *source) explain(p *pack, failedBuild string) {
	if failedBuild != "" {
		fmt.Fprint(s.out, s.builds[failedBuild])
	}
	for _, t := range p.tests {
		if t.outcome == failed && t.counts() {
			fmt.Fprint(s.out, t.output.String())
		}
	}
	fmt.Fprint(s.out, p.output.String())
}

// reason finds what t.Skip was given in the output of a skipped test.
func reason(output string) string {
	var said []string
	frame := regexp.MustCompile(`^(=== |--- |\s*--- )`)
	place := regexp.MustCompile(`^[\w.-]+\.go:\d+: `)
	for text := range strings.Lines(output) {
		text = strings.TrimRight(text, "\n")
		if !frame.MatchString(text) {
			said = append(said, place.ReplaceAllString(strings.TrimSpace(text), ""))
		}
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, " ")
}

// cutOff ends the packages that are still open, which were cut off.
func (s *source) cutOff() {
	for _, name := range slices.Sorted(maps.Keys(s.packs)) {
		if len(s.packs[name].tests) > 0 {
			s.finish(event{Action: "fail", Package: name})
		}
	}
}

// close ends the report. An error of go test that no failed test accounts for counts as a failure of its own.
func (s *summary) close(err error, interrupted bool) {
	for _, from := range s.sources {
		from.cutOff()
	}
	if interrupted {
		s.count(failed, "interrupted")
	} else if err != nil && s.failed == 0 {
		s.count(failed, fmt.Sprintf("go test: %v", err))
	}
	s.list("skipped", s.skips)
	s.list("failed", s.failures)
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
}

func (s *summary) list(word string, names []string) {
	for _, name := range names {
		fmt.Fprintf(s.out, "%s: %s\n", word, name)
	}
}
