package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// visit is the number of index entries that PostgreSQL reads in the time in which it
// fetches one row and compares its keys. The value affects how long a lookup takes, never
// what it finds.
const visit = 500

// sharesLast is how long the statistics of keys are used before they are read again.
// PostgreSQL renews them whenever a tenth of the rows has changed.
const sharesLast = 10 * time.Minute

// keyShares is how common keys are, from PostgreSQL's statistics. The zero value treats all
// keys as equally rare.
type keyShares struct {
	of   map[string]float64 // share of the texts that have a key, from 0 to 1; only for common keys
	rest float64            // upper bound of the share of each other key
}

// share returns an upper bound of the share of texts that have one of the keys.
func (s keyShares) share(keys ...string) (sum float64) {
	for _, k := range keys {
		if of, common := s.of[k]; common {
			sum += of
		} else {
			sum += s.rest
		}
	}
	return min(sum, 1)
}

// namePlan is how the texts of a NameQuery are found. The index finds the texts that have
// all keys of looked and one of anyLooked; each of these texts must then also have all keys
// of compared and one of anyCompared. Together these are exactly the keys of the query, so
// every plan finds the same texts.
type namePlan struct {
	looked, compared       []string
	anyLooked, anyCompared []string
}

// plan looks up the rarest keys in the index. It compares a key if reading the key's list
// in the index takes longer than fetching the texts that the list would exclude: the list
// of a key that most texts have is as long as the catalogue. The estimate treats keys as
// independent of each other.
func (s keyShares) plan(q NameQuery) (p namePlan) {
	keys := slices.Clone(q.All)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(s.share(a), s.share(b)) })
	left := 1.0 // share of the texts that have all keys looked up so far
	for i, k := range keys {
		of := s.share(k)
		if i > 0 && !worthReading(left, of) {
			p.compared = keys[i:]
			break
		}
		p.looked, left = append(p.looked, k), left*of
	}
	if len(keys) == 0 || worthReading(left, s.share(q.Any...)) {
		p.anyLooked = q.Any
	} else {
		p.anyCompared = q.Any
	}
	return p
}

// worthReading reports whether it takes less time to read the index list of a key than to
// fetch the texts that the list excludes. left is the share of texts that the other keys
// leave, share is the share of texts with the key.
func worthReading(left, share float64) bool { return share <= left*(1-share)*visit }

// knownShares caches the statistics of keys. The zero value is ready to use and safe for
// use by many goroutines.
type knownShares struct {
	mu    sync.Mutex
	known keyShares
	until time.Time
}

// keyShares returns the statistics of keys, at most sharesLast old. While one caller reads
// them again, concurrent callers get the old ones at once.
func (s NameSource) keyShares(ctx context.Context) (keyShares, error) {
	k := s.shares
	k.mu.Lock()
	known, now := k.known, time.Now()
	fresh := now.Before(k.until)
	if !fresh {
		k.until = now.Add(sharesLast)
	}
	k.mu.Unlock()
	if fresh {
		return known, nil
	}
	known, err := readKeyShares(ctx, s.names)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.until = time.Time{}
		return keyShares{}, err
	}
	k.known = known
	return known, nil
}

// readKeyShares reads which keys are common. In pg_stats the frequencies of the keys are
// followed by their minimum, their maximum and the share of nulls.
func readKeyShares(ctx context.Context, q querier) (keyShares, error) {
	var keys []string
	var shares []float64
	err := q.QueryRow(ctx, `SELECT most_common_elems::text::text[], most_common_elem_freqs::float8[] FROM pg_stats
		WHERE schemaname = current_schema() AND tablename = 'text_names' AND attname = 'keys' AND most_common_elems IS NOT NULL`).Scan(&keys, &shares)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && len(shares) <= len(keys) {
		return keyShares{}, nil // the table was not analyzed yet
	}
	if err != nil {
		return keyShares{}, classify("shares of names", err)
	}
	s := keyShares{of: make(map[string]float64, len(keys)), rest: shares[len(keys)]}
	for i, k := range keys {
		s.of[k] = shares[i]
	}
	return s, nil
}
