package main

import (
	"context"
	"time"

	"vigueur/internal/embedding"
	"vigueur/internal/flat"
	"vigueur/internal/jobs"
	"vigueur/internal/llm/openai"
	"vigueur/internal/queue"
	"vigueur/internal/retrieve"
)

// The longest waits for the embedder's next word: passages may take their time,
// questions may not.
const (
	passagePatience  = 2 * time.Minute
	questionPatience = time.Second
)

// openMeaning is what a worker with an embedder asks; nil without one.
func (w *worker) openMeaning() *embedding.Asker {
	c := w.config.Embedder
	if c.EmbedderURL == "" {
		w.log.Info("no embedder is configured: answers go by words alone")
		return nil
	}
	embedder := &openai.Embedder{Client: &openai.Client{URL: c.EmbedderURL, Key: c.EmbedderKey, Silence: passagePatience}, Model: c.EmbedderModel}
	return &embedding.Asker{Known: &embedding.Known{Runner: &embedding.Runner{DB: w.db, Model: c.EmbedderModel, Embedder: embedder, Log: w.log}},
		Question: &embedding.Question{Embedder: embedder, Patience: questionPatience}}
}

// vectors are where the index reads vectors from: nowhere without an embedder, or
// when they are searched in a Milvus.
func (w *worker) vectors() flat.VectorSource {
	if w.meaning == nil || w.config.MilvusURL != "" {
		return nil
	}
	return w.db
}

// searcher finds articles, by meaning too where there is an embedder.
func (w *worker) searcher() *retrieve.Searcher {
	s := &retrieve.Searcher{DB: w.db, Index: w.index, Now: time.Now, Lexicon: w.lexicon}
	if w.elsewhere != nil {
		s.Passages = w.elsewhere.Search
	}
	if w.meaning != nil {
		s.Meaning = w.meaning.Of
	}
	if c := w.config.Reranker; c.RerankerURL != "" {
		server := &openai.Reranker{Client: &openai.Client{URL: c.RerankerURL, Key: c.RerankerKey, Silence: questionPatience}, Model: c.RerankerModel}
		s.Reranker = &retrieve.Reranker{Scores: server.Scores, Patience: questionPatience}
	}
	return s
}

// embeddings is the queue of vectors, and the sweep that fills it.
func (w *worker) embeddings(ctx context.Context) (queue.Options, *jobs.EmbeddingSweep) {
	return queue.Options{Class: queue.Embeddings, Concurrency: 1, PollEvery: time.Second,
			Handle: jobs.Embedding(ctx, w.meaning.Known, w.queue.EnqueueEmbedding, w.log)},
		&jobs.EmbeddingSweep{Store: w.db, Generation: w.meaning.Known.ID, Hint: w.queue.EnqueueEmbedding, Log: w.log}
}
