package main

import (
	"context"
	"time"

	"github.com/google/uuid"

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

// meaning is what a worker with an embedder has; nil without one.
type meaning struct {
	known    *embedding.Known
	question *embedding.Question
}

func (w *worker) openMeaning() *meaning {
	c := w.config.Embedder
	if c.EmbedderURL == "" {
		w.log.Info("no embedder is configured: answers go by words alone")
		return nil
	}
	embedder := &openai.Embedder{Client: &openai.Client{URL: c.EmbedderURL, Key: c.EmbedderKey, Silence: passagePatience}, Model: c.EmbedderModel}
	return &meaning{known: &embedding.Known{Runner: &embedding.Runner{DB: w.db, Model: c.EmbedderModel, Embedder: embedder, Log: w.log}},
		question: &embedding.Question{Embedder: embedder, Patience: questionPatience}}
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
		s.Meaning = w.meaning.of
	}
	return s
}

// of gives the vector of a question.
func (m *meaning) of(ctx context.Context, question string) ([]float32, uuid.UUID, error) {
	ctx, cancel := context.WithTimeout(ctx, questionPatience)
	defer cancel()
	generation, err := m.known.ID(ctx)
	if err != nil {
		return nil, uuid.Nil, err
	}
	vector, err := m.question.Embed(ctx, question)
	return vector, generation, err
}

// embeddings is the queue of vectors, and the sweep that fills it.
func (w *worker) embeddings(ctx context.Context) (queue.Options, *jobs.EmbeddingSweep) {
	return queue.Options{Class: queue.Embeddings, Concurrency: 1, PollEvery: time.Second,
			Handle: jobs.Embedding(ctx, w.meaning.known, w.queue.EnqueueEmbedding, w.log)},
		&jobs.EmbeddingSweep{Store: w.db, Generation: w.meaning.known.ID, Hint: w.queue.EnqueueEmbedding, Log: w.log}
}
