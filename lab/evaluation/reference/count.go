package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"vigueur/internal/law"
)

// given is an answer as « scripts/eval answers --json » prints it.
type given struct {
	ID     string   `json:"id"`
	Cited  []string `json:"cited"`
	Answer string   `json:"answer"`
}

// tally counts cases of one kind.
type tally struct{ right, all int }

// count prints how many answers are what was wanted, by kind, seen and sealed, and
// names the seen ones that are not.
func count(cases []testCase, answers string, out io.Writer) error {
	raw, err := os.ReadFile(answers)
	if err != nil {
		return err
	}
	var run struct{ Each []given }
	if err := json.Unmarshal(raw, &run); err != nil {
		return fmt.Errorf("%s: %w", answers, err)
	}
	byID := make(map[string]given)
	for _, g := range run.Each {
		byID[g.ID] = g
	}
	sums := map[string]*[2]tally{}
	var kinds []string
	for _, c := range cases {
		g, ok := byID[c.ID]
		if !ok {
			return fmt.Errorf("%s has no answer to %s", answers, c.ID)
		}
		if sums[c.Type] == nil {
			sums[c.Type] = &[2]tally{}
			kinds = append(kinds, c.Type)
		}
		t := &sums[c.Type][half(c.Sealed)]
		t.all++
		if why := c.Wanted.fault(g); why == "" {
			t.right++
		} else if !c.Sealed {
			fmt.Fprintf(os.Stderr, "%s %s — %s\n", c.ID, c.Question, why)
		}
	}
	return table(kinds, sums, out)
}

func half(sealed bool) int {
	if sealed {
		return 1
	}
	return 0
}

func table(kinds []string, sums map[string]*[2]tally, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "kind\tseen\tsealed")
	var all [2]tally
	for _, k := range kinds {
		fmt.Fprintf(w, "%s", k)
		for i, t := range sums[k] {
			all[i].right += t.right
			all[i].all += t.all
			fmt.Fprintf(w, "\t%d of %d", t.right, t.all)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "all\t%d of %d\t%d of %d\n", all[0].right, all[0].all, all[1].right, all[1].all)
	return w.Flush()
}

// fault is why an answer is not what was wanted, "" when it is.
func (w wanted) fault(g given) string {
	cited := make([]string, len(g.Cited))
	for i, c := range g.Cited {
		cited[i] = keyOf(c)
	}
	has := func(name string) bool { return slices.Contains(cited, keyOf(name)) }
	switch {
	case w.None && len(cited) > 0:
		return "cites " + strings.Join(g.Cited, "; ")
	case w.Some && !slices.ContainsFunc(w.All, has):
		return "cites none of " + strings.Join(w.All, "; ") + " but " + strings.Join(g.Cited, "; ")
	case !w.Some && slices.ContainsFunc(w.All, func(n string) bool { return !has(n) }):
		return "cites " + strings.Join(g.Cited, "; ") + ", not all of " + strings.Join(w.All, "; ")
	}
	if len(w.Only) > 0 {
		for i, c := range cited {
			if !slices.ContainsFunc(w.Only, func(n string) bool { return keyOf(n) == c }) {
				return "cites " + g.Cited[i] + " too"
			}
		}
	}
	folded := law.Fold(g.Answer)
	for _, s := range w.Says {
		if !strings.Contains(folded, law.Fold(s)) {
			return "does not say « " + s + " »"
		}
	}
	for _, s := range w.Denies {
		if strings.Contains(folded, law.Fold(s)) {
			return "says « " + s + " »"
		}
	}
	return ""
}

// keyOf compares « folder/file.pdf, art. 5 » without the folder and as articles are
// compared.
func keyOf(cited string) string {
	file, number, _ := strings.Cut(cited, ", art. ")
	return path.Base(file) + " " + law.ArticleKey(number)
}
