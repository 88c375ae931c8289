package main

import (
	"fmt"
	"io"
	"strings"

	"vigueur/internal/kit/terminal"
)

const (
	// listed is the maximum number of files that the summary lists one by one.
	listed = 200
	// known is the beginning of the remark about a file that was added before.
	known = "Déjà connu"
	// totaled is the minimum number of files for which the summary contains a table of states.
	totaled = 20
)

// summary prints the result of each file, and then the totals. If there are many files, it
// prints only the results of those that need attention.
func (r *adding) summary() error {
	if r.json {
		return writeList(r.out, r.files, len(r.files))
	}
	t := terminal.Table{Head: []string{"FICHIER", "ÉTAT", "PAGES", "TEXTES", "ARTICLES", "REMARQUE"}, Omit: []string{"ARTICLES", "TEXTES"}}
	none, left := "Aucun fichier.", 0
	for _, f := range r.files {
		switch {
		case len(r.files) > listed && f.State == "done" && (f.Reason == "" || strings.HasPrefix(f.Reason, known)):
			none = ""
		case t.Len() >= listed:
			left++
		default:
			t.Add(f.File, stateName(f.State), fmt.Sprintf("%d/%d", f.PagesDone, f.PagesTotal), f.texts, f.Articles, f.Reason)
		}
	}
	out := r.summaryTo()
	if t.Len() > 0 || none != "" {
		if err := t.Write(out, none); err != nil {
			return err
		}
	}
	if left > 0 {
		fmt.Fprintf(out, "… et %s encore : ingest status --state failed, ou --json.\n", count(left, "fichier"))
	}
	return r.totals()
}

// summaryTo returns the output of the summary: with --quiet, it is printed only if a file needs attention.
func (r *adding) summaryTo() io.Writer {
	for _, f := range r.files {
		if f.State != "done" {
			return r.out
		}
	}
	return r.outcome()
}

// totals prints the number of files in each state: on one line, or as a table for many
// files.
func (r *adding) totals() error {
	type sum struct{ files, pages, texts, articles int }
	sums := map[string]*sum{}
	for _, f := range r.files {
		s := sums[f.State]
		if s == nil {
			s = &sum{}
			sums[f.State] = s
		}
		s.files++
		s.pages += f.PagesDone
		s.texts += f.texts
		s.articles += f.Articles
	}
	t := terminal.Table{Head: []string{"ÉTAT", "FICHIERS", "PAGES", "TEXTES", "ARTICLES"}}
	for _, state := range states {
		if s := sums[state[0]]; s != nil {
			t.Add(state[1], s.files, s.pages, s.texts, s.articles)
		}
	}
	if len(r.files) >= totaled {
		if err := t.Write(r.summaryTo(), ""); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(r.summaryTo(), "%s (%s).\n", count(len(r.files), "fichier"), byState(r.files))
	return err
}

// byState formats the number of files in each state: « terminé : 4, échec : 1 ».
func byState(files []*added) string {
	var parts []string
	for _, state := range states {
		n := 0
		for _, f := range files {
			if f.State == state[0] {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s : %d", state[1], n))
		}
	}
	return strings.Join(parts, ", ")
}
