package main

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
)

// tested are the folders in which each package is to have tests of its own.
var tested = []string{"internal", "api", "worker", "ingest"}

// leastTests is how many lines of test such a package has at least for each line of code.
const leastTests = 0.8

// room is a package.
type room struct {
	path        string
	files       int // without tests
	code, tests int // lines
}

// share is how many lines of test there are for each line of code; 0 where there is no code.
func (r room) share() float64 {
	if r.code == 0 {
		return 0
	}
	return float64(r.tests) / float64(r.code)
}

// short reports whether a package has fewer tests than it is to have. What only helps tests is a part of them.
func (r room) short() bool {
	folder, _, _ := strings.Cut(r.path, "/")
	return r.code > 0 && r.share() < leastTests && slices.Contains(tested, folder) && !strings.HasSuffix(path.Base(r.path), "test")
}

// measurement is all that is measured.
type measurement struct {
	rooms        []room     // by path
	files        []source   // the longest first
	functions    []function // the longest first
	lines        []longest  // one a file, the longest first
	exported     int        // names outside tests
	bare         []string
	dependencies dependencies
}

// measure adds up the sources. They may come in any order.
func measure(sources []source, d dependencies) (m measurement) {
	m.files, m.dependencies = slices.Clone(sources), d
	rooms := make(map[string]*room)
	for _, s := range sources {
		r := rooms[s.room]
		if r == nil {
			r = &room{path: s.room}
			rooms[s.room] = r
		}
		if s.test {
			r.tests += s.lines
		} else {
			r.files, r.code = r.files+1, r.code+s.lines
			m.exported += s.exported
		}
		m.functions = append(m.functions, s.functions...)
		m.lines, m.bare = append(m.lines, s.longest), append(m.bare, s.bare...)
	}
	for _, r := range rooms {
		m.rooms = append(m.rooms, *r)
	}
	slices.SortFunc(m.rooms, func(a, b room) int { return cmp.Compare(a.path, b.path) })
	slices.SortFunc(m.files, func(a, b source) int { return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(a.path, b.path)) })
	slices.SortFunc(m.functions, func(a, b function) int { return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(a.where, b.where)) })
	slices.SortFunc(m.lines, func(a, b longest) int { return cmp.Or(cmp.Compare(b.runes, a.runes), cmp.Compare(a.where, b.where)) })
	slices.Sort(m.bare)
	return m
}

// print writes the tables, of each list the first most.
func (m measurement) print(out io.Writer, most int) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "package\tfiles\tcode\ttests\ttests/code")
	for _, r := range m.rooms {
		mark := ""
		if r.short() {
			mark = " <"
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.2f%s\n", r.path, r.files, r.code, r.tests, r.share(), mark)
	}
	_ = t.Flush() // out reports what failed
	fmt.Fprintf(out, "< fewer than %.1f lines of test a line of code\n", leastTests)

	fmt.Fprintln(out, "\nLongest files (lines of code)")
	for _, f := range m.files[:min(most, len(m.files))] {
		fmt.Fprintf(out, "%6d  %s\n", f.lines, f.path)
	}
	fmt.Fprintln(out, "\nLongest functions (lines)")
	for _, f := range m.functions[:min(most, len(m.functions))] {
		fmt.Fprintf(out, "%6d  %s %s\n", f.lines, f.where, f.name)
	}
	fmt.Fprintln(out, "\nLongest lines (characters)")
	for _, l := range m.lines[:min(most, len(m.lines))] {
		fmt.Fprintf(out, "%6d  %s\n", l.runes, l.where)
	}
	fmt.Fprintf(out, "\nExported names without a doc comment: %d of %d\n", len(m.bare), m.exported)
	for _, n := range m.bare[:min(most, len(m.bare))] {
		fmt.Fprintf(out, "        %s\n", n)
	}
	fmt.Fprintf(out, "\nDirect dependencies: %d of the product, %d of tests and scripts\n", len(m.dependencies.product), len(m.dependencies.others))
	for _, list := range [][]string{m.dependencies.product, m.dependencies.others} {
		fmt.Fprintf(out, "        %s\n", strings.Join(list, " "))
	}
}

// summary is what the last line tells.
type summary struct {
	Packages      int     `json:"packages"`
	Files         int     `json:"files"`
	CodeLines     int     `json:"code_lines"` // of the product and of scripts
	TestLines     int     `json:"test_lines"`
	FewTests      int     `json:"packages_with_few_tests"`
	LongestFile   int     `json:"longest_file"`
	LongestFunc   int     `json:"longest_function"`
	MeanFunc      float64 `json:"mean_function"`
	LongestLine   int     `json:"longest_line"`
	Undocumented  int     `json:"undocumented"`
	ProductDirect int     `json:"product_dependencies"`
	OtherDirect   int     `json:"other_dependencies"`
}

func (m measurement) summary() summary {
	s := summary{Packages: len(m.rooms), Files: len(m.files), Undocumented: len(m.bare), ProductDirect: len(m.dependencies.product), OtherDirect: len(m.dependencies.others)}
	for _, r := range m.rooms {
		s.CodeLines, s.TestLines = s.CodeLines+r.code, s.TestLines+r.tests
		if r.short() {
			s.FewTests++
		}
	}
	all := 0
	for _, f := range m.functions {
		all += f.lines
	}
	s.MeanFunc = float64(10*all/max(1, len(m.functions))) / 10
	if len(m.functions) > 0 {
		s.LongestFunc = m.functions[0].lines
	}
	if len(m.files) > 0 {
		s.LongestFile, s.LongestLine = m.files[0].lines, m.lines[0].runes
	}
	return s
}
