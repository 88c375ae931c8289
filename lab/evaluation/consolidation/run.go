package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

type options struct {
	half     string
	failures bool
	acts     string
}

// score counts cases by what became of them.
type score struct {
	Cases   int `json:"cases"`
	Exact   int `json:"exact"`
	Waiting int `json:"not_applied"`
	Wrong   int `json:"wrong_applied"`
}

func (s *score) add(v verdict) {
	s.Cases++
	switch v {
	case exact:
		s.Exact++
	case waiting:
		s.Waiting++
	case wrong:
		s.Wrong++
	}
}

// verdict is what became of a case.
type verdict int

const (
	exact   verdict = iota // the words of the article are those of the consolidation
	waiting                // an operation was not applied
	wrong                  // all operations were applied, and the words are others
)

func run(file string, o options, out io.Writer) error {
	cases, err := readLines[testCase](file)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c testCase) bool { return !c.Certain || o.half != "" && halfOf(c.Act) != o.half })
	if len(cases) == 0 {
		return errors.New("no certain case in " + file)
	}
	byKind, reasons := map[string]*score{}, map[string]int{}
	var all score
	for _, c := range cases {
		text, gone, why := applied(amend.Read(c.Passage, amend.Options{Home: amend.Named(c.TargetTitle), Excerpt: true}), &c)
		v := c.judge(text, gone, why)
		all.add(v)
		for _, key := range []string{"operation  " + c.kind(), "country  " + c.Country} {
			if byKind[key] == nil {
				byKind[key] = &score{}
			}
			byKind[key].add(v)
		}
		if v != exact {
			reasons[why]++
			if o.failures {
				show(out, c, text, why)
			}
		}
	}
	if err := table(out, byKind, all); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return reasons[b] - reasons[a] }) {
		fmt.Fprintf(out, "%5d  %s\n", reasons[why], cmp.Or(why, "applied, other words"))
	}
	if o.acts != "" {
		if err := fromActs(out, o, cases); err != nil {
			return err
		}
	}
	line, err := json.Marshal(map[string]score{"figures": all})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n", line)
	return nil
}

// applied applies those operations that are about the article of a case. why is the reason of
// the first one that is not applied.
func applied(read []amend.Operation, c *testCase) (text string, gone bool, why string) {
	home := amend.Named(c.TargetTitle)
	var ops []amend.Operation
	for _, op := range read {
		if op.Concerns(c.Target, nil) && op.Text.Fits(home) {
			ops = append(ops, op)
		}
	}
	if len(ops) == 0 {
		return "", false, "no instruction about the article"
	}
	before := ""
	if c.Before != nil {
		before = *c.Before
	}
	r := amend.Apply(before, c.Before != nil, ops)
	for i, o := range r.Outcomes {
		if o.Reason != "" {
			c.failed = &ops[i]
			return r.Text, r.Gone, string(o.Reason)
		}
	}
	return r.Text, r.Gone, ""
}

// judge compares the result with the consolidation, on words.
func (c testCase) judge(text string, gone bool, why string) verdict {
	switch {
	case why != "":
		return waiting
	case c.After == nil && gone:
		return exact
	case c.After != nil && !gone && slices.Equal(plainWords(text), plainWords(*c.After)):
		return exact
	}
	return wrong
}

// plainWords returns the words of a text without case, accents and signs.
func plainWords(text string) []string {
	return strings.FieldsFunc(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// kind names the operations of a case.
func (c testCase) kind() string {
	if len(c.Operations) > 1 {
		return "several kinds"
	}
	return strings.Join(c.Operations, "")
}

func table(out io.Writer, by map[string]*score, all score) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tcases\texact\tnot applied\twrong and applied\t")
	for _, k := range slices.Sorted(maps.Keys(by)) {
		s := by[k]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", k, s.Cases, s.Exact, s.Waiting, s.Wrong)
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%d\t\n", all.Cases, all.Exact, all.Waiting, all.Wrong)
	return w.Flush()
}

// show prints a case that is not exact.
func show(out io.Writer, c testCase, text, why string) {
	fmt.Fprintf(out, "== %s  %s, article %s: %s\n%s\n", c.ID, c.TargetTitle, c.Target, cmp.Or(why, "other words"), c.Passage)
	if c.failed != nil {
		fmt.Fprintf(out, "-- operation: %+v\n", *c.failed)
	}
	switch {
	case why == "":
		beside(out, c, text)
	case c.Before != nil:
		fmt.Fprintf(out, "-- before: %.1500s\n", *c.Before)
	}
	fmt.Fprintln(out)
}

// beside prints the paragraphs that are not the same before, as made and in the consolidation.
func beside(out io.Writer, c testCase, made string) {
	var editions [3][]string
	for i, text := range []*string{c.Before, &made, c.After} {
		if text != nil {
			editions[i] = strings.Split(*text, "\n")
		}
	}
	has := func(edition []string, line string) bool {
		return slices.ContainsFunc(edition, func(l string) bool { return slices.Equal(plainWords(l), plainWords(line)) })
	}
	for i, name := range []string{"before", "made", "true"} {
		for n, line := range editions[i] {
			if has(editions[0], line) && has(editions[1], line) && has(editions[2], line) {
				continue
			}
			fmt.Fprintf(out, "-- %s, alinea %d of %d: %s\n", name, n+1, len(editions[i]), line)
		}
	}
}

// fromActs looks for each case in the whole text of its act: whether an operation about its
// article is found, and whether the whole is applied.
func fromActs(out io.Writer, o options, cases []testCase) error {
	acts, err := readLines[wholeAct](o.acts)
	if err != nil {
		return err
	}
	read := map[string][]amend.Operation{}
	for _, a := range acts {
		var list []law.Article
		for _, article := range a.Articles {
			list = append(list, law.Article{Number: article.Number, Text: strings.Join(article.Alineas, "\n")})
		}
		text, parts := amend.Written(list)
		read[a.Act] = amend.Read(text, amend.Options{Parts: parts})
	}
	var all score
	found := 0
	for _, c := range cases {
		ops, ok := read[c.Act]
		if !ok {
			continue
		}
		text, gone, why := applied(ops, &c)
		if why != "no instruction about the article" {
			found++
		}
		v := c.judge(text, gone, why)
		all.add(v)
		if v != exact && o.failures {
			fmt.Fprintf(out, "act: ")
			show(out, c, text, why)
		}
	}
	fmt.Fprintf(out, "\nfrom the whole act: %d cases, target found %d, exact %d, not applied %d, wrong and applied %d\n", all.Cases, found, all.Exact, all.Waiting, all.Wrong)
	return nil
}
