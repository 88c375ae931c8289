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

// visit is how many entries of an index are read in the time in which one row is fetched
// and its keys are compared. It changes how long a look-up takes, never what it finds.
const visit = 500

// sharesLast is for how long statistics are used before they are read again: PostgreSQL
// renews them once a tenth of the rows has changed.
const sharesLast = 10 * time.Minute

// keyShares tells how common keys are, from PostgreSQL's statistics. Without any, all keys
// count as equally rare.
type keyShares struct {
	of   map[string]float64 // share of the texts that have a key; the common ones only
	rest float64            // that of all other keys, at the most
}

// share is what part of the texts has one of the keys, at the most.
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

// namePlan is how texts of a NameQuery are found: the index finds those that have all of
// looked and one of anyLooked, and the keys of these are compared with the others. Together
// they are the keys of the query, so that every plan finds the same texts.
type namePlan struct {
	looked, compared       []string
	anyLooked, anyCompared []string
}

// plan looks up the rarest keys, and compares those whose list in the index takes longer to
// read than the texts that it would exclude: the list of a key that most texts have is as
// long as the catalogue. Keys count as independent of each other.
func (s keyShares) plan(q NameQuery) (p namePlan) {
	keys := slices.Clone(q.All)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(s.share(a), s.share(b)) })
	left := 1.0 // share of the texts that have all keys that are looked up
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

// worthReading reports whether reading the list of a key that a share of the texts has
// takes less time than visiting the texts that it excludes of those that are left.
func worthReading(left, share float64) bool { return share <= left*(1-share)*visit }

// knownShares keeps the statistics of keys for a while. The zero value is ready to use, and
// safe for use by many goroutines.
type knownShares struct {
	mu    sync.Mutex
	known keyShares
	until time.Time
}

// keyShares reads the statistics of keys, unless it did so lately. Nobody waits for another
// to read them: who asks meanwhile gets those of before.
func (db *DB) keyShares(ctx context.Context) (keyShares, error) {
	k := &db.shares
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
	known, err := db.readKeyShares(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.until = time.Time{}
		return keyShares{}, err
	}
	k.known = known
	return known, nil
}

// readKeyShares reads which keys are common. The frequencies are followed by the least and
// the greatest of them, and the share of nulls.
func (db *DB) readKeyShares(ctx context.Context) (keyShares, error) {
	var keys []string
	var shares []float64
	err := db.pool.QueryRow(ctx, `SELECT most_common_elems::text::text[], most_common_elem_freqs::float8[] FROM pg_stats
		WHERE schemaname = current_schema() AND tablename = 'text_names' AND attname = 'keys' AND most_common_elems IS NOT NULL`).Scan(&keys, &shares)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && len(shares) <= len(keys) {
		return keyShares{}, nil // not analyzed yet
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
