package main

import (
	"context"
	"runtime"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/embedding"
	"vigueur/internal/encode"
	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/internal/postgres"
	read "vigueur/internal/question"
	"vigueur/internal/vector"
)

// generation is what all vectors belong to.
var generation = uuid.NewSHA1(uuid.Nil, []byte("evaluation"))

// encoded are the vectors that an encoder makes of a set's passages, as a worker
// has them made.
type encoded struct {
	*set
	packed [][]byte
}

func (e encoded) VectorRows(_ context.Context, _ []uuid.UUID, yield func(postgres.VectorRow) error) error {
	for i, packed := range e.packed {
		p := e.rows[i].Passage
		if err := yield(postgres.VectorRow{Generation: generation, DocumentID: p.DocumentID, PassageID: p.ID, Packed: packed}); err != nil {
			return err
		}
	}
	return nil
}

// asked is a set that can be asked by an encoder.
type asked struct {
	*set
	encoder *encode.Encoder
	index   *flat.Index
}

func (s *set) open(ctx context.Context, encoder *encode.Encoder) (*asked, error) {
	model := embedding.Of(encoder)
	e := encoded{s, make([][]byte, len(s.rows))}
	each(len(s.rows), func(i int) {
		r := &s.rows[i]
		var made [][]float32
		for _, piece := range model.Cut(r.Path, r.ArticleHeading, r.Passage.Text) {
			if v, ok := encoder.Encode(piece); ok {
				made = append(made, v)
			}
		}
		e.packed[i] = vector.Pack(made)
	})
	index, err := flat.Open(ctx, flat.Options{Source: s, Vectors: e})
	return &asked{s, encoder, index}, err
}

// ask asks questions, by words alone or by the given weights.
func (a *asked) ask(questions []question, w flat.Weights, meant bool) []judge.Judged {
	out := make([]judge.Judged, len(questions))
	each(len(questions), func(i int) {
		q := flat.Query{Text: questions[i].Text, Countries: read.Read(questions[i].Text, read.Conversation{}).Countries, Limit: depth}
		if !meant {
			out[i] = questions[i].judge(a.ranked(a.index.Search(q)))
			return
		}
		if v, ok := a.encoder.Encode(q.Text); ok {
			q.Vector, q.Generation = v, generation
		}
		out[i] = questions[i].judge(a.ranked(a.index.SearchBy(q, w)))
	})
	return out
}

func (q *question) judge(found []string) judge.Judged {
	return judge.Judged{ID: q.ID, Group: q.Group, Ranking: judge.Rank(found, q.right)}
}

// ranked gives the names of the hits' articles, each once.
func (s *set) ranked(hits []flat.Hit) (out []string) {
	seen := make(map[uuid.UUID]bool)
	for _, h := range hits {
		if !seen[h.ArticleID] {
			seen[h.ArticleID] = true
			out = append(out, s.names[h.ArticleID])
		}
	}
	return out
}

// each does n things on all cores.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	hands := runtime.GOMAXPROCS(0)
	for hand := range hands {
		all.Go(func() {
			for i := hand; i < n; i += hands {
				do(i)
			}
		})
	}
	all.Wait()
}
