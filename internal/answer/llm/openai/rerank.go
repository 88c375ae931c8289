package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
)

// Reranker scores how well texts answer a question, by a server's /rerank, in the format of
// Cohere, Jina and vLLM or in the format of text-embeddings-inference, whichever the server
// supports. Its fields are set once; it is safe for use by many goroutines.
type Reranker struct {
	Client *Client
	Model  string      // "": the server's default
	texts  atomic.Bool // the server has the format of text-embeddings-inference
}

// errScores means that a server sent something that is not the scores of its texts.
var errScores = errors.New("openai: no scores")

type rerankRequest struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents,omitempty"`
	TopN      int      `json:"top_n,omitempty"`
	Texts     []string `json:"texts,omitempty"` // of text-embeddings-inference, instead of documents
	Truncate  bool     `json:"truncate,omitempty"`
}

// Scores returns a score for each text; greater is better. A missing score, or one that is
// not a number, fails the whole call.
func (r *Reranker) Scores(ctx context.Context, question string, texts []string) ([]float64, error) {
	asked := rerankRequest{Model: r.Model, Query: question, Documents: texts, TopN: len(texts)}
	if r.texts.Load() {
		asked = rerankRequest{Query: question, Texts: texts, Truncate: true}
	}
	data, err := r.Client.whole(ctx, r.Model, "/rerank", asked)
	if refused, ok := errors.AsType[*refusal](err); ok && !refused.passing() && strings.Contains(refused.text, "texts") && !r.texts.Swap(true) {
		return r.Scores(ctx, question, texts)
	}
	if err != nil {
		return nil, err
	}
	scores, err := readScores(data, len(texts))
	if err != nil {
		return nil, unfit(r.Model, err)
	}
	return scores, nil
}

type scored struct {
	Index     int      `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"` // of text-embeddings-inference
}

// readScores returns the scores of a response in the order of the n texts.
func readScores(data []byte, n int) ([]float64, error) {
	var list []scored
	if err := json.Unmarshal(data, &list); err != nil {
		var body struct {
			Results []scored `json:"results"`
		}
		if err := json.Unmarshal(data, &body); err != nil {
			return nil, fmt.Errorf("%w: %w", errScores, err)
		}
		list = body.Results
	}
	scores := make([]float64, n)
	seen := make([]bool, n)
	for _, s := range list {
		value := s.Relevance
		if value == nil {
			value = s.Score
		}
		switch {
		case s.Index < 0 || s.Index >= n || seen[s.Index]:
			return nil, fmt.Errorf("%w: the number %d is out of place", errScores, s.Index)
		case value == nil || math.IsNaN(*value) || math.IsInf(*value, 0):
			return nil, fmt.Errorf("%w: text %d has none", errScores, s.Index)
		}
		scores[s.Index], seen[s.Index] = *value, true
	}
	if len(list) != n {
		return nil, fmt.Errorf("%w: %d scores for %d texts", errScores, len(list), n)
	}
	return scores, nil
}
