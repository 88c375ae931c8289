package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// The maximum number of texts in a request, and the duration of a request above which the
// next requests have fewer texts. Both are small, so that a question waits less than a
// second for a request with passages.
const (
	perRequest    = 16
	longestAtOnce = 400 * time.Millisecond
)

// mostDimensions limits the dimension of a vector.
const mostDimensions = 8192

// Embedder is an llm.Embedder. Its fields are set once; it is safe for use by many
// goroutines.
type Embedder struct {
	Client     *Client
	Model      string
	Dimensions int // required dimension of every vector; 0: the dimension of the first vector of each call

	fewer atomic.Int32 // how often the texts per request were halved, because a request was slow
}

// atOnce returns the maximum number of texts in the next request.
func (e *Embedder) atOnce() int { return max(1, perRequest>>e.fewer.Load()) }

// took records the duration of a request. After a slow request the next ones have half as
// many texts, after a fast one twice as many, up to perRequest.
func (e *Embedder) took(texts int, d time.Duration) {
	was := e.fewer.Load()
	switch {
	case d > longestAtOnce && texts > 1 && texts <= perRequest>>was:
		e.fewer.CompareAndSwap(was, was+1)
	case d < longestAtOnce/3 && was > 0 && texts == perRequest>>was:
		e.fewer.CompareAndSwap(was, was-1)
	}
}

// errVector means that a server sent something that is not a vector of its model.
var errVector = errors.New("openai: no vector")

// Embed returns a vector of length 1 for each text, in order. A missing vector, a vector of
// another dimension, or a coordinate that is not a number fails the whole call.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	dimensions := e.Dimensions
	for len(texts) > 0 {
		batch := texts[:min(len(texts), e.atOnce())]
		texts = texts[len(batch):]
		began := time.Now()
		got, err := e.batch(ctx, batch)
		e.took(len(batch), time.Since(began))
		if err != nil {
			return nil, err
		}
		for _, v := range got {
			dimensions = cmp.Or(dimensions, len(v))
			if len(v) != dimensions {
				return nil, unfit(e.Model, fmt.Errorf("%w: %d dimensions instead of %d", errVector, len(v), dimensions))
			}
			if err := normalize(v); err != nil {
				return nil, unfit(e.Model, err)
			}
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

type embedRequest struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

type embedResponse struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	data, err := e.Client.whole(ctx, e.Model, "/embeddings", embedRequest{e.Model, texts, "float"})
	if err != nil {
		return nil, err
	}
	vectors, err := readVectors(data, len(texts))
	if err != nil {
		return nil, unfit(e.Model, err)
	}
	return vectors, nil
}

// readVectors returns the vectors of a response in the order of the n texts.
func readVectors(data []byte, n int) ([][]float32, error) {
	var got embedResponse
	if err := json.Unmarshal(data, &got); err != nil {
		return nil, fmt.Errorf("%w: %w", errVector, err)
	}
	if len(got.Data) != n {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", errVector, len(got.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range got.Data {
		switch {
		case d.Index < 0 || d.Index >= n || vectors[d.Index] != nil:
			return nil, fmt.Errorf("%w: the number %d is out of place", errVector, d.Index)
		case len(d.Embedding) == 0 || len(d.Embedding) > mostDimensions:
			return nil, fmt.Errorf("%w: %d dimensions", errVector, len(d.Embedding))
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// normalize scales v to length 1.
func normalize(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length < 1e-12 || math.IsNaN(length) || math.IsInf(length, 0) {
		return fmt.Errorf("%w: its length is %v", errVector, length)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return nil
}
