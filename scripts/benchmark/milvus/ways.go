package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"vigueur/internal/work"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/finding"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/embedding"
	"vigueur/internal/work/passages"
	"vigueur/scripts/benchmark/report"
)

// articlesEach is how many articles a text of the catalogue has.
const articlesEach = 100

// workers are the ways to search one catalogue.
type workers struct {
	db       *postgres.DB
	lexicon  *french.Lexicon
	memory   *memindex.Index
	register *memindex.Index
	meaning  *embedding.Asker
	store    *milvus.Store
	log      *slog.Logger
}

func open(ctx context.Context, url string, o options, log *slog.Logger) (w *workers, err error) {
	w = &workers{lexicon: french.NewLexicon(), log: log}
	if w.db, err = postgres.Open(ctx, url); err != nil {
		return nil, err
	}
	if err := w.fill(ctx, o); err != nil {
		return nil, err
	}
	model, err := embedding.Own()
	if err != nil {
		return nil, err
	}
	w.meaning = &embedding.Asker{Known: &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: w.db, Model: model, Log: log}},
		Question: &embedding.Question{Embedder: model, Patience: time.Minute}}
	generation, err := w.meaning.Known.ID(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := w.db.DueEmbedding(ctx, generation); err != nil {
		return nil, err
	}
	if err := work.Run(ctx, w.meaning.Known, generation); err != nil {
		return nil, err
	}
	if w.memory, err = memindex.Open(ctx, memindex.Options{Source: w.db, Vectors: w.db, Lexicon: w.lexicon}); err != nil {
		return nil, err
	}
	if w.register, err = memindex.Open(ctx, memindex.Options{Source: w.db, Register: true, Lexicon: w.lexicon}); err != nil {
		return nil, err
	}
	if o.milvus == "" {
		return w, nil
	}
	w.store = &milvus.Store{Address: o.milvus, Patience: time.Minute, Alias: "vigueur_bench_" + strings.ReplaceAll(uuid.NewString(), "-", "")}
	due, err := w.db.PassageIndex().Due(ctx, 1)
	if err != nil || len(due) == 0 {
		return nil, fmt.Errorf("nothing to be written to Milvus: %w", err)
	}
	began := time.Now()
	err = work.Run(ctx, (&passages.PassageFeeder{DB: w.db, Store: w.store, Average: w.register.Average, Log: log}).Worker(), due[0])
	log.WarnContext(ctx, "Milvus filled", "took", time.Since(began), "error", err)
	w.store.Patience = o.patience
	return w, err
}

// fill stores the corpus as a worker does, a text a file.
func (w *workers) fill(ctx context.Context, o options) error {
	var list []law.Article
	n := 0
	save := func() error {
		t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: fmt.Sprintf("Code, partie %d", n/articlesEach), Type: law.Code, Domain: "travail",
			Promulgated: time.Unix(0, 0).UTC(), EntersInForce: time.Unix(0, 0).UTC(), FirstPage: 1, LastPage: 1}, Articles: list}
		for _, a := range list {
			t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: a.Position, Page: 1, Text: a.Text})
		}
		list = nil
		i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", n), Filename: "corpus.pdf", Size: 1}
		if err := w.db.AddFile(ctx, i, func(context.Context) error { return nil }); err != nil {
			return err
		}
		i, err := w.db.StartIngestion(ctx, i.ID)
		if err != nil {
			return err
		}
		return w.db.SaveSegmentation(ctx, i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{t}})
	}
	err := corpora.Articles(o.corpus, func(a corpora.Article) {
		if n++; n <= o.articles {
			list = append(list, law.Article{ID: postgres.NewID(), Number: a.ID, Page: 1, Position: (n - 1) % articlesEach, Path: strings.Split(a.Title, " > "), Text: a.Text})
		}
	})
	if err != nil {
		return err
	}
	all := list
	for n = 0; len(all) > 0; n += articlesEach {
		part := min(articlesEach, len(all))
		list, all = all[:part], all[part:]
		if err := save(); err != nil {
			return err
		}
	}
	return nil
}

func (w *workers) searcher(by *memindex.Index, meant bool) *retrieve.Searcher {
	s := &retrieve.Searcher{DB: w.db, Index: by, Names: w.db, Now: time.Now, Lexicon: w.lexicon}
	if meant {
		s.Meaning = w.meaning.Of
	}
	return s
}

func (w *workers) inMemory(meant bool) *retrieve.Searcher { return w.searcher(w.memory, meant) }

func (w *workers) inMilvus() *retrieve.Searcher {
	s := w.searcher(w.register, true)
	s.Passages = (&milvus.Index{Store: w.store, Register: w.register}).Search
	return s
}

func (w *workers) inPostgreSQL() *retrieve.Searcher {
	s := w.searcher(w.register, false)
	away := func(context.Context, memindex.Query) ([]memindex.Hit, error) {
		return nil, errs.New(errs.Unavailable, "")
	}
	s.Passages = (&finding.Finder{Milvus: away, Words: w.db, Register: w.register, Log: slog.New(slog.DiscardHandler)}).Search
	return s
}

// ask returns the best article for each question, "" where nothing is found.
func (w *workers) ask(ctx context.Context, r *report.Report, name string, s *retrieve.Searcher, asked []string) ([]string, error) {
	var took []time.Duration
	out := make([]string, len(asked))
	failed, meant := 0, 0
	for i, text := range asked {
		began := time.Now()
		found, err := s.Search(ctx, retrieve.Question{Text: text})
		took = append(took, time.Since(began))
		switch {
		case errs.Is(err, errs.Unavailable):
			failed++
			out[i] = "failed"
			continue
		case err != nil:
			return nil, err
		}
		if found.Semantic {
			meant++
		}
		if len(found.Hits) > 0 {
			out[i] = found.Hits[0].Article.ID.String()
		}
	}
	r.Figure(name+"_p50_ms", report.Quantile(took, .5), "ms")
	r.Figure(name+"_p99_ms", report.Quantile(took, .99), "ms")
	r.Figure(name+"_by_meaning", float64(meant), "questions")
	r.Figure(name+"_failed", float64(failed), "questions")
	return out, nil
}

func (w *workers) close() {
	if w.store != nil {
		if err := w.store.Close(); err != nil {
			w.log.Warn("close", "error", err)
		}
	}
	w.db.Close()
}
