package milvus

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"
	"golang.org/x/sync/errgroup"

	"vigueur/internal/kit/errs"
	"vigueur/internal/search/memindex"
)

// The number of passages that are ranked per requested hit, and the minimum in total.
const (
	aHit   = 4
	fewest = 320
	// vectorsEach is the number of rows per selected passage that are read to find its
	// nearest vector.
	vectorsEach = 8
	most        = 16_384 // maximum rows of a result in Milvus
)

// Index searches the passages in Milvus. Its fields are set once; it is safe for use by
// many goroutines.
type Index struct {
	Store    *Store
	Register *memindex.Index
	// Lost is called if the collection must be rebuilt; may be nil.
	Lost func(ctx context.Context, why error)

	searched atomic.Pointer[Collection]
}

// Search returns the passages for q, best first, like memindex.Index.Search. An error of kind
// errs.Unavailable means that Milvus did not respond, or not for the whole catalogue; an
// empty result is not an error.
func (x *Index) Search(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	within, cancel := context.WithTimeout(ctx, x.Store.patience())
	defer cancel()
	hits, err := x.search(within, q)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = errs.Wrap(errs.Unavailable, down, fmt.Errorf("%w: %w", ErrSlow, err))
	}
	if err != nil && x.Lost != nil && Lost(err) {
		x.Lost(ctx, err)
	}
	return hits, err
}

// search queries the collection that was searched last, or its successor if that is gone.
func (x *Index) search(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	if known := x.searched.Load(); known != nil {
		if hits, err := x.ask(ctx, *known, q); err == nil {
			return hits, nil
		} else if ctx.Err() != nil {
			return nil, err
		}
	}
	now, err := x.Store.Searched(ctx)
	if err != nil {
		return nil, err
	}
	x.searched.Store(&now)
	return x.ask(ctx, now, q)
}

// asking is one search in one collection.
type asking struct {
	client     client.Client
	collection Collection
	query      memindex.Query
	filter     string // without the condition on vectors
	meant      bool   // searched by meaning, too, if the collection has vectors
	found      found
}

func (x *Index) ask(ctx context.Context, in Collection, q memindex.Query) ([]memindex.Hit, error) {
	c, err := x.Store.connect(ctx)
	if err != nil {
		return nil, err
	}
	a := asking{client: c, collection: in, query: q, filter: expression(&q, q.Day),
		meant: len(q.Vector) > 0 && len(q.Vector) == in.Dimensions && q.Generation == in.Generation}
	if err := a.look(ctx, x.Register.SparseQuery(q)); err != nil {
		return nil, err
	}
	if err := a.complete(ctx); err != nil {
		return nil, err
	}
	return x.Register.Among(q, a.found.candidates(), a.meant), nil
}

// look selects the passages to be ranked: the best by words and the nearest in meaning, in
// one round trip.
func (a *asking) look(ctx context.Context, wanted memindex.Sparse) error {
	limit := min(max(aHit*a.query.Limit, fewest), most)
	var words, near found
	whole := true
	g, ctx := errgroup.WithContext(ctx)
	if len(wanted.Terms) > 0 {
		g.Go(func() (err error) {
			how, err := entity.NewIndexSparseInvertedSearchParam(0)
			if err == nil {
				words, err = a.search(ctx, fieldWords, embedding(wanted), a.filter, limit, how, fieldCounts)
			}
			return err
		})
	}
	if a.meant {
		g.Go(func() (err error) {
			near, err = a.nearest(ctx, a.query.Vector, a.filter, limit)
			return err
		})
	}
	g.Go(func() (err error) {
		whole, err = a.whole(ctx)
		return err
	})
	err := g.Wait()
	a.meant = a.meant && whole && len(near) > 0
	if a.found = words; a.meant {
		a.found = slices.Concat(words, near)
	}
	return err
}

// whole reports whether all passages that match the filters have their vectors. ErrLost:
// the collection was emptied.
func (a *asking) whole(ctx context.Context) (bool, error) {
	filter := expression(&a.query, time.Time{})
	rows, err := a.client.Query(ctx, a.collection.Name, nil, markOrLacking(filter), []string{fieldID}, client.WithLimit(2), bounded)
	if err != nil {
		return false, unavailable("look for the mark", err)
	}
	column := rows.GetColumn(fieldID)
	if column == nil {
		return false, lost(a.collection.Name + " was emptied")
	}
	marked := false
	for i := range column.Len() {
		id, err := column.GetAsString(i)
		if err != nil {
			return false, unavailable("read", err)
		}
		marked = marked || id == mark
	}
	if !marked && column.Len() < 2 {
		return false, lost(a.collection.Name + " was emptied")
	}
	return marked && column.Len() == 1, nil
}

// complete reads the missing counts and cosines of the selected passages.
func (a *asking) complete(ctx context.Context) error {
	if !a.meant || len(a.found) == 0 {
		return nil
	}
	a.found = a.found.once()
	var passages, uncounted []string
	for _, f := range a.found {
		passages = append(passages, f.passage)
		if f.counts == "" {
			uncounted = append(uncounted, f.passage+":0")
		}
	}
	var cosines found
	var counts map[string]string
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		cosines, err = a.nearest(ctx, a.query.Vector, in(fieldPassage, passages), min(vectorsEach*len(passages), most))
		return err
	})
	if len(uncounted) > 0 {
		g.Go(func() (err error) {
			counts, err = a.counts(ctx, uncounted)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	a.found.fill(cosines, counts)
	return nil
}

// counts reads the counts of passages by the ids of their first rows.
func (a *asking) counts(ctx context.Context, ids []string) (map[string]string, error) {
	rows, err := a.client.Query(ctx, a.collection.Name, nil, in(fieldID, ids), []string{fieldPassage, fieldCounts}, bounded)
	if err != nil {
		return nil, unavailable("read counts", err)
	}
	return columnsOf(rows).pairs(fieldPassage, fieldCounts)
}

// nearest returns the rows nearest in meaning.
func (a *asking) nearest(ctx context.Context, vector []float32, filter string, limit int) (found, error) {
	how, err := entity.NewIndexHNSWSearchParam(min(max(limit, width), 32_768))
	if err != nil {
		return nil, err
	}
	return a.search(ctx, fieldVector, entity.FloatVector(vector), and(filter, meaning), limit, how)
}

// bounded is the consistency level of searches: results are checked with PostgreSQL anyway,
// and waiting for the latest writes would take longer than the search.
var bounded = client.WithSearchQueryConsistencyLevel(entity.ClBounded)

func (a *asking) search(ctx context.Context, field string, v entity.Vector, filter string, limit int, how entity.SearchParam, more ...string) (found, error) {
	rows, err := a.client.Search(ctx, a.collection.Name, nil, filter, append([]string{fieldPassage, fieldDocument}, more...),
		[]entity.Vector{v}, field, entity.IP, limit, how, bounded)
	if err != nil {
		return nil, unavailable("search by "+field, err)
	}
	if len(rows) != 1 || rows[0].Err != nil {
		return nil, unavailable("search by "+field, fmt.Errorf("%d results", len(rows)))
	}
	return read(rows[0], field == fieldVector)
}
