package main

import (
	"context"
	"fmt"
	"os"

	"vigueur/internal/ops/config"
	"vigueur/internal/search/encode"
	"vigueur/internal/work/embedding"
	"vigueur/lab/judged"
)

// ofFiles asks the questions of a corpus of its own: by BM25, by words, by meaning too
// with the encoder that the program carries and, where the environment names a server
// of vectors, with that one.
func ofFiles(ctx context.Context, o options) error {
	var r report
	if err := r.read(o.against); err != nil {
		return err
	}
	s, err := judged.Read(o.files)
	if err != nil {
		return err
	}
	server, err := config.LoadEmbedder(config.Environ())
	if err != nil {
		return err
	}
	encoder, err := encode.New()
	if err != nil {
		return err
	}
	ways := []struct {
		name string
		by   asking
	}{{words, asking{Set: s}}, {"words and meaning", with(s, encoder)}}
	if server.EmbedderURL != "" {
		by, err := ofServer(ctx, s, server, o.vectors)
		if err != nil {
			return err
		}
		ways = append(ways, struct {
			name string
			by   asking
		}{"words and meaning, " + server.EmbedderModel, by})
	}
	fmt.Fprintf(os.Stderr, "%d questions, %d articles, %d passages\n", len(s.Questions), len(s.Articles), s.Passages())
	r.add(s, "BM25", bm25(s))
	for _, w := range ways {
		run, err := w.by.ask(ctx, s.Questions, nil)
		if err != nil {
			return err
		}
		r.add(s, w.name, run)
	}
	if err := r.keep(o.keep); err != nil {
		return err
	}
	return r.print(os.Stdout)
}

// ofServer is a set with the vectors of an outside server.
func ofServer(ctx context.Context, s *judged.Set, c config.Embedder, file string) (asking, error) {
	model, err := embedding.NewModel(embedding.Server{URL: c.EmbedderURL, Key: c.EmbedderKey, Model: c.EmbedderModel}, patience)
	if err != nil {
		return asking{}, err
	}
	vectors, err := s.Embed(ctx, model, file)
	return asking{s, vectors}, err
}
