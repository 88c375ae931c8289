package main

import (
	"net/url"
	"runtime"
	"sync"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/answer/llm/order"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/internal/work/embedding"
)

// models returns the generators that a question may name: the extractive one, which also
// writes the abstentions of the others, and those of the configured servers.
func (w *worker) models() map[string]llm.Generator {
	quotes := &extractive.Generator{Lexicon: w.lexicon}
	models := map[string]llm.Generator{extractive.Model: quotes}
	c := w.config
	endpoints := c.Endpoints()
	// All models of a server share the server's limits.
	bounds := make([]*order.Bounds, len(endpoints))
	for i, e := range endpoints {
		bounds[i] = order.NewBounds(e.AtOnce, e.PerMinute)
	}
	for _, name := range c.Names {
		asked := &order.Order{Model: name, Log: w.log}
		for i, e := range endpoints {
			client := &openai.Client{URL: e.URL, Key: e.Key}
			g := &openai.Generator{Client: client, Model: name, Called: e.Called, Context: c.ModelContext, Output: c.ModelOutput, Nothing: quotes}
			asked.Servers = append(asked.Servers, &order.Server{Name: host(e.URL), Generator: g, Tokens: g.Tokens, Bounds: bounds[i], In: e.In, Out: e.Out})
		}
		models[name] = asked
	}
	return models
}

// host returns the name of a server for the log and the metrics.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Timeouts of requests to the embedding server: long for passages, short for questions.
const (
	passagePatience  = 2 * time.Minute
	questionPatience = time.Second
)

// openMeaning returns the encoder that makes the vectors of passages and questions: the
// configured embedding server, or else the program's own encoder.
func (w *worker) openMeaning() (*embedding.Asker, error) {
	model, err := embedding.NewModel(embedding.Server{URL: w.config.EmbedderURL, Key: w.config.EmbedderKey, Model: w.config.EmbedderModel}, passagePatience)
	if err != nil {
		return nil, err
	}
	asker := &embedding.Asker{Known: &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: w.db, Model: model, Log: w.log}},
		Question: &embedding.Question{Embedder: model, Patience: questionPatience}}
	if w.config.EmbedderURL != "" {
		asker.Own = sync.OnceValues(embedding.Own)
	}
	return asker, nil
}

// openSentences returns the encoder that makes and reads the vectors of sentences, nil if
// the settings disable it.
func (w *worker) openSentences() (*embedding.Known, error) {
	if !w.config.Sentences {
		return nil, nil
	}
	model, err := embedding.Transformer(runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	if w.projection, err = transformer.BuiltinProjection(); err != nil {
		return nil, err
	}
	if transformer.Accelerated() {
		if w.reader, err = transformer.BuiltinReader(); err != nil {
			return nil, err
		}
		w.reader.Measure()
	}
	return &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: w.db, Model: model, Sentences: true, Log: w.log}}, nil
}

// readingBudget is how long an answer may wait for what reads: without it, a processor with AVX2 alone takes 12 s where
// sixteen questions are answered at once.
const readingBudget = 150 * time.Millisecond

// vectors returns the source of vectors for the index in memory, nil if Milvus searches the
// vectors.
func (w *worker) vectors() memindex.VectorSource {
	if w.config.MilvusURL != "" {
		return nil
	}
	return w.db
}

// searcher returns the search for articles, by words and by meaning.
func (w *worker) searcher() *retrieve.Searcher {
	s := &retrieve.Searcher{DB: w.db, Names: w.db, Index: w.index, Now: time.Now, Lexicon: w.lexicon, Meaning: w.meaning.Of, ReadingBudget: readingBudget}
	if w.sentences != nil {
		s.Sentences = embedding.Reader{Known: w.sentences, Projection: w.projection}
		if w.reader != nil { // a nil pointer would be a reader
			s.Reader = w.reader
		}
	}
	if w.milvusIndex != nil {
		s.Passages = w.milvusIndex.Search
	}
	return s
}
