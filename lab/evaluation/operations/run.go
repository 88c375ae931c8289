package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law/amend"
	"vigueur/lab/readpages"
)

type options struct {
	pdfs, only         string
	details, all, acts bool
}

// score counts orders by what became of them, and operations that nobody ordered.
type score struct {
	Orders   int `json:"orders"`
	Right    int `json:"right"`
	Partly   int `json:"partly"`
	Noticed  int `json:"noticed"`
	Missed   int `json:"not_noticed"`
	Wrong    int `json:"wrong"`    // operations without a doubt on an article that is ordered to change otherwise
	Invented int `json:"invented"` // operations without a doubt on an article that nothing is ordered about
	False    int `json:"false"`    // places that wait and where nothing is ordered
}

func (s *score) add(o score) {
	s.Orders += o.Orders
	s.Right += o.Right
	s.Partly += o.Partly
	s.Noticed += o.Noticed
	s.Missed += o.Missed
	s.Wrong += o.Wrong
	s.Invented += o.Invented
	s.False += o.False
}

// run holds the files against the orders and prints the figures by country.
func (o options) run(ctx context.Context, r *readpages.Reader, orders []order, out io.Writer) error {
	by := map[string][]order{}
	for _, x := range orders {
		by[x.File] = append(by[x.File], x)
	}
	if o.all {
		err := filepath.WalkDir(o.pdfs, func(path string, d fs.DirEntry, err error) error {
			if name, e := filepath.Rel(o.pdfs, path); err == nil && e == nil && filepath.Ext(name) == ".pdf" && !strings.HasPrefix(name, "odd/") && by[name] == nil {
				by[name] = []order{}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	open, sealed := map[string]*score{}, score{}
	for _, file := range slices.Sorted(maps.Keys(by)) {
		if !strings.HasPrefix(file, o.only) {
			continue
		}
		read, err := o.read(ctx, r, file)
		if err != nil {
			if len(by[file]) == 0 {
				continue // a file with a password, or no file at all
			}
			return fmt.Errorf("%s: %w", file, err)
		}
		h := holding{orders: by[file], read: read}
		seen, kept := h.hold()
		country, _, _ := strings.Cut(file, "/")
		if open[country] == nil {
			open[country] = &score{}
		}
		open[country].add(seen)
		sealed.add(kept)
		if o.details {
			h.tell(out, file)
		}
		for i := range read {
			if o.acts && !h.sealed(&read[i]) {
				fmt.Fprintf(out, "## %s: %s, %s\n%s", file, read[i].text.Document.Title, read[i].text.Document.OfficialNumber, read[i].act)
			}
		}
	}
	return report(out, open, sealed)
}

// reading is what is read of one text of a file.
type reading struct {
	text *segment.Text
	act  string // as Read gets it
	ops  []amend.Operation
}

// read cuts a file as a worker does and reads its texts.
func (o options) read(ctx context.Context, r *readpages.Reader, file string) (out []reading, err error) {
	path := filepath.Join(o.pdfs, file)
	pages, err := r.Words(ctx, path)
	if err != nil {
		return nil, err
	}
	split := func(pages []layout.Page) segment.Issue {
		return segment.Standard().Split(pages, segment.Hints{Filename: filepath.Base(file), Today: time.Now()})
	}
	pages = slices.Clone(pages)
	if _, err := r.Again(ctx, path, pages, split); err != nil {
		return nil, err
	}
	layout.Arrange(pages)
	issue := split(pages)
	for i := range issue.Texts {
		t := &issue.Texts[i]
		act, parts := amend.Written(t.Articles)
		out = append(out, reading{t, act, amend.Read(act, amend.Options{Parts: parts, Title: t.Document.Title})})
	}
	return out, nil
}

func report(out io.Writer, open map[string]*score, sealed score) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\torders\tright\tpartly\tnoticed\tnot noticed\twrong\tinvented\tfalse\t")
	line := func(name string, s score) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, s.Orders, s.Right, s.Partly, s.Noticed, s.Missed, s.Wrong, s.Invented, s.False)
	}
	var all score
	for _, country := range slices.Sorted(maps.Keys(open)) {
		line(country, *open[country])
		all.add(*open[country])
	}
	line("open", all)
	line("sealed", sealed)
	all.add(sealed)
	line("all", all)
	if err := w.Flush(); err != nil {
		return err
	}
	figures, err := json.Marshal(map[string]score{"figures": all, "sealed": sealed})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n", figures)
	return nil
}
