package learn

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
)

// Gather returns the questions on gazettes, with the articles that a search reads for them, and
// those on codes and labor law, each against other passages that answer something. The folder has
// retrieval/. kept names the file that keeps the vectors of a set of codes.
func Gather(ctx context.Context, folder string, gazettes *judged.Set, reads *judged.Sentences, parting judged.Parting, kept func(*judged.Set) string) (*Questions, error) {
	out := new(Questions)
	if err := out.gazettes(ctx, gazettes, reads, parting); err != nil {
		return nil, err
	}
	dir := filepath.Join(folder, "retrieval")
	corpus, err := encoder.Read(dir)
	if err != nil {
		return nil, err
	}
	codes, err := judged.Codes(dir, corpus)
	if err != nil {
		return nil, err
	}
	labor, err := judged.Labor(dir)
	if err != nil {
		return nil, err
	}
	for _, set := range []*judged.Set{codes, labor} {
		reads, err := set.Sentences(ctx, kept(set))
		if err != nil {
			return nil, err
		}
		if err := out.codes(ctx, set, reads); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// gazettes adds questions on gazettes with the articles that the program reads for them: of each
// the passage that is nearest to the question. Which articles are read does not depend on the order
// that is learned.
func (q *Questions) gazettes(ctx context.Context, set *judged.Set, reads *judged.Sentences, parting judged.Parting) error {
	e, err := encode.New()
	if err != nil {
		return err
	}
	searcher, err := set.Open(ctx, set.Encode(e), nil)
	if err != nil {
		return err
	}
	asked := judged.Asked(set.Questions)
	found := make([][]retrieve.Hit, len(asked))
	err = judged.Look(ctx, searcher, asked, func(i int, looked *retrieve.Examined) { found[i] = looked.Hits })
	if err != nil {
		return err
	}
	seen := make(map[uuid.UUID]bool)
	for i := range asked {
		from := &set.Questions[i]
		x := Question{Part: parting.Part(from)}
		if x.Vector, err = reads.Question(ctx, asked[i].Meant()); err != nil {
			return err
		}
		for _, h := range found[i] {
			if h.Mode == retrieve.ByReference {
				continue
			}
			ids := make([]uuid.UUID, len(h.Passages))
			for k := range h.Passages {
				ids[k] = h.Passages[k].ID
			}
			vectors, err := reads.Vectors(ctx, ids)
			if err != nil {
				return err
			}
			for k, id := range ids {
				if !seen[id] {
					seen[id] = true
					q.Passages = append(q.Passages, vectors[k])
				}
			}
			nearest := slices.MaxFunc(vectors, func(a, b []float32) int {
				if dot(a, x.Vector) < dot(b, x.Vector) {
					return -1
				}
				return 1
			})
			x.Passages, x.Right = append(x.Passages, nearest), append(x.Right, from.Right[set.ArticleName(h.Article.ID)])
		}
		q.All = append(q.All, x)
	}
	return nil
}

// codes adds questions on codes with the passages that answer them.
func (q *Questions) codes(ctx context.Context, set *judged.Set, reads *judged.Sentences) error {
	first := set.First()
	names := slices.Sorted(maps.Keys(first))
	ids, at := make([]uuid.UUID, len(names)), make(map[string]int, len(names))
	for i, n := range names {
		ids[i], at[n] = first[n], i
	}
	vectors, err := reads.Vectors(ctx, ids)
	if err != nil {
		return err
	}
	for i, asked := range judged.Asked(set.Questions) {
		x := Question{Others: vectors, Part: judged.NoPart}
		if x.Vector, err = reads.Question(ctx, asked.Meant()); err != nil {
			return err
		}
		for _, n := range slices.Sorted(maps.Keys(set.Questions[i].Right)) {
			if k, known := at[n]; known {
				x.Passages, x.Right = append(x.Passages, vectors[k]), append(x.Right, true)
			}
		}
		q.All = append(q.All, x)
	}
	return nil
}
