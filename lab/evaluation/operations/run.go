package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"vigueur/internal/law/amend"
	"vigueur/lab/evaluation/operations/orders"
	"vigueur/lab/readpages"
)

type options struct {
	only, left         string
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
func (o options) run(ctx context.Context, r *readpages.Reader, files []orders.File, out io.Writer) error {
	open, sealed := map[string]*score{}, score{}
	for _, f := range files {
		if !strings.HasPrefix(f.Name, o.only) || len(f.Known) == 0 && !o.all {
			continue
		}
		noticing, err := o.without(f.Country)
		if err != nil {
			return err
		}
		read, err := f.Read(ctx, r, noticing)
		if err != nil {
			if len(f.Known) == 0 {
				continue // a file with a password, or no file at all
			}
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		h := holding{File: f, read: read}
		seen, kept := h.hold()
		if open[f.Country] == nil {
			open[f.Country] = &score{}
		}
		open[f.Country].add(seen)
		sealed.add(kept)
		if o.details {
			h.tell(out)
		}
		for _, t := range read {
			if o.acts && !f.Sealed(t) {
				fmt.Fprintf(out, "## %s: %s, %s\n%s", f.Name, t.Document.Title, t.Document.OfficialNumber, t.Act)
			}
		}
	}
	return report(out, open, sealed)
}

// without returns the model of noticing that has not seen a country; nil: the carried one.
func (o options) without(country string) (*amend.Noticing, error) {
	if o.left == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(filepath.Join(o.left, country+".json"))
	if errors.Is(err, fs.ErrNotExist) { // nothing was learned from it
		return nil, nil
	}
	var m amend.Noticing
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	return &m, err
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
