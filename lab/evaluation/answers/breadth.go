package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
)

// vectorsFolder keeps what the transformer made of law of many countries.
const vectorsFolder = ".state/breadth"

// runBreadth asks questions on law of many countries, and nothing else.
func runBreadth(ctx context.Context, o options) error {
	r := report{details: o.details}
	if !o.unread {
		var err error
		if r.reader, err = transformer.BuiltinReader(); err != nil {
			return err
		}
	}
	if err := r.read(o.against); err != nil {
		return err
	}
	if err := r.askBreadth(ctx, o); err != nil {
		return err
	}
	if err := r.keep(o.keep); err != nil {
		return err
	}
	return r.print(os.Stdout)
}

// askBreadth asks what the program carries the questions of the folders of breadth.
func (r *report) askBreadth(ctx context.Context, o options) error {
	encoder, err := encode.New()
	if err != nil {
		return err
	}
	var pool []*judged.Set
	for i, folder := range o.breadth {
		name := filepath.Base(folder)
		sets, err := judged.Breadth(folder)
		if err != nil {
			return err
		}
		if o.together {
			if pool = append(pool, sets...); i < len(o.breadth)-1 {
				continue
			}
			name, sets = "together", []*judged.Set{judged.Together(pool)}
		}
		var all []outcome
		for _, set := range sets {
			r.set, r.vectors, r.names = set, set.Encode(encoder), nil
			if err := r.readSet(ctx, o); err != nil {
				return err
			}
			out, err := r.ask(ctx, set.Questions, nil, nil)
			if err != nil {
				return err
			}
			for i := range out {
				out[i].Country, out[i].Sealed = set.Questions[i].Code, false
			}
			all = append(all, out...)
		}
		r.add(name, all)
	}
	return nil
}

// readSet has the transformer read the passages of the set.
func (r *report) readSet(ctx context.Context, o options) error {
	if o.plain {
		return nil
	}
	if err := os.MkdirAll(vectorsFolder, 0o755); err != nil {
		return err
	}
	reads, err := r.set.Sentences(ctx, filepath.Join(vectorsFolder, strings.ReplaceAll(r.set.Name, " ", "-")+".kept"))
	if err != nil {
		return err
	}
	projection, err := transformer.BuiltinProjection()
	if err != nil {
		return err
	}
	r.reads = reads.With(projection)
	return nil
}
